import { expect, test } from 'vitest'
import { defineResource } from '../model/define.ts'
import { text } from '../model/fields.ts'
import { assigned } from '../model/identifier.ts'
import { createRegistry } from '../model/registry.ts'
import type { CommonValue } from './driver.ts'
import { TableSizeCache } from './table-sizes.ts'

const registry = createRegistry([
  defineResource('tasks', {
    about: 'For tests.',
    access: { read: 'true', write: 'true' },
    identifier: assigned(),
    label: 'status',
    fields: { status: text({ indexed: true }) },
  }),
])
const [tasks] = registry.resources
const status = tasks?.fields.get('status')
if (!tasks || !status) throw new Error('the model is incomplete')

/** `values` gives the values that many rows have. */
const cacheWith = (values: () => Promise<readonly CommonValue[]>): TableSizeCache =>
  new TableSizeCache({ tableSizes: async () => new Map([['tasks', 5000]]), commonValues: values })

test('sizes do not wait for the values that many rows have', async () => {
  let found = (_: readonly CommonValue[]): void => {}
  const cache = cacheWith(
    () =>
      new Promise(resolve => {
        found = resolve
      }),
  )
  const first = await cache.get()
  expect([first.records(tasks), first.share(status, 'open')]).toEqual([5000, null])
  found([{ table: 'tasks', column: 'status', value: 'open', share: 0.9 }])
  await expect.poll(async () => (await cache.get()).share(status, 'open')).toBe(0.9)
})

test('sizes are known where the values cannot be read', async () => {
  const cache = cacheWith(() => Promise.reject(new Error('the database is closed')))
  expect((await cache.get()).records(tasks)).toBe(5000)
})
