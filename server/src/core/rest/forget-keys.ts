// Deletes expired idempotency keys, hourly.

import { repeatedly } from './background.ts'
import { forgetKeys } from './idempotency.ts'
import type { Service } from './service.ts'

const pause = 3600_000

export const startForgettingKeys = (service: Service): (() => Promise<void>) =>
  repeatedly(service, {
    name: 'deleting expired idempotency keys',
    pause,
    round: signal => forgetKeys(service.platform, signal),
  })
