// What renting or returning a copy costs now. Quoting changes nothing.

import { defineEndpoint, type Link, Problem, type RecordReader, type ShapeValue } from 'plinth'
import { type Film, filmPricingStrategies, films } from './catalogue.ts'
import { counterOf, findCopy, mustServe, type RentalCounter, readCode } from './counter.ts'
import { conditionField, type conditions, daysField } from './fields.ts'
import type { Copy } from './film-inventory-entries.ts'
import { localTime } from './local-time.ts'
import { daysKept, daysLate, dueDateOf, lateFee, type Pricing, rentalCost, toDecimal } from './pricing.ts'
import { badParameter } from './problems.ts'
import { type Rental, rentals } from './rentals.ts'
import { order } from './shapes.ts'

export type Condition = (typeof conditions)[number]

interface PricedCopy {
  readonly copy: Copy
  readonly film: Film
  readonly pricing: Pricing
  readonly strategy: { readonly pk: string | null; readonly name: string | null; readonly bonusPoints: number }
  /** The cost in minor units. */
  readonly cost: number
  /** The days that the cost is for: those rented, or those late. */
  readonly days: number
  readonly dueDate: string
}

export interface RentalQuote extends PricedCopy {
  readonly kind: 'rental'
}

export interface ReturnQuote extends PricedCopy {
  readonly kind: 'return'
  readonly rental: Rental
  readonly condition: Condition
  readonly replacementFee: number
  readonly daysKept: number
}

export type Quote = RentalQuote | ReturnQuote

export interface QuoteRequest {
  readonly copy: Copy
  /** Returns the days; only called when the copy is to be rented. */
  readonly days: () => number
  readonly condition: Condition
  readonly now: Date
}

export const quote = async (records: RecordReader, request: QuoteRequest): Promise<Quote> => {
  const film = await records.get(films, request.copy.film.pk)
  const { currentRental } = request.copy
  const rental = currentRental && (await records.first(rentals, { where: { pk: currentRental.pk } }))
  return rental ? quoteReturn(request, film, rental) : quoteRental(records, { ...request, film })
}

const quoteRental = async (
  records: RecordReader,
  { copy, film, days: requestedDays, now }: QuoteRequest & { film: Film },
): Promise<RentalQuote> => {
  if (!copy.available)
    throw new Problem('conflict', {
      en: `The copy is ${copy.status} and cannot be rented.`,
      de: 'Das Exemplar lässt sich in seinem Zustand nicht ausleihen.',
    })
  const strategy = await records.get(filmPricingStrategies, film.pricingStrategy.pk)
  const days = requestedDays()
  return {
    kind: 'rental',
    copy,
    film,
    pricing: strategy,
    strategy,
    cost: rentalCost(strategy, days),
    days,
    dueDate: dueDateOf(now.toISOString(), days),
  }
}

const quoteReturn = ({ copy, condition, now }: QuoteRequest, film: Film, rental: Rental): ReturnQuote => {
  const period = { rentalDate: rental.rentalDate ?? now.toISOString(), days: rental.days }
  const pricing = {
    initialPrice: rental.initialPrice ?? 0,
    daysFree: rental.daysFree ?? 0,
    dailyPrice: rental.dailyPrice ?? 0,
  }
  const late = daysLate(period, now)
  const replacementFee = condition === 'good' ? 0 : (film.replacementCost ?? 0)
  const { pricingStrategy, bonusPoints } = rental
  return {
    kind: 'return',
    copy,
    film,
    rental,
    condition,
    pricing,
    strategy: { pk: pricingStrategy?.pk ?? null, name: pricingStrategy?.label ?? null, bonusPoints },
    cost: lateFee(pricing, late) + replacementFee,
    replacementFee,
    days: late,
    daysKept: daysKept(period.rentalDate, now),
    dueDate: dueDateOf(period.rentalDate, period.days),
  }
}

/** The interface's Order, with what a counter shows beside it. */
export const toOrder = (quote: Quote, { settings }: RentalCounter): ShapeValue<typeof order.fields> => {
  const amount = (minor: number) => toDecimal(minor, settings.scale)
  const { copy, film, pricing, strategy } = quote
  return {
    inventoryId: copy.pk,
    barcode: copy.barcode,
    filmTitle: film.title,
    filmMpaa: film.mpaaRating,
    rentalId: quote.kind === 'return' ? quote.rental.pk : null,
    cost: amount(quote.cost),
    days: quote.days,
    pricingStrategy: {
      pk: strategy.pk,
      id: strategy.pk,
      name: strategy.name,
      initialPrice: amount(pricing.initialPrice),
      daysFree: pricing.daysFree,
      dailyPrice: amount(pricing.dailyPrice),
      bonusPoints: strategy.bonusPoints,
    },
    currency: settings.currency,
    dueDate: quote.dueDate,
    dueDateLocal: localTime(quote.dueDate, settings.timeZone),
    timeZone: settings.timeZone,
    ...(quote.kind === 'return' && {
      customer: toPerson(quote.rental.customer),
      daysKept: quote.daysKept,
      condition: quote.condition,
      replacementFee: amount(quote.replacementFee),
    }),
  }
}

const toPerson = ({ pk, label }: Link) => ({ pk, username: label })

export const calculateOrder = defineEndpoint({
  method: 'GET',
  path: '/api/rest/order/orders/{code}',
  id: 'calculateOrder',
  summary: 'Quote the price to rent or return a copy',
  tag: 'rental',
  params: { code: 'The pk or the barcode of the copy.' },
  access: mustServe,
  query: { days: daysField, condition: conditionField },
  answers: { 200: { about: 'The order.', value: order } },
  problems: [400, 401, 403, 404, 409],
  run: async ({ context, params, query: { days, condition }, settings }) => {
    const { records, clock } = context.platform
    const copy = await findCopy(records, readCode(params.code))
    if (!copy) throw new Problem('not_found')
    const daysToRent = (): number => {
      if (typeof days !== 'number') throw badParameter('days', days)
      return days
    }
    return toOrder(await quote(records, { copy, days: daysToRent, condition, now: clock() }), counterOf(settings))
  },
})
