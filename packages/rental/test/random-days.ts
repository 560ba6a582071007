// Random days at a counter, held against a small model: sums are always right, and no copy is ever out twice.

import { copyOf, people } from '@plinth/test-kit/rental-store'
import type { Answer } from '@plinth/test-kit/service'
import fc from 'fast-check'
import { expect } from 'vitest'

export const copies = [copyOf('Matrix 11'), copyOf('Spider-Man'), copyOf('Out of Africa')]
const customers = [people.client, people.simple]

/** Backed by a service in this process, or by one that is killed at random. */
export interface RandomCounter {
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  /** Lets this many days pass. */
  wait(days: number): Promise<void>
  /** The next thing that is posted meets a crash, so many milliseconds after it was sent. */
  crash?(after: number): void
}

type Act =
  | { readonly act: 'rent' | 'return' | 'dropBox'; readonly copies: readonly number[]; readonly days: number }
  | { readonly act: 'wait'; readonly days: number }
  | { readonly act: 'void' | 'waive'; readonly which: number }
  | { readonly act: 'retry' }
  | { readonly act: 'crash'; readonly after: number }

const someCopies = fc.uniqueArray(fc.nat(copies.length - 1), { minLength: 1 })

const acts: readonly fc.Arbitrary<Act>[] = [
  fc.record({ act: fc.constant('rent' as const), copies: someCopies, days: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ act: fc.constant('return' as const), copies: someCopies, days: fc.nat(9) }),
  fc.record({ act: fc.constant('dropBox' as const), copies: someCopies, days: fc.nat(9) }),
  fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ act: fc.constantFrom('void' as const, 'waive' as const), which: fc.nat(20) }),
  fc.constant({ act: 'retry' as const }),
]

const crash: fc.Arbitrary<Act> = fc.record({ act: fc.constant('crash' as const), after: fc.nat(40) })

export const calmDays: fc.Arbitrary<Act[]> = fc.array(fc.oneof(...acts), { minLength: 5, maxLength: 15 })
export const roughDays: fc.Arbitrary<Act[]> = fc.array(fc.oneof(...acts, crash), { minLength: 12, maxLength: 18 })

interface Payment {
  readonly pk: string
  readonly amount: number
}

/** What the counter has answered so far: the reported totals, the recorded payments, the last submission as sent. */
export interface Day {
  readonly counter: RandomCounter
  total: number
  readonly payments: Payment[]
  last: { items: unknown[]; customer: string } | null
}

export const firstDay = (counter: RandomCounter): Day => ({ counter, total: 0, payments: [], last: null })

const take = (day: Day, { status, body }: Answer): void => {
  expect([200, 409]).toContain(status)
  if (status !== 200) return
  const items: Payment[] = body.items
  const sum = items.reduce((total, one) => total + Math.round(one.amount * 100), 0)
  expect(Math.round(body.totalCost * 100)).toBe(sum)
  day.total += sum
  day.payments.push(...items)
}

export const perform = async (day: Day, act: Act): Promise<void> => {
  const { counter, payments } = day
  if (act.act === 'wait') return counter.wait(act.days)
  if (act.act === 'crash') return counter.crash?.(act.after)
  if (act.act === 'retry') {
    // Whatever was done must not be done again: a repetition is refused, as long as nothing undid the first.
    if (day.last) take(day, await counter.post('/api/rest/order/orders', day.last))
    return
  }
  if ('which' in act) {
    const payment = payments[act.which % Math.max(1, payments.length)]
    if (!payment) return
    return take(day, await counter.post(`/api/rest/order/payments/${payment.pk}/${act.act}`, { reason: 'chance' }))
  }
  const chosen = act.copies.map(at => copies[at] ?? '')
  if (act.act === 'dropBox') return take(day, await counter.post('/api/rest/order/returns', { items: chosen }))
  const customer = customers[act.days % 2] ?? ''
  const quotes = await Promise.all(chosen.map(copy => counter.get(`/api/rest/order/orders/${copy}?days=${act.days}`)))
  const items = quotes.map(({ body }) => body).filter(({ rentalId }) => (rentalId === null) === (act.act === 'rent'))
  if (items.length === 0) return
  day.last = { items, customer }
  const done = await counter.post('/api/rest/order/orders', day.last)
  expect(done.status).toBe(200)
  take(day, done)
}

/** Everything that must hold whatever happened. */
export const audit = async ({ counter, total, payments }: Day): Promise<void> => {
  const written: Payment[] = []
  for (const copy of copies) {
    const page = await counter.get(`/api/rest/payments?rental.inventory=${copy}&_ps=500`)
    written.push(...page.body.content)
    const open = await counter.get(`/api/rest/rentals?filter=inventory==${copy};returnDate=isnull=true`)
    const state = (await counter.get(`/api/rest/filmInventoryEntries/${copy}`)).body
    expect(open.body.content.map((one: { pk: string }) => one.pk)).toEqual(
      state.currentRental ? [state.currentRental.pk] : [],
    )
    expect(state.available).toBe(state.currentRental === null)
  }
  expect(written.map(one => one.pk).sort()).toEqual(payments.map(one => one.pk).sort())
  expect(written.reduce((sum, one) => sum + Math.round(one.amount * 100), 0)).toBe(total)
  const clients = await counter.get('/api/rest/clients?_ps=500')
  for (const { user, balance } of clients.body.content) {
    const owed = await counter.get(`/api/rest/payments?customer=${user.pk}&onAccount=true&_ps=500`)
    const sum = owed.body.content.reduce((all: number, one: Payment) => all + Math.round(one.amount * 100), 0)
    expect(Math.round(balance * 100)).toBe(sum)
  }
}
