// What was taken at the counter, day by day in the calendar of the store.

import { date, defineEndpoint, fault, type RowQuery, type ShapeValue } from 'plinth'
import { counterOf, mustServe, type RentalCounter } from './counter.ts'
import { localDate } from './local-time.ts'
import { type Payment, paymentKinds, payments } from './payments.ts'
import { dayLength, toDecimal } from './pricing.ts'
import { badParameter, rentalFault } from './problems.ts'
import { takings } from './shapes.ts'

type PaymentKind = Payment['kind']

interface TakingsOfDay {
  /** What went over the counter, by kind; in minor units. */
  readonly byKind: Record<PaymentKind, number>
  /** The amount added to debts. */
  onAccount: number
  count: number
}

interface Period {
  readonly from: string
  readonly to: string
}

const longestPeriod = 366
const usualPeriod = 30

export const countTakings = defineEndpoint({
  method: 'GET',
  path: '/api/rest/order/takings',
  id: 'countTakings',
  summary: 'Read the revenue per day',
  description: 'Days are those of the time zone of the store.',
  tag: 'rental',
  access: mustServe,
  query: {
    from: date({ about: 'The first day; default: 30 days before `to`, at most 366.' }),
    to: date({ about: 'The last day; default: today.' }),
  },
  answers: { 200: takings },
  problems: [400, 401, 403],
  run: async ({ context, query, settings, now }) => {
    const counter = counterOf(settings)
    const { timeZone } = counter.settings
    const period = readPeriod(query, localDate(now.toISOString(), timeZone))
    const days = new Map(datesOf(period).map(day => [day, newDay()]))
    for await (const batch of context.platform.records.stream(payments, paidAround(period)))
      addPayments(days, batch, timeZone)
    return toTakings(days, period, counter)
  },
})

const readPeriod = (sent: { readonly [name in keyof Period]: string | null }, today: string): Period => {
  for (const name of ['from', 'to'] as const)
    if (sent[name] !== null && !isUsable(sent[name])) throw badParameter(name, fault('date'))
  const to = sent.to ?? today
  const from = sent.from ?? addDays(to, 1 - usualPeriod)
  if (from > to) throw badParameter('from', rentalFault('after_end'))
  if (from < addDays(to, 1 - longestPeriod))
    throw badParameter('from', rentalFault('max_period', { max: longestPeriod }))
  return { from, to }
}

/** Says whether a day is in years around which instants can be written. */
const isUsable = (day: string): boolean => /^[12]/.test(day)

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayLength).toISOString().slice(0, 10)

const datesOf = ({ from, to }: Period): string[] => {
  const dates = []
  for (let day = from; day <= to; day = addDays(day, 1)) dates.push(day)
  return dates
}

const newDay = (): TakingsOfDay => ({
  byKind: { adjustment: 0, rental: 0, return: 0, waiver: 0, void: 0, settlement: 0 },
  onAccount: 0,
  count: 0,
})

/** A day begins at most 14 hours before and ends at most 12 hours after that of UTC; the calendar decides within. */
const paidAround = ({ from, to }: Period): RowQuery<typeof payments> => {
  const instant = (date: string, hours: number) => new Date(Date.parse(date) + hours * 3_600_000).toISOString()
  return { where: { createdDate: { ge: instant(from, -14), lt: instant(to, 24 + 12) } }, sort: ['createdDate'] }
}

const addPayments = (days: ReadonlyMap<string, TakingsOfDay>, payments: readonly Payment[], timeZone: string): void => {
  // Reading a calendar takes much longer than adding a number, and the payments of a minute are of one day.
  const known = new Map<string, string>()
  for (const { createdDate, kind, amount, onAccount } of payments) {
    const minute = createdDate.slice(0, 16)
    const date = known.get(minute) ?? localDate(createdDate, timeZone)
    known.set(minute, date)
    const day = days.get(date)
    if (!day) continue
    day.count++
    if (onAccount) day.onAccount += amount
    else day.byKind[kind] += amount
  }
}

const toTakings = (
  days: ReadonlyMap<string, TakingsOfDay>,
  period: Period,
  { settings }: RentalCounter,
): ShapeValue<typeof takings.fields> => {
  const whole = newDay()
  for (const { byKind, onAccount, count } of days.values()) {
    for (const kind of paymentKinds) whole.byKind[kind] += byKind[kind]
    whole.onAccount += onAccount
    whole.count += count
  }
  const { currency, timeZone, scale } = settings
  const listed = [...days].map(([day, sums]) => ({ date: day, ...toSums(sums, scale) }))
  return { ...period, currency, timeZone, days: listed, ...toSums(whole, scale) }
}

const toSums = ({ byKind, onAccount, count }: TakingsOfDay, scale: number) => {
  const amounts = paymentKinds.map(kind => [kind, toDecimal(byKind[kind], scale)] as const)
  const taken = Object.values(byKind).reduce((sum, amount) => sum + amount, 0)
  return {
    taken: toDecimal(taken, scale),
    byKind: Object.fromEntries(amounts),
    onAccount: toDecimal(onAccount, scale),
    count,
  }
}
