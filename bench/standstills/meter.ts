// How long the thread of the service is held for everybody, in processor time: on a busy machine a thread that has to wait for a
// processor takes longer by the clock, which says nothing about the service.

import { openSync, readSync } from 'node:fs'
import { defineEndpoint, defineShape, number } from 'plinth'

/**
 * The milliseconds between two ticks, in which others have their turn. The time of the thread between them is the
 * longest that anything has held it.
 */
const tickMs = 2

const standstill = defineShape('Standstill', {
  ms: number({ required: true, about: 'The longest since the last reading, in milliseconds of processor time.' }),
})

/** proc(5), schedstat: the nanoseconds on a processor, and those spent waiting for one. */
const createThreadClock = (): (() => number) => {
  const file = openSync('/proc/thread-self/schedstat', 'r')
  const buffer = Buffer.alloc(64)
  return () => {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
  }
}

export const createStandstillMeter = () => {
  const clock = createThreadClock()
  let last = clock()
  let longest = 0
  const tick = () => {
    const now = clock()
    longest = Math.max(longest, now - last)
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
      const ms = longest
      longest = 0
      return { ms }
    },
  })
  const start = async () => {
    const timer = setInterval(tick, tickMs)
    return async () => clearInterval(timer)
  }
  return { endpoint, start }
}
