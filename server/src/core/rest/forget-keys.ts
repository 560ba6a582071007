// In the background: answers that were kept for repeated requests are forgotten when their time is over.

import { forgetKeys } from './idempotency.ts'
import type { Platform } from './platform.ts'

const interval = 3600_000

/** Once at the start and then every hour; what it gives ends the work. */
export const startForgettingKeys = (platform: Platform, onFailure: (error: unknown) => void): (() => Promise<void>) => {
  let running: Promise<unknown> = Promise.resolve()
  const forget = () => {
    running = forgetKeys(platform).catch(onFailure)
  }
  forget()
  const timer = setInterval(forget, interval).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
