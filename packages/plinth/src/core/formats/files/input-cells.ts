// The cells of a file → what a caller would send.

import { type FaultReason, fault } from '../../fault.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { ValueFault } from '../../model/value-fault.ts'
import { type ColumnType, isScalar, valueToJson } from '../../model/value-field.ts'
import { Problem } from '../../problem.ts'
import { fromSerial } from './serial-dates.ts'

/** A cell of CSV or of a spreadsheet as JSON. What does not fit its type stays text, so that the check of values names the fault. */
export const toInput = ({ definition }: ResourceField, cell: string | number | boolean): unknown => {
  const text =
    typeof cell === 'number' && definition.role === 'value' ? toDateText(definition.type.column, cell) : String(cell)
  if (definition.role === 'links') return text.startsWith('[') ? parsed(text) : text.split(';').map(one => one.trim())
  if (definition.role !== 'value') return text
  if (!isScalar(definition.type)) return parsed(text)
  try {
    return valueToJson(definition.type, definition.type.readText(text))
  } catch (error) {
    if (error instanceof ValueFault) return text
    throw error
  }
}

/** A spreadsheet has dates as numbers. */
const toDateText = (column: ColumnType, cell: number): string =>
  (column === 'date' || column === 'timestamp' ? fromSerial(column, cell) : null) ?? String(cell)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A value that was sent → as conditions compare it; throws ValueFault. */
export const toStored = ({ definition, owner, name }: ResourceField, sent: unknown): unknown => {
  if (name === owner.pk.name || definition.role !== 'value') return String(sent)
  return definition.type.read(sent)
}

export const refusal = (column: string, reason: FaultReason): Problem =>
  new Problem('invalid', { detail: `${column} ${reason.message}.`, errors: [{ member: column, ...reason }] })

export const noSuchReference = (header: string, resource: Resource | null, count: number): Problem =>
  refusal(header, fault(count === 0 ? 'no_match' : 'several_matches', { resource: resource?.name ?? '' }))
