// Work that takes turns, so that however much of it there is, it delays others by little.

import type { ServerResponse } from 'node:http'

// Requests that have waited behind others of their connection begin here, for all connections: one in each turn of the event
// loop, and a few at a time. So a flood of pipelined requests delays other callers by few requests, in this process and in the
// database.

/** Begins a request and returns its response; null when there is none left. */
export type Begin = () => ServerResponse | null
export type RequestQueue = (begin: Begin) => void

/** Requests that have begun here and have no response yet. */
const maxActive = 4
/** Until it is looked again whether one of them has its response, in milliseconds. */
const recheckMs = 1
/** A request that takes longer holds up no others, in milliseconds. What is slow has queues of its own. */
const maxMs = 100

const cheapRequestMs = 1

export const createRequestQueue = (): RequestQueue => {
  const queue: Begin[] = []
  /** With the time of their beginning. */
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

/** What is left to others, for each millisecond of work. */
const msForOthers = 2
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

// Tasks that run one in each turn of the event loop, in order: however many there are, they delay others by one task at most.

export type OneByOne = (task: () => void) => void

export const createOneByOne = (): OneByOne => {
  const queue: (() => void)[] = []
  const next = (): void => {
    const task = queue.shift()
    if (queue.length > 0) setImmediate(next)
    task?.()
  }
  return task => {
    queue.push(task)
    if (queue.length === 1) setImmediate(next)
  }
}

// Tasks by key, such as the network of a caller: those of one key run one after the other, and the event loop is left to others
// between them for longer than they take. So a flood from one network delays itself.

/** `ms`: how long the task takes, about. What else keeps the event loop busy does not count: it delays no task. */
export type PacedTasks = (key: string, ms: number, task: () => void) => void

/** Less work needs no pause, in milliseconds. */
const cheapTaskMs = 1

export const createPacedTasks = (): PacedTasks => {
  const inTurn = createOneByOne()
  /** Those that wait for the one that runs. */
  const waiting = new Map<string, (() => void)[]>()
  const next = (key: string): void => {
    const run = waiting.get(key)?.shift()
    if (run) inTurn(run)
    else waiting.delete(key)
  }
  return (key, ms, task) => {
    const run = () => {
      task()
      if (ms < cheapTaskMs) next(key)
      else setTimeout(() => next(key), ms * msForOthers)
    }
    const queue = waiting.get(key)
    if (queue) queue.push(run)
    else {
      waiting.set(key, [])
      inTurn(run)
    }
  }
}
