// `Expect: 100-continue` (RFC 9110, 10.1.1): a caller asks whether to send the body before it does so.

import { describe, expect, test } from 'vitest'
import { type mirror, mirrors, open, start, statusOf } from './test-server.ts'

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n${more}\r\n`

const upload = {
  method: 'POST' as const,
  path: '/upload',
  streams: true,
  handler: async ({ stream, headers }: Parameters<typeof mirror>[0]) => {
    if (headers.authorization === undefined) return { status: 401 }
    let size = 0
    for await (const piece of stream ?? []) size += piece.length
    return { status: 200, body: `received ${size}` }
  },
}

describe('a caller who asks whether to send the body', () => {
  test('is told to go on, and answered after the body', async () => {
    const { port } = await start(mirrors)
    const connection = open(port)
    connection.send(head('/a', 4))
    expect(await connection.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 Continue\r\n/)
    connection.send('body')
    expect(await connection.until('"body":"body"')).toMatch(/HTTP\/1\.1 200 /)
    connection.send('GET /a?next HTTP/1.1\r\nHost: a\r\n\r\n')
    await connection.until('"search":"next"')
  })

  test('who does not wait is answered as well', async () => {
    const { port } = await start(mirrors)
    const connection = open(port)
    connection.send(`${head('/a', 4, 'Connection: close\r\n')}body`)
    expect(await connection.ended()).toContain('"body":"body"')
  })

  test.each([
    ['is too large', '/a', 100_000_000, '', 413],
    ['is for another path', '/b', 4, '', 404],
    ['has another problem', '/a', 4, 'Host: b\r\n', 400],
    ['comes without credentials to a route that reads them first', '/upload', 4, '', 401],
  ])('gets the refusal of a body that %s, without being told to go on', async (_, path, length, more, status) => {
    const { port } = await start([...mirrors, upload])
    const connection = open(port)
    connection.send(head(path, length, more))
    const answer = await connection.ended()
    expect(statusOf(answer)).toBe(status)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(answer).toMatch(/connection: close\r\n/i)
  })

  test('is told to go on when a route begins to read', async () => {
    const { port } = await start([upload])
    const connection = open(port)
    connection.send(head('/upload', 4, 'Authorization: a\r\nConnection: close\r\n'))
    await connection.until('100 Continue')
    connection.send('body')
    expect(await connection.ended()).toContain('received 4')
  })
})
