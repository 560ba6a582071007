// Orders: available copies are rented out, rented ones are returned, all of them or none. A body is `{customer, items: [Order],
// totalCost?}`.

import {
  defineShape,
  type Fault,
  fault,
  type InputOf,
  isAdmin,
  type Json,
  list,
  money,
  object,
  Problem,
  personalDetails,
  type Row,
  setting,
  users,
} from 'plinth'
import { showShape } from 'plinth/module'
import { trimScan } from './barcodes.ts'
import type { RentalCounter } from './counter.ts'
import {
  type CounterCall,
  type CounterTransaction,
  changeAccount,
  inCounterTransaction,
  lockAccounts,
  lockCopies,
  type PaymentsResult,
  rentOut,
  returnCopy,
  toPayments,
} from './counter-transaction.ts'
import { conditionField, daysField, reasonField, reference } from './fields.ts'
import { ageOn, localDate } from './local-time.ts'
import { sumOf, toDecimal } from './pricing.ts'
import { rentalFault, rentalProblem } from './problems.ts'
import { type Condition, type Quote, quote, toOrder } from './quote.ts'
import { currencySetting, rentalSettings } from './settings.ts'
import { order } from './shapes.ts'

export interface OrderLine {
  /** The place in the body. */
  readonly pointer: string
  readonly codeAt: string
  /** The pk or the barcode of the copy. */
  readonly code: string
  /** The rental that the line returns; null rents the copy out. */
  readonly rentalId: string | null
  readonly cost: number
  readonly days: number
  readonly condition: Condition
}

export interface Orders {
  readonly customer: string | null
  readonly lines: readonly OrderLine[]
  readonly totalCost: number | null
  /** The cash that the customer gave. */
  readonly tendered: number | null
  /** Why an administrator lets a minor have what is not for minors. */
  readonly override: string | null
}

const line = object(
  defineShape('OrderLine', {
    inventoryId: reference({ about: 'The pk or the barcode of the copy.' }),
    inventory: reference({ about: 'Instead of `inventoryId`.' }),
    rentalId: reference({ about: 'The rental that the line returns; without it, the copy is on loan.' }),
    cost: money({ currency: currencySetting, required: true, about: 'As calculated.' }),
    days: daysField,
    condition: conditionField,
  }),
)

const lines = list(line, { minItems: 1, maxItems: setting(rentalSettings, 'maxItems') })

export const ordersShape = defineShape(
  'Orders',
  {
    customer: reference({ about: 'A user: its pk, or an object with `pk`. Required for rentals.' }),
    items: lines,
    orders: lines,
    totalCost: money({ currency: currencySetting, about: 'In the currency of the store.' }),
    tendered: money({
      currency: currencySetting,
      min: 0,
      about: 'The cash that the customer gave. It is printed on the receipt.',
    }),
    override: object({ reason: reasonField }, { about: 'Administrators only: overrides the age limit.' }),
  },
  { needsOneOf: ['items', 'orders'] },
)

type SentOrders = InputOf<(typeof ordersShape)['fields']>

/** What is wrong with lines that could be read. */
export const checkOrders = ({ customer, items, orders }: Partial<SentOrders>): readonly Fault[] => {
  const name = items ? 'items' : 'orders'
  const lines = items ?? orders ?? []
  const faults = lines.flatMap(({ inventoryId, inventory, rentalId, days }, at): Fault[] => {
    const place = (field: string) => ({ pointer: `/${name}/${at}/${field}`, member: field })
    if (inventoryId === null && inventory === null) return [{ ...place('inventoryId'), ...fault('required') }]
    // A return goes by the calendar: whatever it says about days is not looked at.
    return typeof days !== 'number' && rentalId === null ? [{ ...place('days'), ...days }] : []
  })
  if (customer !== null || !lines.some(({ rentalId }) => rentalId === null)) return faults
  return [...faults, { pointer: '/customer', member: 'customer', ...fault('required') }]
}

export const toOrders = ({ customer, items, orders, totalCost, tendered, override }: SentOrders): Orders => {
  const name = items ? 'items' : 'orders'
  return {
    customer,
    totalCost,
    tendered,
    override: override?.reason ?? null,
    lines: (items ?? orders ?? []).map(({ inventoryId, inventory, rentalId, cost, days, condition }, at) => ({
      pointer: `/${name}/${at}`,
      codeAt: `/${name}/${at}/inventoryId`,
      code: trimScan(inventoryId ?? inventory ?? ''),
      rentalId,
      cost,
      days: typeof days === 'number' ? days : 1,
      condition,
    })),
  }
}

export const submitOrders = (call: CounterCall, counter: RentalCounter, orders: Orders): Promise<PaymentsResult> =>
  inCounterTransaction(call, counter, async opened => {
    const transaction = { ...opened, tendered: orders.tendered }
    const copies = await lockCopies(transaction, orders.lines)
    const customer = await readCustomer(transaction, orders.customer)
    const quotes: Quote[] = []
    for (const [at, { days, condition }] of orders.lines.entries()) {
      const copy = copies[at]
      if (!copy) continue
      quotes.push(await quote(transaction.records, { copy, days: () => days, condition, now: transaction.records.now }))
    }
    mustBeAsQuoted(orders, quotes, counter)
    mustBeEnough(orders, quotes, counter)
    await mustBeOfAge(transaction, { customer, quotes, orders })
    if (customer) await lockAccounts(transaction, [customer.pk])
    for (const one of quotes) await perform(transaction, one, { customer, remark: orders.override })
    const points = sumOf(quotes.map(one => (one.kind === 'rental' ? one.strategy.bonusPoints : 0)))
    if (customer) await changeAccount(transaction, customer.pk, { points })
    return toPayments(call.context, transaction, { customer, points })
  })

type Customer = Row<typeof users>

/** Returns null when the body names no customer, which is enough to return copies. */
const readCustomer = async ({ records }: CounterTransaction, pk: string | null): Promise<Customer | null> => {
  if (pk === null) return null
  const customer = await records.first(users, { where: { pk } })
  if (customer?.active === true) return customer
  throw new Problem('unprocessable', {
    detail: customer
      ? { en: 'The customer is not active.', de: 'Dieses Kundenkonto ist nicht aktiv.' }
      : { en: 'The customer does not exist.', de: 'Diesen Kunden gibt es nicht.' },
    errors: [{ pointer: '/customer', member: 'customer', ...rentalFault(customer ? 'inactive' : 'no_such_customer') }],
  })
}

/** Refuses to charge what the customer has not seen. */
const mustBeAsQuoted = ({ lines, totalCost }: Orders, quotes: readonly Quote[], counter: RentalCounter): void => {
  const errors: Fault[] = lines.flatMap((line, at) => {
    const quoted = quotes[at]
    return quoted ? staleness(line, quoted) : []
  })
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
    detail: {
      en: 'Prices or copies have changed since the quote. Nothing was charged.',
      de: 'Preise oder Exemplare haben sich seit dem Angebot geändert. Es wurde nichts berechnet.',
    },
    errors,
    extra: { quote: fresh },
  })
}

/** A receipt with negative change is of no use. */
const mustBeEnough = ({ tendered }: Orders, quotes: readonly Quote[], { settings }: RentalCounter): void => {
  const sum = sumOf(quotes.map(one => one.cost))
  if (tendered === null || tendered >= sum) return
  const reason = fault('min', { min: toDecimal(sum, settings.scale) })
  throw new Problem('unprocessable', {
    detail: { en: 'The customer gave less than the total.', de: 'Der Kunde hat weniger als die Summe gegeben.' },
    errors: [{ pointer: '/tendered', member: 'tendered', ...reason }],
  })
}

const staleness = ({ pointer, rentalId, cost }: OrderLine, one: Quote): Fault[] => {
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

const mustBeOfAge = async (transaction: CounterTransaction, { customer, quotes, orders }: Sale): Promise<void> => {
  const { override, lines } = orders
  const restricted = quotes.findIndex(({ kind, film }) => kind === 'rental' && film.mpaaRating === 'NC-17')
  if (override !== null && !isAdmin(transaction.records.caller)) throw new Problem('forbidden')
  if (restricted < 0 || override !== null || !customer || !(await isMinor(transaction, customer.pk))) return
  const reason = rentalFault('age')
  throw new Problem('unprocessable', {
    detail: `${quotes[restricted]?.film.title} ${reason.message}.`,
    errors: [{ pointer: lines[restricted]?.pointer ?? '', ...reason }],
  })
}

/** Says whether a customer is a minor. One whose birthday is not known is taken to be of age. */
const isMinor = async ({ records, counter: { settings } }: CounterTransaction, customer: string): Promise<boolean> => {
  const details = await records.first(personalDetails, { where: { pk: customer } })
  if (!details?.birthDay) return false
  return ageOn(localDate(records.now.toISOString(), settings.timeZone), details.birthDay) < settings.adultAge
}

const perform = (
  transaction: CounterTransaction,
  one: Quote,
  { customer, remark }: { customer: Customer | null; remark: string | null },
): Promise<void> => {
  if (one.kind === 'rental') {
    if (!customer) throw new Error('a rental without a customer was let through')
    return rentOut(transaction, one, { customer: customer.pk, remark })
  }
  const renter = one.rental.customer.pk
  const payer = customer?.pk ?? renter
  const charged = transaction.counter.settings.lateFeesTo === 'payer' ? payer : renter
  return returnCopy(transaction, one, { payer, customer: charged, onAccount: false })
}
