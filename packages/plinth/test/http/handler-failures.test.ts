// What goes wrong while an answer is made: a 500 without internals, or an answer that is cut off.

import { describe, expect, test } from 'vitest'
import type { Response } from '../../src/core/http/exchange.ts'
import { get, open, signal, start } from './test-server.ts'

describe('faults', () => {
  test.each<[string, () => Response | Promise<Response>]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    [
      'throws what is no error',
      () => {
        throw 'secret'
      },
    ],
    ['gives a header that would split the answer', () => ({ status: 200, headers: { a: 'b\r\nset-cookie: c=d' } })],
    ['gives an impossible status', () => ({ status: 42 })],
    ['fails to begin its pieces', () => ({ status: 200, body: failing() })],
  ])('a handler that %s answers 500 without internals', async (_, handler) => {
    const { url, faults } = await start([get('/a', handler)])
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.has('set-cookie')).toBe(false)
    expect(await response.text()).not.toContain('secret')
    expect(faults).toHaveLength(1)
    expect((await fetch(`${url}/a`)).status).toBe(500)
  })

  test.each<[string, () => Response | Promise<Response>]>([
    [
      'throws',
      () => {
        throw new Error('secret')
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['gives nonsense', () => ({ status: 42 })],
  ])('when the answer to faults itself %s, there is still a 500', async (_, onFault) => {
    const { url, logged } = await start([get('/a', () => Promise.reject(new Error('first')))], { onFault })
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      code: 'internal',
    })
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(logged.some(({ level }) => level === 'error')).toBe(true)
  })

  test('headers that throw are a fault, and answered', async () => {
    const headers = {
      get 'x-a'(): string {
        throw new Error('secret')
      },
    }
    const { url } = await start([get('/a', () => ({ status: 200, headers }))])
    const response = await fetch(`${url}/a`)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
  })

  test('a body that fails midway is cut off, not ended', async () => {
    const received = signal('the first piece to be received')
    const body = async function* () {
      yield 'a piece'
      await received.promise
      throw new Error('secret')
    }
    const { port, faults } = await start([get('/a', () => ({ status: 200, body: body() }))])
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    await connection.until('a piece')
    received.resolve()
    const answer = await connection.ended()
    expect(answer).not.toContain('\r\n0\r\n\r\n')
    expect(faults).toHaveLength(1)
  })
})

// biome-ignore lint/correctness/useYield: it fails before its first piece
async function* failing(): AsyncGenerator<string> {
  throw new Error('secret')
}
