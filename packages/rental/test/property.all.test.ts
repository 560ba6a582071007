import { databases } from '@plinth/test-kit/databases'
import { checkProperty } from '@plinth/test-kit/random'
import { openStore, type TestStore } from '@plinth/test-kit/rental-store'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit, calmDays, type Day, firstDay, perform } from './random-days.ts'

describe.each(databases)('on %s', database => {
  let store: TestStore
  let day: Day
  beforeAll(async () => {
    store = await openStore(database, { 'app.rental.voidMinutes': '100000' })
    day = firstDay({
      get: path => store.admin.get(path),
      post: (path, body) => store.staff.post(path, body),
      wait: async days => store.time.forward(days),
    })
  })
  afterAll(() => store.stop())

  test('sums are right and no copy is out twice, whatever the day brings', async () => {
    await checkProperty(
      fc.asyncProperty(calmDays, async sequence => {
        for (const act of sequence) await perform(day, act)
        await audit(day)
      }),
      { runs: 12, endOnFailure: true },
    )
    expect(day.payments.length).toBeGreaterThan(20)
  })
})
