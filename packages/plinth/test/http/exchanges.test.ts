// The course of an exchange: callers who leave before its end, who observes it, and what runs around it.

import { type IncomingMessage, request as nodeRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Observation, Route } from '../../src/core/http/exchange.ts'
import { waitingFor } from '../../src/testing/waiting.ts'
import { exchange, get, json, open, signal, start } from './test-server.ts'

describe('callers who leave', () => {
  test('end the source of a streamed body', async () => {
    const ended = signal('the source to end')
    const source = async function* () {
      try {
        for (;;) yield 'x'.repeat(65_536)
      } finally {
        ended.resolve()
      }
    }
    const { port, faults } = await start([get('/a', () => ({ status: 200, body: source() }))])
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    await connection.until('HTTP/1.1 200')
    connection.socket.destroy()
    await ended.promise
    expect(faults).toEqual([])
  })

  test('who do not read hold the source back', async () => {
    let made = 0
    const source = async function* () {
      for (; made < 10_000; made += 1) yield 'x'.repeat(65_536)
    }
    const { url } = await start([get('/a', () => ({ status: 200, body: source() }))])
    const answered = new Promise<IncomingMessage>(resolve => nodeRequest(`${url}/a`, resolve).end())
    const response = await waitingFor('a response', answered)
    let before = -1
    while (made !== before) {
      before = made
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    expect(made).toBeLessThan(1000)
    response.on('error', () => {})
    response.destroy()
  })

  test('abort the signal of a handler that waits, and are no fault', async () => {
    const waiting = signal('the handler to begin')
    const aborted = signal('the handler to be aborted')
    const { port, faults } = await start([
      get('/a', async ({ signal: left }) => {
        waiting.resolve()
        await new Promise((_, reject) => {
          left.addEventListener('abort', () => {
            aborted.resolve()
            reject(left.reason)
          })
        })
        return json(1)
      }),
    ])
    const connection = open(port)
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    await waiting.promise
    connection.socket.destroy()
    await aborted.promise
    await new Promise(resolve => setImmediate(resolve))
    expect(faults).toEqual([])
  })

  test('find the signal aborted when it is first asked for later', async () => {
    const waiting = signal('the first handler to begin')
    const left = signal('both callers to leave')
    const seen: boolean[] = []
    const done = signal('the first handler to end')
    const watching = signal('the second handler to begin')
    const noticed = signal('the second handler to be aborted')
    const { port } = await start([
      get('/a', async request => {
        waiting.resolve()
        await left.promise
        seen.push(request.signal.aborted)
        done.resolve()
        return json(1)
      }),
      get('/b', async request => {
        request.signal.addEventListener('abort', noticed.resolve)
        watching.resolve()
        await noticed.promise
        return json(1)
      }),
    ])
    const [connection, other] = [open(port), open(port)]
    connection.send('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')
    other.send('GET /b HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all([waiting.promise, watching.promise])
    connection.socket.destroy()
    other.socket.destroy()
    // The other one is watched. Once its end was noticed, so was the end of the first.
    await noticed.promise
    await new Promise(resolve => setImmediate(resolve))
    left.resolve()
    await done.promise
    expect(seen).toEqual([true])
  })

  test('an answer that was sent whole does not abort the signal', async () => {
    const signals: AbortSignal[] = []
    const { port } = await start([
      get('/a', request => {
        signals.push(request.signal)
        return json(1)
      }),
    ])
    await exchange(port, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(signals.map(one => one.aborted)).toEqual([false])
  })
})

test('the observer is called once for every exchange, when it is over', async () => {
  const seen: Observation[] = []
  const route: Route = { method: 'POST', path: '/a/{pk}', handler: () => json('reply') }
  const { url } = await start([route], { observe: done => seen.push(done) })
  await fetch(`${url}/a/1?b=2`, { method: 'POST', body: 'text' })
  await fetch(`${url}/none`)
  await expect.poll(() => seen.length).toBe(2)
  expect(seen).toMatchObject([
    { route, status: 200, completed: true, request: { method: 'POST', path: '/a/1' } },
    { route: null, status: 404, completed: true, request: { method: 'GET', path: '/none' } },
  ])
  for (const { ms } of seen) expect(ms).toBeGreaterThan(0)
})

test('an exchange can be run inside another function', async () => {
  const order: string[] = []
  const handler = () => {
    order.push('handler')
    return json('reply')
  }
  const { url } = await start([get('/a', handler)], {
    around: async (_request, route, exchange) => {
      order.push(`before ${route?.path}`)
      await exchange()
      order.push('after')
    },
  })
  expect((await fetch(`${url}/a`)).status).toBe(200)
  await expect.poll(() => order).toEqual(['before /a', 'handler', 'after'])
})
