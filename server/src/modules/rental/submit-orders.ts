// Submission: what is available is rented, what is rented is returned, all of it or nothing.

import { isAdmin } from '../../core/model/caller.ts'
import type { Json } from '../../core/model/json.ts'
import type { Row } from '../../core/model/row.ts'
import { showShape } from '../../core/model/shape.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/platform.ts'
import { personalDetails, users } from '../people/index.ts'
import { takeBack, takeOut } from './acts.ts'
import type { RentalCounter } from './counter.ts'
import { rentalFault, rentalProblem } from './faults.ts'
import { atDesk, type CounterTransaction, changeAccount, holdAccounts } from './ledger.ts'
import { ageOn, localDate } from './local-time.ts'
import { lockCopies } from './lock-copies.ts'
import { sumOf, toDecimal } from './money.ts'
import type { Line, Orders } from './orders.ts'
import { type Submitted, toPayments } from './payments-answer.ts'
import { type Quote, quote, toOrder } from './quote.ts'
import { order } from './shapes.ts'

export const submitOrders = (context: Context, counter: RentalCounter, orders: Orders): Promise<Submitted> =>
  atDesk(context, counter, async desk => {
    const copies = await lockCopies(desk, orders.lines)
    const customer = await readCustomer(desk, orders.customer)
    const quotes: Quote[] = []
    for (const [at, copy] of copies.entries()) {
      const { days, condition } = orders.lines[at] as Line
      quotes.push(await quote(desk.records, { copy, days: () => days, condition, now: desk.records.now }))
    }
    mustBeAsQuoted(orders, quotes, counter)
    await mustBeOfAge(desk, { customer, quotes, orders })
    if (customer) await holdAccounts(desk, [customer.pk])
    for (const one of quotes) await perform(desk, one, { customer, remark: orders.override })
    const points = sumOf(quotes.map(one => (one.kind === 'rental' ? one.strategy.bonusPoints : 0)))
    if (customer) await changeAccount(desk, customer.pk, { points })
    return toPayments(context, desk, { customer, points })
  })

type Customer = Row<typeof users>

/** Null when the body names nobody, which is enough to return copies. */
const readCustomer = async ({ records }: CounterTransaction, pk: string | null): Promise<Customer | null> => {
  if (pk === null) return null
  const customer = await records.first(users, { pk })
  if (customer?.active === true) return customer
  throw new Problem('unprocessable', {
    detail: `The customer ${customer ? 'is not active' : 'does not exist'}.`,
    errors: [{ pointer: '/customer', member: 'customer', ...rentalFault(customer ? 'inactive' : 'no_such_customer') }],
  })
}

/** Nothing is charged that the customer has not seen. */
const mustBeAsQuoted = ({ lines, totalCost }: Orders, quotes: readonly Quote[], counter: RentalCounter): void => {
  const errors: Fault[] = quotes.flatMap((one, at) => staleness(lines[at] as Line, one))
  const sum = sumOf(quotes.map(one => one.cost))
  if (errors.length === 0 && totalCost !== null && totalCost !== sum)
    errors.push({ pointer: '/totalCost', member: 'totalCost', ...rentalFault('wrong_sum') })
  if (errors.length === 0) return
  const fresh: Json = {
    items: quotes.map(one => showShape(order.fields, toOrder(one, counter))),
    totalCost: toDecimal(sum, counter.settings.scale),
    currency: counter.settings.currency,
  }
  throw rentalProblem('quote_changed', {
    detail: 'Not everything is as it was quoted; nothing was charged.',
    errors,
    extra: { quote: fresh },
  })
}

const staleness = ({ pointer, rentalId, cost }: Line, one: Quote): Fault[] => {
  const present = one.kind === 'return' ? one.rental.pk : null
  if (rentalId !== present) {
    const reason = rentalFault(present === null ? 'not_rented' : 'rented')
    return [{ pointer: `${pointer}/rentalId`, member: 'rentalId', ...reason }]
  }
  return cost === one.cost ? [] : [{ pointer: `${pointer}/cost`, member: 'cost', ...rentalFault('price_changed') }]
}

interface Sale {
  readonly customer: Customer | null
  readonly quotes: readonly Quote[]
  readonly orders: Orders
}

const mustBeOfAge = async (desk: CounterTransaction, { customer, quotes, orders }: Sale): Promise<void> => {
  const { override, lines } = orders
  const restricted = quotes.findIndex(({ kind, film }) => kind === 'rental' && film.mpaaRating === 'NC-17')
  if (override !== null && !isAdmin(desk.records.caller)) throw new Problem('forbidden')
  if (restricted < 0 || override !== null || !customer || !(await isMinor(desk, customer.pk))) return
  const reason = rentalFault('age')
  throw new Problem('unprocessable', {
    detail: `${quotes[restricted]?.film.title} ${reason.message}.`,
    errors: [{ pointer: lines[restricted]?.pointer ?? '', ...reason }],
  })
}

/** Whose birthday is not known is taken to be of age. */
const isMinor = async ({ records, counter: { settings } }: CounterTransaction, customer: string): Promise<boolean> => {
  const details = await records.first(personalDetails, { pk: customer })
  if (!details?.birthDay) return false
  return ageOn(localDate(records.now.toISOString(), settings.timeZone), details.birthDay) < settings.adultAge
}

const perform = (
  desk: CounterTransaction,
  one: Quote,
  { customer, remark }: { customer: Customer | null; remark: string | null },
): Promise<void> => {
  if (one.kind === 'rental') {
    if (!customer) throw new Error('a rental without a customer was let through')
    return takeOut(desk, one, { customer: customer.pk, remark })
  }
  const renter = one.rental.customer.pk
  const payer = customer?.pk ?? renter
  const charged = desk.counter.settings.lateFeesTo === 'payer' ? payer : renter
  return takeBack(desk, one, { payer, customer: charged, onAccount: false })
}
