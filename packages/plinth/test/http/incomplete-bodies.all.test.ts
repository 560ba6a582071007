// Many callers send all of a large body but its end. The service keeps as much of them as its budget says.

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { launch, preparedFolder } from '@plinth/test-kit/service-process'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const bodies = 300
const bodyBytes = 1_000_000
const budgetMb = 64

const head = [
  'POST /api/rest/hosts HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  `Content-Length: ${bodyBytes}`,
]
const unfinished = Buffer.from(`${head.join('\r\n')}\r\n\r\n${' '.repeat(bodyBytes - 10)}`)

const memoryOf = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

test('300 bodies whose end is held back take no more memory than the budget', async () => {
  const settings = { 'app.api.rateLimit.anonymousRequests': '0' }
  const service = await launch({ folder: await preparedFolder(), settings })
  const port = Number(new URL(service.url).port)
  const read = async () => (await fetch(`${service.url}/api/rest/continents/EU`)).arrayBuffer()
  for (let count = 0; count < 500; count++) await read()
  const before = memoryOf(service.pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(service.pid))
  }, 20)
  let refused = 0
  const sockets = Array.from({ length: bodies }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.once('data', answer => {
      if (String(answer).startsWith('HTTP/1.1 503 ')) refused += 1
    })
    socket.write(unfinished)
    return socket
  })
  onTestFinished(() => {
    clearInterval(watch)
    for (const socket of sockets) socket.destroy()
  })
  const room = Math.ceil((budgetMb * 1_048_576) / bodyBytes)
  await until('the bodies without room to be refused', () => refused >= bodies - room)
  await read()
  // Connections, requests and parts on their way take some more.
  expect(most - before).toBeLessThan(1.25 * budgetMb)
})
