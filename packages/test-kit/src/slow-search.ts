// A search on SQLite that takes many seconds of processor time.

import { startService, type TestService } from './service.ts'

/** Starts a service with enough localities for `slowSearch`. */
export const startWithSlowSearch = async (settings: Record<string, string>): Promise<TestService> => {
  const started = await startService('sqlite', { settings: { 'app.log.level': 'silent', ...settings } })
  const { store } = started.app.platform
  const now = new Date().toISOString()
  const values = { name: 'é', path: 'é'.repeat(1000), parent: 'GR', createdDate: now, lastModifiedDate: now }
  const records = Array.from({ length: 10_200 }, (_, at) => ({ pk: `slow${at}`, values }))
  await store.transaction(tx => tx.insertAll(tx.resource('localities'), records))
  return started
}

/**
 * A slow search for users. No index serves the paths, which are long and look like every pattern at each of their
 * letters.
 */
export const slowSearch = (() => {
  const comparisons = Array.from({ length: 100 }, (_, at) => `path=ilike=*é${String.fromCodePoint(0x3b1 + at)}*`)
  return `/api/rest/localities?filter=${encodeURIComponent(comparisons.join(','))}`
})()
