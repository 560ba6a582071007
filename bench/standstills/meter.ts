// How long the thread of the service is held for everybody, in processor time: on a busy machine a thread that has to wait for a
// processor takes longer by the clock, which says nothing about the service.

import { openSync, readSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { defineEndpoint, defineShape, number } from 'plinth'

/**
 * The milliseconds between two ticks, in which others have their turn. The time of the thread between them is the
 * longest that anything has held it.
 */
const tickMs = 2

const standstill = defineShape('Standstill', {
  ms: number({ required: true, about: 'The longest since the last reading, in milliseconds of processor time.' }),
  collecting: number({ required: true, about: 'How many of them went to collecting garbage, at most.' }),
})

interface Collection {
  readonly start: number
  readonly end: number
}

/** Garbage collections, by the clock: V8 does not tell their processor time. */
const createCollections = () => {
  let all: Collection[] = []
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) all.push({ start: startTime, end: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    /** The milliseconds of collections between two times. */
    within: (from: number, to: number): number =>
      all.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0),
    clear: () => {
      all = []
    },
    stop: () => observer.disconnect(),
  }
}

/** proc(5), schedstat: the nanoseconds on a processor, and those spent waiting for one. */
const createThreadClock = (): (() => number) => {
  const file = openSync('/proc/thread-self/schedstat', 'r')
  const buffer = Buffer.alloc(64)
  return () => {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
  }
}

interface Longest {
  readonly ms: number
  /** When it began and ended, by the clock. */
  readonly from: number
  readonly to: number
}

export const createStandstillMeter = () => {
  const clock = createThreadClock()
  const collections = createCollections()
  let last = { cpu: clock(), at: performance.now() }
  let longest: Longest = { ms: 0, from: 0, to: 0 }
  const tick = () => {
    const now = { cpu: clock(), at: performance.now() }
    const ms = now.cpu - last.cpu
    if (ms > longest.ms) longest = { ms, from: last.at, to: now.at }
    last = now
  }
  const endpoint = defineEndpoint({
    method: 'GET',
    path: '/api/standstill',
    id: 'readStandstill',
    summary: 'Read the longest standstill since the last reading',
    access: 'true',
    answers: { 200: standstill },
    run: async () => {
      // What went before belongs to the past.
      tick()
      // The observer hears of collections in a later turn.
      await turn()
      const { ms, from, to } = longest
      const collecting = Math.min(ms, collections.within(from, to))
      longest = { ms: 0, from: 0, to: 0 }
      collections.clear()
      return { ms, collecting }
    },
  })
  const start = async () => {
    const timer = setInterval(tick, tickMs)
    return async () => {
      clearInterval(timer)
      collections.stop()
    }
  }
  return { endpoint, start }
}
