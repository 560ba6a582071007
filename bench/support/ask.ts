// Requests of an administrator, timed.

import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorization } from './servers.ts'
import { createWaitMeter, type WatchedProcesses } from './waiting.ts'

export interface Timed {
  readonly status: number
  readonly ms: number
}

/** One at a time on a kept connection. */
export const createAsk = (): ((address: string) => Promise<Timed>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return address =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      get(address, { agent, headers: { accept: '*/*', ...authorization } }, answer => {
        answer.resume().once('close', () => {
          if (answer.complete) resolve({ status: answer.statusCode ?? 0, ms: performance.now() - began })
          else reject(new Error(`the answer to ${address} was cut off`))
        })
      }).once('error', reject)
    })
}

const ask = createAsk()

export interface Probed {
  /** The milliseconds of the requests that were served. */
  readonly times: number[]
  /** The same without what processes waited for a processor, where the probe watches them. */
  readonly ownTimes: number[]
  /** The number of refused requests by status. */
  readonly refused: Map<number, number>
}

/** The addresses by name. */
export type Addresses = Readonly<Record<string, string>>

/** Asks for the addresses in turn until the work is over. By name. */
export const probe = async (
  addresses: Addresses,
  isOver: () => boolean,
  watched?: WatchedProcesses,
): Promise<ReadonlyMap<string, Probed>> => {
  const probed = new Map(Object.keys(addresses).map(name => [name, newProbed()]))
  const startWaiting = watched ? createWaitMeter(watched) : () => () => 0
  while (!isOver()) {
    for (const [name, address] of Object.entries(addresses)) {
      const waited = startWaiting()
      const timed = await ask(address)
      note(probed.get(name), timed, waited())
    }
    await sleep(5)
  }
  return probed
}

export const probeFor = (addresses: Addresses, seconds: number, watched?: WatchedProcesses) => {
  const end = performance.now() + seconds * 1000
  return probe(addresses, () => performance.now() > end, watched)
}

const newProbed = (): Probed => ({ times: [], ownTimes: [], refused: new Map() })

const note = (probed: Probed | undefined, { status, ms }: Timed, waited: number): void => {
  if (status === 200) {
    probed?.times.push(ms)
    probed?.ownTimes.push(ms - waited)
  } else probed?.refused.set(status, (probed.refused.get(status) ?? 0) + 1)
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

/** Asks again while the service is overloaded, as it may be on a busy machine. */
export const fetchPatiently = async (address: string, request: RequestInit): Promise<Response> => {
  for (;;) {
    const answer = await fetch(address, request)
    if (answer.status !== 503) return answer
    await answer.arrayBuffer()
    await sleep(1000)
  }
}

export interface CostExplanation {
  readonly cost: number
  readonly budget: number
  readonly records: number
}

/** What a search would cost; null when it cannot be read. `search`: from the resource's name on. */
export const explain = async (url: string, search: string): Promise<CostExplanation | null> => {
  const address = `${url}/api/rest/${search}${search.includes('?') ? '&' : '?'}explain=cost`
  const answer = await fetchPatiently(address, { headers: { ...authorization, accept: 'application/json' } })
  const body: unknown = await answer.json()
  return answer.status === 200 ? (body as CostExplanation) : null
}
