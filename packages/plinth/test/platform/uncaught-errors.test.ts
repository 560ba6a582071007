// What happens to errors that nothing catches: those of a connection end it alone, those of the process end it in order.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { HeartBeats } from '../../src/modules/realtime/heart-beats.ts'
import { connect, credentialsOf } from '../realtime/subscriber.ts'
import { extent } from '../support/extent.ts'
import { startService } from '../support/service.ts'
import { launch, preparedFolder } from '../support/service-process.ts'

test('a heart-beat that fails ends its connection, is logged, and nothing else ends', {
  timeout: 120_000,
}, async () => {
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
})

/** Fails on a signal, outside of all that the service watches over. */
const saboteur = `
process.on('SIGUSR2', () => setImmediate(() => { throw new Error('thrown into the void') }))
process.on('SIGHUP', () => { Promise.reject(new Error('rejected into the void')) })
`

const rejection = ['SIGHUP', 'rejected into the void', 'unhandledRejection'] as const
const exception = ['SIGUSR2', 'thrown into the void', 'uncaughtException'] as const

test.each(extent([rejection], [rejection, exception]))(
  'an error that nothing catches (%s) is logged, and ends the process in order with a code',
  {
    timeout: 120_000,
  },
  async (signal, message, kind) => {
    const folder = await preparedFolder()
    const file = join(folder, 'saboteur.mjs')
    await writeFile(file, saboteur)
    const service = await launch({
      folder,
      env: { NODE_OPTIONS: `--import=${pathToFileURL(file)}` },
    })
    const events = await fetch(`${service.url}/api/rest/events?topic=hosts`, { headers: credentialsOf('client') })
    service.signal(signal)
    // Streams are ended, not broken off.
    expect(await events.text()).toContain('welcome')
    expect(await service.ended).toBe(1)
    expect(service.said()).toContain(message)
    expect(service.said()).toContain(kind)
  },
)
