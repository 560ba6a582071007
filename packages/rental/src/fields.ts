// The fields of the counter's bodies and parameters.

import { choice, fault, text } from 'plinth'
import { type FaultReason, referenceSchema, refPart, ValueFault, type ValueField } from 'plinth/module'
import { trimScan } from './barcodes.ts'
import { longestRental } from './pricing.ts'
import { rentalFault } from './problems.ts'

/** How a copy comes back. */
export const conditions = ['good', 'damaged', 'lost'] as const

export const conditionField = choice(conditions, { default: 'good', about: 'The condition of a returned copy.' })

export const reasonField = text({ required: true, max: 500, pattern: { is: /\S/, says: fault('required') } })

const { type: referenceType } = refPart('users')

interface ReferenceOptions {
  readonly required?: boolean
  readonly about?: string
}

/** A pk or a barcode, or an object that carries one as `pk` or `id`. */
export const reference = <const O extends ReferenceOptions>(
  options: O,
): ValueField<O extends { readonly required: true } ? string : string | null> => ({
  role: 'value',
  type: { ...referenceType, schema: referenceSchema },
  options,
  optionNames: {},
})

/** The pk or barcode of a copy, and where in the entry it stood. */
export interface CopyCode {
  readonly code: string
  readonly path: '' | '/inventoryId'
}

/** A copy by its pk or barcode; an order will do as well. */
export const copyField: ValueField<CopyCode> = {
  role: 'value',
  type: {
    ...referenceType,
    schema: { anyOf: [{ type: 'string' }, { type: 'object', properties: { inventoryId: { type: 'string' } } }] },
    read: input => {
      const inventory = inventoryOf(input)
      try {
        const code = trimScan(String(referenceType.read(inventory ?? input)))
        return { code, path: inventory === undefined ? '' : '/inventoryId' }
      } catch (error) {
        throw error instanceof ValueFault ? new ValueFault(rentalFault('copy')) : error
      }
    },
  },
  options: { required: true },
  optionNames: {},
}

const inventoryOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'inventoryId' in input ? input.inventoryId : undefined

/** Days to rent for: at least one, and one by default. Other values are a fault only where a copy is rented. */
export const daysField: ValueField<number | FaultReason> = {
  role: 'value',
  type: {
    name: 'days',
    column: 'integer',
    schema: { type: 'integer' },
    widget: 'number',
    read: toDays,
    readText: sent => (/^[+-]?\d{1,15}$/.test(sent.trim()) ? Number(sent) : sent),
    wildcards: false,
  },
  options: { default: 1, about: 'The number of days to rent; ignored for returns.' },
  optionNames: {},
}

function toDays(sent: unknown): number | FaultReason {
  if (typeof sent !== 'number' || !Number.isInteger(sent)) return fault('whole_number')
  if (sent > longestRental) return fault('max', { max: longestRental })
  return Math.max(1, sent)
}
