// Past and present rentals of the demo, so that searches, overdue lists and receipts have something to show.

import { nobody } from '../../core/model/caller.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { users } from '../people/index.ts'
import { clients } from './clients.ts'
import { storeBarcode } from './demo-catalogue.ts'
import { type Copy, filmInventoryEntries } from './film-inventory-entries.ts'
import { filmPricingStrategies } from './film-pricing-strategies.ts'
import { films } from './films.ts'
import { payments } from './payments.ts'
import { dayLength, rentalCost } from './pricing.ts'
import { rentals } from './rentals.ts'

interface Plan {
  readonly username: string
  readonly copy: number
  readonly daysAgo: number
  readonly days: number
  /** How many days it was kept; null while it is out. */
  readonly kept: number | null
}

/** The copies of the films at the counter of the demo come first, and stay at hand. */
const firstFree = 12

const plans: readonly Plan[] = [
  { username: 'client', copy: 0, daysAgo: 90, days: 3, kept: 2 },
  { username: 'client', copy: 5, daysAgo: 61, days: 1, kept: 4 },
  { username: 'client', copy: 9, daysAgo: 30, days: 5, kept: 5 },
  { username: 'simple', copy: 14, daysAgo: 12, days: 2, kept: 1 },
  { username: 'client', copy: 20, daysAgo: 9, days: 2, kept: null },
  { username: 'client', copy: 24, daysAgo: 1, days: 5, kept: null },
  { username: 'simple', copy: 31, daysAgo: 4, days: 3, kept: null },
]

export const demoRentals = async (records: TransactionRecords): Promise<void> => {
  const staff = await records.first(users, { username: 'staff' })
  const points = new Map<string, number>()
  for (const [at, plan] of plans.entries()) {
    const customer = await records.first(users, { username: plan.username })
    if (!customer || !staff) continue
    const earned = await insertRental(records, plan, { at, customer: customer.pk, staff: staff.pk })
    points.set(customer.pk, (points.get(customer.pk) ?? 0) + earned)
  }
  let cards = 0
  for (const [user, bonusPoints] of points) {
    const cardBarcode = storeBarcode('21', cards)
    await records.create(clients, { pk: pkOf(4, cards++), user, bonusPoints, cardBarcode })
  }
}

interface Scene {
  readonly at: number
  readonly customer: string
  readonly staff: string
}

const pkOf = (kind: number, number: number): string =>
  `00000000-0000-7000-b00${kind}-${String(number).padStart(12, '0')}`

/** Gives the points that it earned. */
const insertRental = async (
  records: TransactionRecords,
  plan: Plan,
  { at, customer, staff }: Scene,
): Promise<number> => {
  const copy = await copyOf(records, plan)
  const film = await records.get(films, copy.film.pk)
  const strategy = await records.get(filmPricingStrategies, film.pricingStrategy.pk)
  const daysAfter = (days: number) => new Date(records.now.getTime() - (plan.daysAgo - days) * dayLength)
  const returned = plan.kept === null ? null : daysAfter(plan.kept)
  const by = (now: Date) => records.acting({ caller: { ...nobody, pk: staff }, now })
  const rental = await by(daysAfter(0)).create(rentals, {
    pk: pkOf(1, at),
    customer,
    inventory: copy.pk,
    days: plan.days,
    returnDate: returned?.toISOString() ?? null,
    returnedBy: returned && customer,
    bonusPoints: strategy.bonusPoints,
  })
  const about = { customer, rental: rental.pk, selfServed: false }
  const { days } = plan
  await by(daysAfter(0)).create(payments, {
    ...{ pk: pkOf(2, at), kind: 'rental', amount: rentalCost(strategy, days), days },
    ...about,
  })
  if (plan.kept !== null && returned) {
    const late = Math.max(0, plan.kept - days)
    await by(returned).create(payments, {
      ...{ pk: pkOf(3, at), kind: 'return', amount: late * strategy.dailyPrice, days: late },
      ...about,
    })
  }
  return strategy.bonusPoints
}

const copyOf = async (records: TransactionRecords, plan: Plan): Promise<Copy> => {
  const barcode = storeBarcode('20', firstFree + plan.copy)
  const copy = await records.first(filmInventoryEntries, { barcode })
  if (!copy) throw new Error(`the demo has no copy ${barcode}`)
  return copy
}
