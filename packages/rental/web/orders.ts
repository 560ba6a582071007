// The counter's part of the service: who or what was scanned, what it costs, and submitting it.

import { containing, isProblem } from '@plinth/client'
import { get, request } from '@plinth/web'
import { type CounterPayment, client } from './service.ts'

export const conditions = ['good', 'damaged', 'lost'] as const
export type CopyCondition = (typeof conditions)[number]

interface Strategy {
  readonly name: string | null
  readonly initialPrice: number
  readonly daysFree: number
  readonly dailyPrice: number
  readonly bonusPoints: number
}

/** What renting or returning a copy costs at a moment. */
export interface OrderQuote {
  readonly inventoryId: string
  readonly barcode: string | null
  readonly filmTitle: string
  readonly filmMpaa: string
  /** The rental that ends; null when one begins. */
  readonly rentalId: string | null
  readonly cost: number
  readonly days: number
  readonly pricingStrategy: Strategy
  readonly currency: string
  readonly dueDate: string
  /** The customer who rented it, of a return. */
  readonly customer?: { readonly pk: string; readonly username: string | null }
  readonly daysKept?: number
  readonly replacementFee?: number
}

export interface Customer {
  readonly pk: string
  readonly username: string
  readonly name: string | null
  readonly active: boolean
}

export interface Payments {
  readonly items: readonly CounterPayment[]
  readonly totalCost: number
  readonly currency: string
  readonly bonusPoints: number
  readonly receipt: string
}

export const paymentKinds = ['rental', 'return', 'settlement', 'adjustment', 'waiver', 'void'] as const
export type PaymentKind = (typeof paymentKinds)[number]

export interface CounterCopy {
  readonly pk: string
  readonly barcode: string | null
  readonly film: { readonly pk: string; readonly title: string }
}

export type Found =
  | { readonly kind: 'person'; readonly person: Customer }
  | { readonly kind: 'copy'; readonly copy: CounterCopy }
  /** Nothing has this code, but these people have such a name. */
  | { readonly kind: 'people'; readonly people: readonly Customer[] }

/** A user has a username, a copy has a film. */
export const findScanned = async (code: string): Promise<Found> => {
  try {
    const found = await get<Customer | CounterCopy>(`/api/rest/filmInventoryEntries/${encodeURIComponent(code)}`)
    return 'username' in found ? { kind: 'person', person: found } : { kind: 'copy', copy: found }
  } catch (error) {
    if (!isProblem(error, 'not_found') || !/\p{L}{2}/u.test(code)) throw error
    const people = await findPeople(code)
    if (people.length === 0) throw error
    return { kind: 'people', people }
  }
}

/** Customers without their card are found by name. */
const findPeople = async (name: string): Promise<readonly Customer[]> => {
  const where = { or: [{ username: name }, { name: { ilike: containing(name) } }] }
  return (await client.users.find({ where, sort: 'name', limit: 8, total: 'none' })).items
}

export const quote = (copy: string, options: { days?: number; condition?: CopyCondition } = {}): Promise<OrderQuote> =>
  get<OrderQuote>(`/api/rest/order/orders/${encodeURIComponent(copy)}`, { query: options })

/** A submission that must happen once: sent again under the same key, it does. */
export interface Submission {
  readonly key: string
  readonly body: unknown
}

const patience = 30

/** The first request may still be running, after a reload for example: then its answer is waited for. */
export const deliver = async (path: string, { key, body }: Submission): Promise<Payments> => {
  for (let tries = 1; ; tries++) {
    try {
      return (await request<Payments>(path, { method: 'POST', body, idempotencyKey: key })).body
    } catch (error) {
      if (!isProblem(error, 'in_progress') || tries === patience) throw error
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }
}

export const receiptPk = ({ receipt }: Pick<Payments, 'receipt'>): string => receipt.slice(receipt.lastIndexOf('/') + 1)
