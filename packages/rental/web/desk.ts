// What lies on the desk: a customer and lines, then a submission on its way, then what came of it.

import type { ProblemFault } from '@plinth/client'
import { readAmount, sumOf } from './money.ts'
import type { CopyCondition, Customer, OrderQuote, Payments, Submission } from './orders.ts'
import { receiptPk } from './orders.ts'

export interface DeskLine {
  readonly order: OrderQuote
  /** The price or state that the customer saw before; null when there is nothing new to accept. */
  readonly was: OrderQuote | null
  /** The requested days; the order says so too once its price has arrived. */
  readonly days: number
  readonly condition: CopyCondition
  /** Why the service did not take it. */
  readonly fault: ProblemFault | null
}

export interface CompletedOrder {
  readonly receipt: string
  readonly total: number
  readonly currency: string
  readonly tendered: number | null
  readonly points: number
  readonly customer: string | null
}

export interface Desk {
  readonly customer: Customer | null
  readonly lines: readonly DeskLine[]
  /** The amount as typed. */
  readonly tendered: string
  /** The submission on its way: kept before it is sent, so that a reload sends the very same. */
  readonly submission: Submission | null
  readonly done: CompletedOrder | null
}

export const emptyDesk: Desk = { customer: null, lines: [], tendered: '', submission: null, done: null }

export const isEmpty = ({ customer, lines, done }: Desk): boolean => !customer && lines.length === 0 && !done

export const isReturn = ({ order }: Pick<DeskLine, 'order'>): boolean => order.rentalId !== null

/** Says whether the price of the requested days is still to come. */
export const isPending = (line: DeskLine): boolean => !isReturn(line) && line.days !== line.order.days

export const currencyOf = ({ lines }: Desk): string | undefined => lines[0]?.order.currency

export const totalOf = (desk: Desk): number =>
  sumOf(
    desk.lines.map(({ order }) => order.cost),
    currencyOf(desk) ?? 'EUR',
  )

/** Returns null when nothing was typed, undefined when it is not an amount. */
export const tenderedOf = (desk: Desk): number | null | undefined =>
  readAmount(desk.tendered, currencyOf(desk) ?? 'EUR')

export const changeOf = (desk: Desk): number | null => {
  const tendered = tenderedOf(desk)
  return typeof tendered === 'number' ? sumOf([tendered, -totalOf(desk)], currencyOf(desk) ?? 'EUR') : null
}

/** Why it cannot be submitted yet. */
export type Obstacle = 'noLines' | 'noCustomer' | 'inactive' | 'changed' | 'notAnAmount' | 'tooLittle'

export const obstacleOf = (desk: Desk): Obstacle | null => {
  const { lines, customer } = desk
  const rents = lines.some(line => !isReturn(line))
  if (lines.length === 0) return 'noLines'
  if (rents && !customer) return 'noCustomer'
  if (customer && !customer.active) return 'inactive'
  if (lines.some(({ was }) => was !== null)) return 'changed'
  if (tenderedOf(desk) === undefined) return 'notAnAmount'
  return (changeOf(desk) ?? 0) < 0 ? 'tooLittle' : null
}

export const newLine = (order: OrderQuote): DeskLine => ({
  order,
  was: null,
  days: order.days,
  condition: 'good',
  fault: null,
})

export const hasCopy = ({ lines }: Desk, copy: string): boolean => lines.some(({ order }) => order.inventoryId === copy)

export const withLine = (desk: Desk, line: DeskLine): Desk =>
  hasCopy(desk, line.order.inventoryId) ? desk : { ...desk, done: null, lines: [...desk.lines, line] }

export const withoutLine = (desk: Desk, copy: string): Desk => ({
  ...desk,
  lines: desk.lines.filter(({ order }) => order.inventoryId !== copy),
})

export const changeLine = (desk: Desk, copy: string, change: (line: DeskLine) => DeskLine): Desk => ({
  ...desk,
  lines: desk.lines.map(line => (line.order.inventoryId === copy ? change(line) : line)),
})

/** A price that the clerk asked for is simply shown; a copy that was rented or returned since must be checked. */
export const requoted = (line: DeskLine, order: OrderQuote): DeskLine => ({
  ...line,
  order,
  was: order.rentalId === line.order.rentalId ? line.was : (line.was ?? line.order),
  days: order.rentalId === null && line.order.rentalId === null ? line.days : order.days,
  fault: null,
})

/** The service found other prices or states than those submitted, and charged nothing. */
export const withFreshQuote = (desk: Desk, fresh: readonly OrderQuote[]): Desk => ({
  ...desk,
  submission: null,
  lines: desk.lines.map((line, at) => {
    const order = fresh[at]
    if (!order || (order.cost === line.order.cost && order.rentalId === line.order.rentalId)) return line
    return { ...line, order, was: line.order, days: order.days }
  }),
})

export const accepted = (desk: Desk): Desk => ({
  ...desk,
  lines: desk.lines.map(line => ({ ...line, was: null })),
})

/** Each fault at the line that it points to. */
export const withFaults = (desk: Desk, faults: readonly ProblemFault[]): Desk => ({
  ...desk,
  submission: null,
  lines: desk.lines.map((line, at) => ({
    ...line,
    fault: faults.find(({ pointer = '' }) => pointer.split('/')[2] === String(at)) ?? null,
  })),
})

export const toOrders = (desk: Desk, override: string | null) => ({
  ...(desk.customer && { customer: desk.customer.pk }),
  items: desk.lines.map(({ order, condition }) => ({
    inventoryId: order.inventoryId,
    rentalId: order.rentalId,
    cost: order.cost,
    days: order.days,
    ...(order.rentalId !== null && { condition }),
  })),
  totalCost: totalOf(desk),
  ...(typeof tenderedOf(desk) === 'number' && { tendered: tenderedOf(desk) }),
  ...(override !== null && { override: { reason: override } }),
})

/** Completes the desk, unless another answer to the same submission was first. */
export const completed = (desk: Desk, key: string, payments: Payments): Desk => {
  if (desk.submission?.key !== key) return desk
  const { totalCost: total, currency, bonusPoints: points } = payments
  const tendered = tenderedOf(desk) ?? null
  const customer = desk.customer && nameOf(desk.customer)
  return { ...emptyDesk, done: { receipt: receiptPk(payments), total, currency, tendered, points, customer } }
}

export const nameOf = ({ name, username }: Pick<Customer, 'name' | 'username'>): string => name || username
