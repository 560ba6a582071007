// Requests that have waited behind others of their connection begin here, for all connections: one in each turn of the event loop,
// and a few at a time. So a flood of pipelined requests delays other callers by few requests, in this process and in the database.

import type { ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { msForOthers } from './turns.ts'

/** Begins a request and returns its response; null when there is none left. */
export type Begin = () => ServerResponse | null
export type RequestQueue = (begin: Begin) => void

/** Requests that have begun here and have no response yet. */
const maxActive = 4
/** The milliseconds after which the queue checks again whether one of them has its response. */
const recheckMs = 1
/** A request that takes longer holds up no others, in milliseconds. What is slow has queues of its own. */
const maxMs = 100

const cheapRequestMs = 1

export const createRequestQueue = (): RequestQueue => {
  const queue: Begin[] = []
  /** The active requests, with the time of their beginning. */
  const active = new Map<ServerResponse, number>()
  // A response that has begun may stay open for ever: its caller does not read it, or it is a stream of events.
  const hasRoom = (): boolean => {
    if (active.size < maxActive) return true
    const late = performance.now() - maxMs
    for (const [reply, began] of active) if (reply.headersSent || reply.destroyed || began < late) active.delete(reply)
    return active.size < maxActive
  }
  const next = (): void => {
    if (!hasRoom()) {
      setTimeout(next, recheckMs)
      return
    }
    const begin = queue.shift()
    // The first that is added to an empty queue, here or in `begin`, starts it again.
    if (queue.length > 0) afterPause(cheapRequestMs, next)
    const reply = begin?.()
    if (reply) active.set(reply, performance.now())
  }
  return begin => {
    queue.push(begin)
    if (queue.length === 1) setImmediate(next)
  }
}

/** Calls back when the event loop was left to others for longer than it is busy now. Less work than `cheapMs` needs no pause. */
const afterPause = (cheapMs: number, next: () => void): void => {
  const before = performance.eventLoopUtilization()
  // What was started now, such as reading from a socket, happens in the next turn.
  setImmediate(() =>
    setImmediate(() => {
      const { active } = performance.eventLoopUtilization(before)
      if (active < cheapMs) next()
      else setTimeout(next, active * msForOthers)
    }),
  )
}
