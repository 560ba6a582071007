// Days and instants.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions } from '../field-options.ts'
import { ValueFault } from '../value-fault.ts'
import { fieldOptions, value } from './value.ts'

// There is no year 0 before the year 1.
const dateShape = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

const toDate = (text: string): string => {
  if (!dateShape.test(text)) throw new ValueFault(fault('date'))
  const time = Date.parse(`${text}T00:00:00Z`)
  // Date.parse rolls 31 February over to March; a true date comes back as it went in.
  if (Number.isNaN(time) || time < firstInstant || new Date(time).toISOString().slice(0, 10) !== text)
    throw new ValueFault(fault('no_such_day'))
  return text
}

const toInstant = (text: string): string => {
  if (!instantShape.test(text)) throw new ValueFault(fault('timestamp'))
  toDate(text.slice(0, 10))
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new ValueFault(fault('timestamp'))
  return instantOf(time)
}

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')
const instantOf = (milliseconds: number): string => {
  if (milliseconds < firstInstant || milliseconds > lastInstant) throw new ValueFault(fault('years'))
  return new Date(milliseconds).toISOString()
}

/**
 * A calendar day, `yyyy-MM-dd`.
 *
 * @example date({ required: true, indexed: true })
 */
export const date = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O>(
    {
      name: 'date',
      column: 'date',
      schema: { type: 'string', format: 'date' },
      widget: 'date',
      read: input => {
        if (typeof input !== 'string') throw new ValueFault(fault('date'))
        return toDate(input)
      },
      readText: toDate,
      wildcards: false,
    },
    options ?? {},
    fieldOptions,
  )

/**
 * An instant in UTC with milliseconds. Epoch milliseconds and other offsets are understood.
 *
 * @example timestamp({ serverOwned: true })
 */
export const timestamp = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O>(
    {
      name: 'timestamp',
      column: 'timestamp',
      schema: { type: 'string', format: 'date-time' },
      widget: 'datetime',
      read: input => {
        if (typeof input === 'number' && Number.isInteger(input)) return instantOf(input)
        if (typeof input !== 'string') throw new ValueFault(fault('timestamp'))
        return toInstant(input)
      },
      // A plus sign that was not percent-encoded arrives as a blank.
      readText: text => (/^-?\d{1,15}$/.test(text) ? instantOf(Number(text)) : toInstant(text.replace(' ', '+'))),
      wildcards: false,
    },
    options ?? {},
    fieldOptions,
  )
