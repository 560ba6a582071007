// A service in the process of the benchmark, and its answers timed.

import { type App, createApp, loadConfig, type modules } from '@plinth/test-kit/platform'
import type { FilledDatabase } from './filled.ts'
import { createWaitMeter, serverOf } from './waiting.ts'

const unlimited = {
  'app.api.rateLimit.anonymousRequests': '0',
  'app.api.rateLimit.cost': '0',
  'app.api.maxEventLoopLag': '0',
}

export const openApp = async (
  { settings, database }: FilledDatabase,
  all: readonly (typeof modules)[number][],
): Promise<App> => {
  const overrides = { ...settings, 'app.database.url': database.startsWith('postgres') ? database : '', ...unlimited }
  const config = loadConfig({ env: {}, cwd: settings['app.dataDir'] ?? '.', overrides })
  return createApp(config, { modules: [...all] })
}

export const headersOf = (user: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`,
})

export type TimedFetch = (url: string, request: RequestInit) => Promise<number>

/** Milliseconds without those for which a process waited for a processor. */
export const createTimedFetch = async (database: string): Promise<TimedFetch> => {
  // This process is the service, too.
  const startWaiting = createWaitMeter({ service: 0, server: await serverOf(database) })
  return async (url, request) => {
    const waited = startWaiting()
    const began = performance.now()
    const answer = await fetch(url, request)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${text.slice(0, 300)}`)
    return performance.now() - began - waited()
  }
}
