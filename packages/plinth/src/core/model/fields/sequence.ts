// Numbers that the service gives to records, without gaps or doubles.

import { fault } from '../../fault.ts'
import type { CommonOptions, Exactly, OptionNames } from '../field-options.ts'
import { type Numbering, readNumberFormat } from '../numbering.ts'
import { ValueFault } from '../value-fault.ts'
import type { ValueType } from '../value-field.ts'
import { readPlainText } from './text.ts'
import { commonOptions, value } from './value.ts'

interface SequenceOptions extends CommonOptions {
  /** The field whose records are numbered together, such as the shop of a ticket; by default all records are. */
  readonly per?: string
  /** Of a sequence: `T-{0000}` is T-0001; `{yyyy}-{0}` is 2027-1, and begins again each year. Without it, values are numbers. */
  readonly format?: string
  /** The first number of a sequence: 1 unless given. */
  readonly start?: number
  /** The former name, so that a migration renames the column or the link table instead of adding one. */
  readonly renamedFrom?: string
  /** Adds an index for searches and sorting; `'anywhere'` also for substring search. */
  readonly indexed?: boolean | 'anywhere'
}

const sequenceOptions: OptionNames<SequenceOptions> = {
  ...commonOptions,
  per: true,
  format: true,
  start: true,
  renamedFrom: true,
  indexed: true,
}

type NumberOf<O> = O extends { readonly format: string } ? string : number

interface Owned {
  readonly required: true
  readonly serverOwned: true
}

const textType = (numbering: Numbering): ValueType<string> => ({
  name: 'sequence',
  column: 'text',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  widget: 'text',
  numbering,
  read: readPlainText(255, 1),
  readText: readPlainText(Number.POSITIVE_INFINITY, 0),
  wildcards: true,
})

const numberType = (numbering: Numbering): ValueType<number> => ({
  name: 'sequence',
  column: 'integer',
  schema: { type: 'integer' },
  widget: 'number',
  numbering,
  read: input => {
    if (typeof input !== 'number' || !Number.isSafeInteger(input)) throw new ValueFault(fault('whole_number'))
    return input
  },
  readText: text => {
    if (!/^[+-]?\d{1,15}$/.test(text)) throw new ValueFault(fault('whole_number'))
    return Number(text)
  },
  wildcards: false,
})

/**
 * A number that the service gives to each new record, without gaps or doubles: `sequence({ per: 'shop', format: 'T-{0000}' })`. The
 * number is written in the transaction of the record, so creations in one sequence follow one another.
 *
 * @example sequence({ format: 'R{yyyy}-{0000}' })
 */
export const sequence = <const O extends SequenceOptions>(options?: Exactly<O, SequenceOptions>) => {
  const own: SequenceOptions = options ?? {}
  const { per, format, start = 1 } = own
  const numbering = { per, start, format: format === undefined ? null : readNumberFormat(format) }
  const type = numbering.format ? textType(numbering) : numberType(numbering)
  const isUnique = per === undefined
  return value<NumberOf<O>, O & Owned>(
    // The type of the values follows from the options.
    type as ValueType<never>,
    { ...own, required: true, serverOwned: true, ...(isUnique && { unique: true }) },
    { ...sequenceOptions, required: true, serverOwned: true, unique: true },
  )
}
