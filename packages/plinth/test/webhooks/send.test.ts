// One message to receivers that misbehave: each attempt ends, by the deadline at the latest.

import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { testAll } from '@plinth/test-kit/extent'
import { expect, onTestFinished, test, vi } from 'vitest'
import { failureOf, sendMessage } from '../../src/modules/webhooks/send.ts'
import { until } from '../../src/testing/waiting.ts'

/** Name resolution that never ends, until the test is over. Test files share the modules of their process. */
const hangLookups = (): void => {
  const lookup = vi.spyOn(dns, 'lookup').mockReturnValue(new Promise(() => {}))
  syncBuiltinESMExports()
  onTestFinished(() => {
    lookup.mockRestore()
    syncBuiltinESMExports()
  })
}

const startRawServer = async (onConnection: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const send = (url: string, { timeoutMs = 20_000, stop = new AbortController().signal } = {}) => {
  const receiver = { url, secrets: ['whsec_c2VjcmV0'], timeoutMs, allowHttp: true, allowPrivate: true }
  const sent = sendMessage(receiver, { id: 'msg_1', sentAt: new Date(), body: '{}' }, stop)
  return sent.then(
    status => ({ status }),
    (error: unknown) => ({ failure: failureOf(error) }),
  )
}

const late = { failure: 'The receiver did not respond in time.' }

testAll('a silent receiver fails at the deadline, also after garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  let connections = 0
  const port = await startRawServer(() => {
    connections += 1
  })
  let result: unknown = null
  const sent = send(`http://127.0.0.1:${port}/`, { timeoutMs: 500 }).then(ended => {
    result = ended
  })
  await until('the connection', () => connections === 1)
  // Two collections remove everything that nothing refers to.
  for (let times = 0; times < 2; times++) {
    await nextTurn()
    collectGarbage()
  }
  await until('the end of the attempt', () => result !== null)
  await sent
  expect(result).toEqual(late)
})

test('an attempt ends when the service stops', async () => {
  const stopping = new AbortController()
  const port = await startRawServer(() => stopping.abort())
  expect(await send(`http://127.0.0.1:${port}/`, { stop: stopping.signal })).toEqual({ failure: 'No connection.' })
})

test('a response that changes the protocol counts by its status', async () => {
  const response = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const port = await startRawServer(socket => {
    socket.once('data', () => socket.write(response))
  })
  expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ status: 101 })
})

test('a connection that closes without a response is a failure', async () => {
  const port = await startRawServer(socket => {
    socket.once('data', () => socket.end())
  })
  expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ failure: 'No connection (ECONNRESET).' })
})

test('a name server that does not answer counts against the deadline', async () => {
  hangLookups()
  expect(await send('http://receiver.example/', { timeoutMs: 50 })).toEqual(late)
})
