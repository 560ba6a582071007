import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createPause, inSharedTurn, ownTurn } from './pauses.ts'

/** Works for longer than a piece of work may take. */
const work = (): void => {
  const until = performance.now() + 6
  while (performance.now() < until);
}

test('one of many long works goes on in each turn of the event loop', async () => {
  const pieces: number[] = []
  let turn = 0
  let isOver = false
  const works = [1, 2, 3].map(async () => {
    for (let piece = 0; piece < 4; piece++) {
      await ownTurn()
      pieces.push(turn)
    }
  })
  const counting = (async () => {
    while (!isOver) {
      turn += 1
      await nextTurn()
    }
  })()
  await Promise.all(works)
  isOver = true
  await counting
  expect(pieces).toHaveLength(12)
  expect(new Set(pieces).size).toBe(12)
})

test('work that others wait for goes on in the next turn, however much waits', async () => {
  const pause = createPause({ isAwaited: true })
  let others = 0
  const waiting = Array.from({ length: 50 }, () => ownTurn().then(() => (others += 1)))
  await pause()
  work()
  await pause()
  expect(others).toBeLessThan(5)
  await Promise.all(waiting)
})

test('short works share turns, in the order in which they came, beside longer ones', async () => {
  const done: number[] = []
  const short = async (number: number) => done.push(await inSharedTurn(() => number))
  const long = inSharedTurn(() => work())
  const first = [1, 2, 3].map(short)
  const other = ownTurn().then(() => done.push(0))
  await long
  // The long one has taken the whole turn; the other work is next, and then those that wait, before newcomers.
  const newcomer = short(4)
  await Promise.all([...first, other, newcomer])
  expect(done).toEqual([0, 1, 2, 3, 4])
})

test('short work that fails holds up no other', async () => {
  const failing = inSharedTurn(() => {
    throw new Error('no')
  })
  const next = inSharedTurn(() => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('a short piece of work needs no pause', () => {
  const pause = createPause()
  expect(pause()).toBeUndefined()
  expect(pause()).toBeUndefined()
})
