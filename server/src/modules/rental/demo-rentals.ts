// Past and present rentals of the demo, so that searches, overdue lists and receipts have something to show.

import type { Transaction } from '../../core/model/transaction.ts'
import { memberEquals } from './conditions.ts'
import { storeBarcode } from './demo-catalogue.ts'
import type { Copy } from './film-inventory-entries.ts'
import type { Strategy } from './film-pricing-strategies.ts'
import type { Film } from './films.ts'
import { dayLength, dueDateOf, rentalCost } from './pricing.ts'
import { findFirst } from './reading.ts'
import { openCopyOf } from './rentals.ts'
import type { RentalSettings } from './settings.ts'

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

export const demoRentals = async (tx: Transaction, settings: RentalSettings, now: Date): Promise<void> => {
  const users = tx.resource('users')
  const staff = await findFirst(tx, users, memberEquals(users, 'username', 'staff'))
  const points = new Map<string, number>()
  for (const [at, plan] of plans.entries()) {
    const customer = await findFirst(tx, users, memberEquals(users, 'username', plan.username))
    if (!customer || !staff) continue
    const earned = await insertRental(tx, plan, { settings, now, at, customer: customer.pk, staff: staff.pk })
    points.set(customer.pk, (points.get(customer.pk) ?? 0) + earned)
  }
  const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
  let cards = 0
  for (const [user, bonusPoints] of points) {
    const cardBarcode = storeBarcode('21', cards)
    const pk = pkOf(4, cards++)
    await tx.insert(tx.resource('clients'), pk, { user, bonusPoints, cardBarcode, balance: 0, ...stamps })
  }
}

interface Scene {
  readonly settings: RentalSettings
  readonly now: Date
  readonly at: number
  readonly customer: string
  readonly staff: string
}

const pkOf = (kind: number, number: number): string =>
  `00000000-0000-7000-b00${kind}-${String(number).padStart(12, '0')}`

/** Gives the points that it earned. */
const insertRental = async (tx: Transaction, plan: Plan, scene: Scene): Promise<number> => {
  const { now, at, customer, staff, settings } = scene
  const copies = tx.resource('filmInventoryEntries')
  const barcode = storeBarcode('20', firstFree + plan.copy)
  const copy = (await findFirst(tx, copies, memberEquals(copies, 'barcode', barcode))) as Copy
  const film = (await tx.get(tx.resource('films'), copy.film.pk)) as Film
  const strategy = (await tx.get(tx.resource('filmPricingStrategies'), film.pricingStrategy.pk)) as Strategy
  const daysAfter = (days: number) => new Date(now.getTime() - (plan.daysAgo - days) * dayLength).toISOString()
  const dates = { rentalDate: daysAfter(0), returnDate: plan.kept === null ? null : daysAfter(plan.kept) }
  const stamps = (date: string) => ({
    createdDate: date,
    lastModifiedDate: date,
    createdBy: staff,
    lastModifiedBy: staff,
  })
  const rental = await tx.insert(tx.resource('rentals'), pkOf(1, at), {
    customer,
    inventory: copy.pk,
    ...dates,
    days: plan.days,
    dueDate: dueDateOf(dates.rentalDate, plan.days),
    returnedBy: dates.returnDate && customer,
    pricingStrategy: strategy.pk,
    initialPrice: strategy.initialPrice,
    daysFree: strategy.daysFree,
    dailyPrice: strategy.dailyPrice,
    bonusPoints: strategy.bonusPoints,
    currency: settings.currency,
    voided: false,
    openCopy: openCopyOf({ inventory: copy.pk, ...dates }),
    ...stamps(dates.rentalDate),
  })
  if (dates.returnDate === null) await tx.update(copies, copy.pk, { currentRental: rental.pk, available: false })
  const pay = (kind: 'rental' | 'return', amount: number, days: number, date: string) =>
    tx.insert(tx.resource('payments'), pkOf(kind === 'rental' ? 2 : 3, at), {
      kind,
      amount,
      days,
      customer,
      payer: customer,
      rental: rental.pk,
      staff,
      currency: settings.currency,
      replacementFee: 0,
      selfServed: false,
      onAccount: false,
      receipt: pkOf(kind === 'rental' ? 2 : 3, at),
      ...stamps(date),
    })
  await pay('rental', rentalCost(strategy, plan.days), plan.days, dates.rentalDate)
  if (plan.kept !== null && dates.returnDate) {
    const late = Math.max(0, plan.kept - plan.days)
    await pay('return', late * strategy.dailyPrice, late, dates.returnDate)
  }
  return strategy.bonusPoints
}
