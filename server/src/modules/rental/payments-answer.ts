// The interface's Payments: what a submission led to.

import { formatsByName } from '../../core/formats/index.ts'
import type { JsonMembers } from '../../core/model/json.ts'
import type { Row } from '../../core/model/row.ts'
import type { ShapeValue } from '../../core/model/shape.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { users } from '../people/index.ts'
import type { CounterTransaction } from './ledger.ts'
import { sumOf, toDecimal } from './money.ts'
import { type Payment, payments as paymentsOf } from './payments.ts'
import type { paymentsShape } from './shapes.ts'

/** Written once the address of the caller is known. */
export type Submitted = (base: string) => ShapeValue<typeof paymentsShape.fields>

export interface Outcome {
  readonly customer: Row<typeof users> | null
  readonly points: number
}

export const toPayments = (context: Context, desk: CounterTransaction, { customer, points }: Outcome): Submitted => {
  const { counter, payments, receipt } = desk
  const { scale, currency } = counter.settings
  return base => ({
    items: payments.map(payment => toJson(context, payment, base)),
    totalCost: toDecimal(sumOf(payments.map(payment => payment.amount)), scale),
    currency,
    customer: customer && { pk: customer.pk, username: customer.username },
    bonusPoints: points,
    receipt: `${base}/api/rest/order/receipts/${receipt}`,
  })

  function toJson({ visibility }: Context, record: Payment, base: string): JsonMembers {
    const document = { view: visibility.view(counter.platform.registry.resource(paymentsOf)), record, included: [] }
    return JSON.parse(formatsByName.json.item(document, base)) as JsonMembers
  }
}
