// Receipts: everything that was paid together, for the printer. They can be had again at any time.

import { both, everything, toFilter } from '../../core/model/query.ts'
import { Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/platform.ts'
import { memberEquals } from './conditions.ts'
import type { Counter } from './counter.ts'
import type { Copy } from './film-inventory-entries.ts'
import { localTime } from './local-time.ts'
import { sumOf } from './money.ts'
import type { Payment } from './payments.ts'
import type { Rental } from './rentals.ts'

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
export const readReceipt = async (context: Context, counter: Counter, pk: string): Promise<Receipt> => {
  const { payments, settings } = counter
  const reader = context.tx ?? context.platform.store
  const visible = toFilter(context.platform.access.permit(payments, 'read', context.caller))
  const payment = (await reader.get(payments, pk, { visible })) as Payment | null
  if (!payment) throw new Problem('not_found')
  const same = both(memberEquals(payments, 'receipt', payment.receipt), visible)
  const { records } = await reader.find(payments, everything(payments, same, 2000))
  const together = records as readonly Payment[]
  const lines = await Promise.all(together.map(one => toLine(context, counter, one)))
  const date = String(payment.createdDate)
  return {
    number: String(payment.receipt),
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

const toLine = async (context: Context, counter: Counter, payment: Payment): Promise<ReceiptLine> => {
  const { rentals, copies, settings } = counter
  const reader = context.tx ?? context.platform.store
  const rental = payment.rental && ((await reader.get(rentals, payment.rental.pk)) as Rental | null)
  const copy = rental && ((await reader.get(copies, rental.inventory.pk)) as Copy | null)
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
