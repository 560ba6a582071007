// Receipts: everything that was paid together, for the printer. They can be had again at any time.

import type { RecordReader } from '../../core/model/records.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { RentalCounter } from './counter.ts'
import { filmInventoryEntries } from './film-inventory-entries.ts'
import { localTime } from './local-time.ts'
import { sumOf } from './money.ts'
import { type Payment, payments } from './payments.ts'
import { rentals } from './rentals.ts'

export interface ReceiptLine {
  readonly pk: string
  readonly kind: Payment['kind']
  /** Who is charged. */
  readonly customer: string | null
  readonly film: string | null
  readonly copy: string | null
  readonly days: number
  readonly dueDate: string | null
  readonly dueDateLocal: string | null
  readonly amount: number
  readonly onAccount: boolean
  readonly reason: string | null
}

export interface Receipt {
  readonly number: string
  readonly date: string
  readonly dateLocal: string
  readonly timeZone: string
  readonly currency: string
  /** Who paid; null where the copies of several people came back together. */
  readonly customer: string | null
  readonly staff: string | null
  readonly lines: readonly ReceiptLine[]
  readonly total: number
}

/** As far as the caller may see it; 404 when that is nothing. */
export const readReceipt = async (context: Context, counter: RentalCounter, pk: string): Promise<Receipt> => {
  const { settings } = counter
  const records = recordsFor(context)
  const payment = await records.get(payments, pk)
  const number = payment.receipt ?? payment.pk
  const together = await records.find(payments, { where: { receipt: number }, limit: 2000 })
  const lines = await Promise.all(together.map(one => toLine(records.asService, counter, one)))
  const date = payment.createdDate
  return {
    number,
    date,
    dateLocal: localTime(date, settings.timeZone),
    timeZone: settings.timeZone,
    currency: payment.currency,
    customer: together.every(one => payerOf(one).pk === payerOf(payment).pk) ? payerOf(payment).label : null,
    staff: payment.staff?.label ?? null,
    lines,
    total: sumOf(together.map(one => one.amount)),
  }
}

const payerOf = ({ payer, customer }: Payment) => payer ?? customer

const toLine = async (records: RecordReader, { settings }: RentalCounter, payment: Payment): Promise<ReceiptLine> => {
  const rental = payment.rental && (await records.first(rentals, { pk: payment.rental.pk }))
  const copy = rental && (await records.first(filmInventoryEntries, { pk: rental.inventory.pk }))
  const dueDate = payment.kind === 'rental' ? (rental?.dueDate ?? null) : null
  return {
    pk: payment.pk,
    kind: payment.kind,
    customer: payment.customer.label,
    film: copy?.film.label ?? null,
    copy: copy && (copy.barcode ?? copy.pk),
    days: payment.days,
    dueDate,
    dueDateLocal: dueDate && localTime(dueDate, settings.timeZone),
    amount: payment.amount,
    onAccount: payment.onAccount,
    reason: payment.reason,
  }
}
