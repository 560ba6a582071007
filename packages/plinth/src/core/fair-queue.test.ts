import { expect, test } from 'vitest'
import { FairQueue, type QueueEntry, type QueueLimits } from './fair-queue.ts'

const limits: QueueLimits = { places: 2, placesPerCaller: 1, waiting: 5, waitingPerCaller: 3, patience: 60_000 }

/** Jobs by name; each runs until it is ended. */
const createJobs = (queue: FairQueue) => {
  const running = new Map<string, () => void>()
  const started: string[] = []
  const settled = () => new Promise<void>(resolve => setImmediate(resolve))
  return {
    started,
    submit: (name: string, entry: QueueEntry = {}) => {
      const work = () => {
        started.push(name)
        return new Promise<string>(resolve => running.set(name, () => resolve(name)))
      }
      return queue.run(work, { caller: name.replace(/\d/, ''), ...entry })
    },
    end: async (name: string) => {
      await settled()
      running.get(name)?.()
      await settled()
    },
  }
}

test('callers take turns, and the jobs of each run in their order', async () => {
  const { started, submit, end } = createJobs(new FairQueue({ ...limits, waiting: 100 }))
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(name => submit(name))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'b2', 'a3', 'a4']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'a4'])
  expect(await Promise.all(all)).toHaveLength(7)
})

test('one caller never has all places', async () => {
  const { started, submit, end } = createJobs(new FairQueue(limits))
  const all = [submit('a1'), submit('a2')]
  await end('nothing')
  expect(started).toEqual(['a1'])
  await end('a1')
  expect(started).toEqual(['a1', 'a2'])
  await end('a2')
  await Promise.all(all)
})

test('a caller with too many waiting jobs is refused, and others still find room', async () => {
  const { submit, end } = createJobs(new FairQueue(limits))
  const all = ['a1', 'a2', 'a3', 'a4'].map(name => submit(name))
  await expect(submit('a5')).rejects.toMatchObject({ code: 'unavailable' })
  all.push(submit('b1'), submit('b2'), submit('c1'))
  await expect(submit('d1')).rejects.toMatchObject({ code: 'unavailable' })
  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']) await end(name)
  expect(await Promise.all(all)).toHaveLength(7)
})

test('a caller who leaves makes room, and a job that waits too long is refused', async () => {
  const { started, submit, end } = createJobs(new FairQueue({ ...limits, patience: 20 }))
  const first = submit('a1')
  const leaving = new AbortController()
  const left = submit('a2', { signal: leaving.signal })
  leaving.abort()
  await expect(left).rejects.toMatchObject({ code: 'unavailable' })
  await expect(submit('a3')).rejects.toMatchObject({ code: 'unavailable' })
  await end('a1')
  await first
  expect(started).toEqual(['a1'])
})

test('when it is closed, what waits is refused and what runs goes on', async () => {
  const queue = new FairQueue(limits)
  const { submit, end } = createJobs(queue)
  const [running, ...waiting] = [submit('a1'), submit('a2'), submit('a3')]
  queue.close()
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'unavailable' })
  await expect(submit('b1')).rejects.toMatchObject({ code: 'unavailable' })
  await end('a1')
  expect(await running).toBe('a1')
})

test('without a limit of all places, each caller waits for work of its own', async () => {
  const { started, submit, end } = createJobs(new FairQueue({ placesPerCaller: 1 }))
  const all = ['a1', 'a2', 'b1', 'b2', 'c1'].map(name => submit(name))
  await end('nothing')
  expect(started).toEqual(['a1', 'b1', 'c1'])
  await end('b1')
  expect(started).toEqual(['a1', 'b1', 'c1', 'b2'])
  for (const name of ['a1', 'a2', 'b2', 'c1']) await end(name)
  expect(await Promise.all(all)).toHaveLength(5)
})

test('work that must not wait is refused as soon as all places are taken', async () => {
  const { submit, end } = createJobs(new FairQueue({ places: 1 }))
  const first = submit('a1')
  await expect(submit('b1', { mayWait: false })).rejects.toMatchObject({ code: 'unavailable' })
  await end('a1')
  expect(await first).toBe('a1')
})
