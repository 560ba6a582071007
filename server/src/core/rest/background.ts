// Work that is done again and again while the service runs.

import { startJob } from './jobs.ts'
import type { Service } from './service.ts'

export { oneByOne } from './jobs.ts'
export { removeInBatches } from './sweeps.ts'

interface Chore {
  readonly name: string
  readonly pause: number
  readonly round: (signal: AbortSignal) => Promise<void>
}

export const repeatedly = (service: Service, { name, pause, round }: Chore): (() => Promise<void>) =>
  startJob(service, { name, pauseMs: pause, run: (_, signal) => round(signal) })
