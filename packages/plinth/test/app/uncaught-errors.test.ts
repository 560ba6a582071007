// What happens to errors that nothing catches: those of a connection end it alone, rejected promises end nothing, and other errors end the
// process in order.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { testAll } from '@plinth/test-kit/extent'
import { startService } from '@plinth/test-kit/service'
import { launch, preparedFolder, type ServiceProcess } from '@plinth/test-kit/service-process'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HeartBeats } from '../../src/modules/realtime/heart-beats.ts'
import { until } from '../../src/testing/waiting.ts'

testAll(
  'a heart-beat that fails ends its connection, is logged, and nothing else ends',
  {
    timeout: 120_000,
  },
  async () => {
    const lines: string[] = []
    const service = await startService('sqlite', { logTo: { write: line => void lines.push(line) } })
    onTestFinished(() => service.stop())
    const failing = await connect(service.url, credentialsOf('client'))
    const tick = vi.spyOn(HeartBeats.prototype, 'tick').mockImplementationOnce(() => {
      throw new Error('no heart')
    })
    onTestFinished(() => tick.mockRestore())
    expect((await failing.error).headers.message).toBe('internal')
    await failing.closed
    await expect.poll(() => lines.join('')).toContain('no heart')
    const working = await connect(service.url, credentialsOf('client'))
    await expect.poll(() => tick.mock.calls.length).toBeGreaterThan(2)
    await working.disconnect()
  },
)

/** Fails on a signal, outside of all that the service watches over. */
const saboteur = `
process.on('SIGUSR2', () => setImmediate(() => { throw new Error('thrown into the void') }))
process.on('SIGHUP', () => { Promise.reject(new Error('rejected into the void')) })
`

const launchWithSaboteur = async (): Promise<ServiceProcess> => {
  const folder = await preparedFolder()
  const file = join(folder, 'saboteur.mjs')
  await writeFile(file, saboteur)
  return launch({ folder, env: { NODE_OPTIONS: `--import=${pathToFileURL(file)}` } })
}

test('a promise that is rejected and never handled is logged and counted, and ends nothing', {
  timeout: 120_000,
}, async () => {
  const service = await launchWithSaboteur()
  service.signal('SIGHUP')
  await until('the rejection in the log', () => service.said().includes('rejected into the void'))
  expect(service.said()).toMatch(/nothing handles it \([^)]*saboteur\.mjs:3\)/)
  const { text } = await service.admin.get('/api/management/prometheus')
  expect(text).toContain('plinth_background_failures_total{work="unhandledRejection"} 1')
  expect(await service.end('SIGTERM')).toBe(0)
})

testAll(
  'an error that nothing catches is logged, and ends the process in order with a code',
  {
    timeout: 120_000,
  },
  async () => {
    const service = await launchWithSaboteur()
    const events = await fetch(`${service.url}/api/rest/events?topic=hosts`, { headers: credentialsOf('client') })
    service.signal('SIGUSR2')
    // Streams are ended, not broken off.
    expect(await events.text()).toContain('welcome')
    expect(await service.ended).toBe(1)
    expect(service.said()).toContain('thrown into the void')
    expect(service.said()).toContain('uncaughtException')
  },
)
