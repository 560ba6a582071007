import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Request } from '../../core/http/exchange.ts'
import { anonymous } from '../../core/model/caller.ts'
import { EventStream } from './event-stream.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const messages = (...sequences: number[]) => ({
  messages: sequences.map(sequence => ({ sequence, body: '{}' })),
  written: new Map(),
})

test('a heartbeat never names a sequence before what was sent, even before the client begins to read', async () => {
  const stream = new EventStream({} as Request, anonymous, 1)
  stream.deliver(messages(8, 9))
  const pieces = stream.pieces(7)
  expect((await pieces.next()).value).toContain('id: 7\n')
  expect((await pieces.next()).value).toContain('id: 9\n')
  const beat = pieces.next()
  await vi.advanceTimersByTimeAsync(15_000)
  expect((await beat).value).toBe(': beat\nid: 9\n\n')
  stream.end()
  expect((await pieces.next()).done).toBe(true)
})

test('a message far above the limit is sent, and a client that has not read it by the next one is disconnected', () => {
  const stream = new EventStream({} as Request, anonymous, 1)
  stream.deliver({ messages: [{ sequence: 1, body: 'x'.repeat(2_000_000) }], written: new Map() })
  expect(stream.cutBy.aborted).toBe(false)
  stream.deliver(messages(2))
  expect(stream.cutBy.aborted).toBe(true)
})

test.each<[string, (stream: EventStream) => void]>([
  ['loses the session', stream => stream.cut()],
  ['has other rights', stream => stream.renew({ ...anonymous, roles: new Set() })],
])('who %s gets nothing of what was waiting', async (_, lose) => {
  const stream = new EventStream({} as Request, anonymous, 1)
  const pieces = stream.pieces(7)
  await pieces.next()
  stream.deliver(messages(8))
  lose(stream)
  stream.deliver(messages(9))
  expect(stream.cutBy.aborted).toBe(true)
  expect((await pieces.next()).done).toBe(true)
})

test('a piece that is being sent when rights change is cut off', async () => {
  const stream = new EventStream({} as Request, anonymous, 1)
  const pieces = stream.pieces(7)
  await pieces.next()
  stream.deliver(messages(8))
  await pieces.next()
  stream.cut()
  expect(stream.cutBy.aborted).toBe(true)
})

test('who has read everything stays connected with other rights', async () => {
  const stream = new EventStream({} as Request, anonymous, 1)
  const renewed = { ...anonymous, roles: new Set<string>() }
  const pieces = stream.pieces(7)
  await pieces.next()
  const next = pieces.next()
  stream.renew(renewed)
  stream.deliver(messages(8))
  expect((await next).value).toContain('id: 8\n')
  expect([stream.cutBy.aborted, stream.caller]).toEqual([false, renewed])
})
