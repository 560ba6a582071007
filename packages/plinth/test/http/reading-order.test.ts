// When connections are read: new ones without delay, and those that send many requests at once one after the other.

import { describe, expect, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'
import { get, json, mirrors, open, type RawConnection, requestText, type Started, start } from './test-server.ts'

/** Connections that have been answered once. */
const openServed = async (port: number, count: number): Promise<readonly RawConnection[]> => {
  const connections = Array.from({ length: count }, () => open(port))
  await Promise.all(
    connections.map(connection => {
      connection.send(requestText('/a'))
      return connection.until('remoteAddress')
    }),
  )
  return connections
}

/** The most requests that were read in one turn of the event loop, until so many were read. */
const mostInOneTurn = async ({ server }: Started, count: number): Promise<number> => {
  let [before, most, sum] = [0, 0, 0]
  while (sum < count) {
    await new Promise(setImmediate)
    const now = server.traffic().waitingRequests
    const read = Math.max(0, now - before)
    most = Math.max(most, read)
    sum += read
    before = now
  }
  return most
}

describe('new connections', () => {
  test('are answered after the requests before them, while others keep the server busy', async () => {
    let busyRequests = 0
    const busy = get('/busy', () => {
      busyRequests += 1
      const end = performance.now() + 8
      while (performance.now() < end);
      return json('done')
    })
    const { port, url } = await start([busy, ...mirrors])
    let isOver = false
    const keepBusy = async () => {
      while (!isOver) await (await fetch(`${url}/busy`)).text()
    }
    const work = Array.from({ length: 4 }, keepBusy)
    await until('the server to be busy', () => busyRequests > 4)
    const before = busyRequests
    await openServed(port, 40)
    const between = busyRequests - before
    isOver = true
    await Promise.all(work)
    expect(between).toBeLessThan(3 * 40)
  })
})

describe('many requests on many connections at once', () => {
  const each = 100

  test('are read from one connection in each turn of the event loop', async () => {
    const started = await start(mirrors)
    const connections = await openServed(started.port, 10)
    for (const connection of connections) connection.send(requestText('/a').repeat(each))
    const most = await mostInOneTurn(started, 8 * each)
    expect(most).toBeGreaterThan(each / 2)
    expect(most).toBeLessThanOrEqual(each)
  })

  test('do not keep an earlier connection of their network waiting', async () => {
    const started = await start(mirrors)
    const [earlier] = await openServed(started.port, 1)
    for (let count = 0; count < 10; count++) {
      earlier?.send(requestText(`/a?count-${count}`))
      await earlier?.until(`count-${count}`)
    }
    const connections = await openServed(started.port, 10)
    for (const connection of connections) connection.send(requestText('/a').repeat(each))
    earlier?.send(requestText('/a?earlier'))
    await earlier?.until('earlier')
    expect(started.server.traffic().waitingRequests).toBeLessThan(5 * each)
  })

  test('leave the time between them to connections of their network that have never sent much at once', async () => {
    const started = await start(mirrors, { maxBodyBytes: 100_000 })
    const [earlier] = await openServed(started.port, 1)
    const ask = async (what: string): Promise<void> => {
      earlier?.send(requestText(`/a?${what}`))
      await earlier?.until(what)
    }
    for (let count = 0; count < 10; count++) await ask(`before-${count}-`)
    const connections = await openServed(started.port, 30)
    const head = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    for (const connection of connections) connection.send(head + '1\r\nx\r\n'.repeat(8000))
    const read = () => started.server.traffic().bodyBytes / 8000
    await until('the first of them to be read', () => read() > 0)
    const before = read()
    for (let count = 0; count < 30; count++) await ask(`beside-${count}-`)
    expect(read() - before).toBeLessThan(8)
  })

  test('are all answered, in the order of their connections', async () => {
    const { port } = await start([get('/{n}', ({ params }) => json(params.n)), ...mirrors])
    const connections = await openServed(port, 5)
    const numbers = Array.from({ length: 40 }, (_, at) => at + 1)
    const text = numbers.map(n => requestText(`/${n}`)).join('')
    for (const connection of connections) connection.send(text + requestText('/0', 'Connection: close\r\n'))
    for (const connection of connections) {
      const answered = [...(await connection.ended()).matchAll(/^"(\d+)"/gm)].map(([, n]) => Number(n))
      expect(answered).toEqual([...numbers, 0])
    }
  })

  test('long headers are read from one connection in each turn of the event loop', async () => {
    let read = 0
    const counted = get('/counted', () => {
      read += 1
      return json('done')
    })
    const started = await start([counted, ...mirrors])
    const connections = await openServed(started.port, 10)
    const lines = Array.from({ length: 500 }, (_, at) => `x-${at}: a\r\n`).join('')
    for (const connection of connections) connection.send(requestText('/counted', lines))
    let [before, most] = [0, 0]
    while (read < 10) {
      await new Promise(setImmediate)
      most = Math.max(most, read - before)
      before = read
    }
    expect(most).toBeLessThanOrEqual(2)
  })
})
