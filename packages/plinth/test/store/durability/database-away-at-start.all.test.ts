// The database goes away for a moment while the service starts: at each statement, one after the other. The start fails with an
// orderly message, or the service runs. Nothing is left without a handler, which would end the process.

import { rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { startDatabaseProxy } from '@plinth/test-kit/database-proxy'
import { extent } from '@plinth/test-kit/extent'
import { createApp } from '@plinth/test-kit/platform'
import { configOn, newData } from '@plinth/test-kit/prepared-data'
import { clientFor } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../../src/core/problem.ts'
import { waitingFor } from '../../../src/testing/waiting.ts'

/** Returns the errors that nothing handled until the end of the test. */
const watchRejections = (): readonly unknown[] => {
  const seen: unknown[] = []
  const note = (reason: unknown): void => void seen.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  return seen
}

const startOnce = async (folder: string, url: string): Promise<'runs' | 'refused'> => {
  const settings = { 'app.database.url': url, 'app.log.level': 'silent' }
  const app = await createApp(configOn({ folder, url }, settings)).catch(mustBeUnavailable)
  if (!app) return 'refused'
  try {
    const address = await app.listen().catch(mustBeUnavailable)
    if (address === null) return 'refused'
    await expect
      .poll(async () => (await clientFor(address, {}).get('/api/rest/countries/GR')).status, { timeout: 60_000 })
      .toBe(200)
    return 'runs'
  } finally {
    await app.close()
  }
}

const mustBeUnavailable = (error: unknown): null => {
  if (!isUnavailable(error)) throw error
  return null
}

test('the start fails in order or the service runs, whenever the database goes away', {
  timeout: 1_200_000,
}, async () => {
  const { folder, url } = await newData('postgres', {}, {})
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const proxy = await startDatabaseProxy(url)
  const rejections = watchRejections()
  expect(await startOnce(folder, proxy.url)).toBe('runs')
  const sends = proxy.sends()
  // The last statements of the start run in the background of the service, and are the most delicate ones.
  const step = extent(Math.ceil(sends / 2), 1)
  const outcomes: string[] = []
  for (let at = sends; at >= 1; at -= step) {
    const cut = proxy.cutAtSend(at).then(() => new Promise(resolve => setTimeout(resolve, 300)))
    const outcome = startOnce(folder, proxy.url)
    await Promise.race([cut, outcome])
    await proxy.restore()
    outcomes.push(await waitingFor(`the start that is cut at ${at} of ${sends}`, outcome))
    await turn()
    expect([at, rejections]).toEqual([at, []])
  }
  console.log(`${outcomes.length} starts of ${sends} statements: ${outcomes.filter(one => one === 'runs').length} ran`)
})
