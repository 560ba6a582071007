// Orders as the client sends them back: `{customer, items: [Order], totalCost?}`.

import { fault } from '../../core/fault.ts'
import { money } from '../../core/model/fields.ts'
import { defineShape, type InputOf, list, object } from '../../core/model/shape.ts'
import type { Fault } from '../../core/problem.ts'
import { trimScan } from './barcodes.ts'
import { conditionField, daysField, reasonField, reference } from './fields.ts'
import type { Condition } from './quote.ts'
import type { RentalSettings } from './settings.ts'

export interface Line {
  /** Where it stood in the body. */
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
  readonly lines: readonly Line[]
  readonly totalCost: number | null
  /** Why an administrator lets a minor have what is not for minors. */
  readonly override: string | null
}

export const ordersShape = ({ scale, maxItems }: RentalSettings) => {
  const line = object(
    defineShape('OrderLine', {
      inventoryId: reference({ about: 'The pk or the barcode of the copy.' }),
      inventory: reference({ about: 'In place of `inventoryId`.' }),
      rentalId: reference({ about: 'The rental that the line returns; without it, the copy is rented.' }),
      cost: money({ scale, required: true, about: 'As calculated.' }),
      days: daysField,
      condition: conditionField,
    }),
  )
  const lines = list(line, { minItems: 1, maxItems })
  return defineShape(
    'Orders',
    {
      customer: reference({ about: 'A user: its pk, or an object with `pk`. Needed to rent.' }),
      items: lines,
      orders: lines,
      totalCost: money({ scale, about: 'In the currency of the store.' }),
      override: object({ reason: reasonField }, { about: 'By administrators only: sets the age rule aside.' }),
    },
    { needsOneOf: ['items', 'orders'] },
  )
}

type SentOrders = InputOf<ReturnType<typeof ordersShape>['fields']>

/** What is wrong with lines that could be read. */
export const checkOrders = ({ customer, items, orders }: Partial<SentOrders>): readonly Fault[] => {
  const name = items ? 'items' : 'orders'
  const lines = items ?? orders ?? []
  const faults = lines.flatMap(({ inventoryId, inventory, rentalId, days }, at): Fault[] => {
    const place = (member: string) => ({ pointer: `/${name}/${at}/${member}`, member })
    if (inventoryId === null && inventory === null) return [{ ...place('inventoryId'), ...fault('required') }]
    // A return goes by the calendar: whatever it says about days is not looked at.
    return typeof days !== 'number' && rentalId === null ? [{ ...place('days'), ...days }] : []
  })
  if (customer !== null || !lines.some(({ rentalId }) => rentalId === null)) return faults
  return [...faults, { pointer: '/customer', member: 'customer', ...fault('required') }]
}

export const toOrders = ({ customer, items, orders, totalCost, override }: SentOrders): Orders => {
  const name = items ? 'items' : 'orders'
  return {
    customer,
    totalCost,
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
