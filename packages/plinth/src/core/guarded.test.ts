import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { after, every, failureCounts, repeat } from './guarded.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const createGuard = (name: string) => {
  const lines: string[] = []
  return { name, lines, log: { error: (_fields: object, message: string) => void lines.push(message) } }
}

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('thrown')
    },
  ],
  ['rejects', () => Promise.reject(new Error('rejected'))],
])('work that %s is logged, counted, and done again', async (how, work) => {
  const guard = createGuard(`work that ${how}`)
  const stop = every(1000, guard, work)
  await vi.advanceTimersByTimeAsync(3500)
  await stop()
  await vi.advanceTimersByTimeAsync(3500)
  expect(guard.lines).toEqual(Array(3).fill(`work that ${how} failed`))
  expect(failureCounts().get(guard.name)).toBe(3)
})

test('a round that lasts longer skips the next ones, and is waited for at the end', async () => {
  let rounds = 0
  let finish = () => {}
  const stop = every(1000, createGuard('slow work'), () => {
    rounds += 1
    return new Promise<void>(resolve => {
      finish = resolve
    })
  })
  await vi.advanceTimersByTimeAsync(5500)
  expect(rounds).toBe(1)
  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(isStopped).toBe(false)
  finish()
  await stopping
})

test('work that is woken runs at once; woken while it runs, it runs once more; after the end it does not', async () => {
  const finish: (() => void)[] = []
  const { wake, stop } = repeat(3600_000, createGuard('woken work'), () => new Promise<void>(done => finish.push(done)))
  wake()
  expect(finish.length).toBe(1)
  for (let times = 0; times < 3; times++) wake()
  expect(finish.length).toBe(1)
  finish[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(finish.length).toBe(2)
  wake()
  const stopping = stop()
  finish[1]?.()
  await stopping
  wake()
  await vi.advanceTimersByTimeAsync(7200_000)
  expect(finish.length).toBe(2)
})

test('work that is done once may fail as well', async () => {
  const guard = createGuard('late work')
  after(1000, guard, () => {
    throw new Error('late')
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(guard.lines).toEqual(['late work failed'])
})
