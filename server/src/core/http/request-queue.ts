// Requests that have waited behind others of their connection begin here, for all connections: one in each turn of the event
// loop, and a few at a time. So a flood of pipelined requests delays other callers by few requests, in this process and in the
// database.

import type { ServerResponse } from 'node:http'

/** Begins a request and returns its response; null when there is none left. */
export type Begin = () => ServerResponse | null
export type RequestQueue = (begin: Begin) => void

/** Requests that have begun here and have no complete response yet. */
const maxActive = 4
/** Until it is looked again whether one of them has its response, in milliseconds. */
const recheckMs = 1

export const createRequestQueue = (): RequestQueue => {
  const queue: Begin[] = []
  const active = new Set<ServerResponse>()
  // A response that its caller does not read stays open for long, so the end of the response does not count.
  const hasRoom = (): boolean => {
    if (active.size < maxActive) return true
    for (const reply of active) if (reply.writableEnded || reply.destroyed) active.delete(reply)
    return active.size < maxActive
  }
  const next = (): void => {
    if (!hasRoom()) {
      setTimeout(next, recheckMs)
      return
    }
    const begin = queue.shift()
    if (queue.length > 0) setImmediate(next)
    const reply = begin?.()
    if (reply) active.add(reply)
  }
  return begin => {
    queue.push(begin)
    if (queue.length === 1) setImmediate(next)
  }
}
