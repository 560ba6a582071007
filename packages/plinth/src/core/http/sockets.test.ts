import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { toTextFrame } from './sockets.ts'

/** What a client reads when the frame is written to its connection. */
const readBy = (frame: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    server.on('connection', (_, { socket }) => socket.write(frame))
    server.on('listening', () => {
      const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
      client.on('error', reject)
      client.on('message', (data, isBinary) => {
        client.terminate()
        server.close(() => resolve(isBinary ? 'bytes' : String(data)))
      })
    })
  })

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('a text of %i bytes is read as it was', async length => {
  const text = `${'ä'.repeat(length >> 1)}${'x'.repeat(length & 1)}`
  expect(Buffer.byteLength(text)).toBe(length)
  expect(await readBy(toTextFrame(text))).toBe(text)
})
