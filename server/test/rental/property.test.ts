// Random days at the counter, held against a small model: sums are always right, and no copy is ever out twice.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/service.ts'
import { copyOf, openStore, people, type TestStore } from './store.ts'

const copies = [copyOf('Matrix 11'), copyOf('Spider-Man'), copyOf('Out of Africa')]
const customers = [people.client, people.simple]

type Act =
  | { readonly act: 'rent' | 'return' | 'dropBox'; readonly copies: readonly number[]; readonly days: number }
  | { readonly act: 'wait'; readonly days: number }
  | { readonly act: 'void' | 'waive'; readonly which: number }
  | { readonly act: 'retry' }

const someCopies = fc.uniqueArray(fc.nat(copies.length - 1), { minLength: 1 })

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('rent' as const), copies: someCopies, days: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ act: fc.constant('return' as const), copies: someCopies, days: fc.nat(9) }),
  fc.record({ act: fc.constant('dropBox' as const), copies: someCopies, days: fc.nat(9) }),
  fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ act: fc.constantFrom('void' as const, 'waive' as const), which: fc.nat(20) }),
  fc.constant({ act: 'retry' as const }),
)

interface Payment {
  readonly pk: string
  readonly amount: number
  readonly rental: { readonly pk: string }
}

/** What the counter has answered so far: totals as told, payments as written, the last submission as sent. */
interface Day {
  readonly store: TestStore
  total: number
  readonly payments: Payment[]
  last: { items: unknown[]; customer: string } | null
}

const take = (day: Day, { status, body }: { status: number; body: { items: Payment[]; totalCost: number } }): void => {
  expect([200, 409]).toContain(status)
  if (status !== 200) return
  const sum = body.items.reduce((total, one) => total + Math.round(one.amount * 100), 0)
  expect(Math.round(body.totalCost * 100)).toBe(sum)
  day.total += sum
  day.payments.push(...body.items)
}

const perform = async (day: Day, act: Act): Promise<void> => {
  const { store, payments } = day
  if (act.act === 'wait') return store.time.forward(act.days)
  if (act.act === 'retry') {
    if (!day.last) return
    const again = await store.submit(day.last.items, day.last.customer)
    // Whatever was done must not be done again: a repetition is refused, as long as nothing undid the first.
    return take(day, again)
  }
  if ('which' in act) {
    const payment = payments[act.which % Math.max(1, payments.length)]
    if (!payment) return
    return take(day, await store.staff.post(`/api/rest/order/payments/${payment.pk}/${act.act}`, { reason: 'chance' }))
  }
  const chosen = act.copies.map(at => copies[at] ?? '')
  if (act.act === 'dropBox') return take(day, await store.staff.post('/api/rest/order/returns', { items: chosen }))
  const customer = customers[act.days % 2] ?? ''
  const items = await Promise.all(chosen.map(async copy => (await store.quote(copy, act.days)).body))
  const wanted = items.filter(item => (item.rentalId === null) === (act.act === 'rent'))
  if (wanted.length === 0) return
  const done = await store.submit(wanted, customer)
  expect(done.status).toBe(200)
  day.last = { items: wanted, customer }
  take(day, done)
}

/** Everything that must hold whatever happened. */
const audit = async ({ store, total, payments }: Day): Promise<void> => {
  const written: Payment[] = []
  for (const copy of copies) {
    const page = await store.admin.get(`/api/rest/payments?rental.inventory=${copy}&_ps=500`)
    written.push(...page.body.content)
    const open = await store.admin.get(`/api/rest/rentals?filter=inventory==${copy};returnDate=isnull=true`)
    const state = (await store.admin.get(`/api/rest/filmInventoryEntries/${copy}`)).body
    expect(open.body.content.map((one: { pk: string }) => one.pk)).toEqual(
      state.currentRental ? [state.currentRental.pk] : [],
    )
    expect(state.available).toBe(state.currentRental === null)
  }
  expect(written.map(one => one.pk).sort()).toEqual(payments.map(one => one.pk).sort())
  expect(written.reduce((sum, one) => sum + Math.round(one.amount * 100), 0)).toBe(total)
  const clients = await store.admin.get('/api/rest/clients?_ps=500')
  for (const { user, balance } of clients.body.content) {
    const owed = await store.admin.get(`/api/rest/payments?customer=${user.pk}&onAccount=true&_ps=500`)
    const sum = owed.body.content.reduce((all: number, one: Payment) => all + Math.round(one.amount * 100), 0)
    expect(Math.round(balance * 100)).toBe(sum)
  }
}

describe.each(databases)('on %s', database => {
  let store: TestStore
  let day: Day
  beforeAll(async () => {
    store = await openStore(database, { 'app.rental.voidMinutes': '100000' })
    day = { store, total: 0, payments: [], last: null }
  })
  afterAll(() => store.stop())

  test('sums are right and no copy is out twice, whatever the day brings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 15 }), async sequence => {
        for (const act of sequence) await perform(day, act)
        await audit(day)
      }),
      { numRuns: 12, endOnFailure: true, seed: 20240517 },
    )
    expect(day.payments.length).toBeGreaterThan(20)
  })
})
