// Which type of value a path leads to, which operators fit it, and how its text is read.

import type { FaultReason } from '../fault.ts'
import { integer } from '../model/fields.ts'
import type { ResourceField } from '../model/resource.ts'
import { sumType } from '../model/total-fields.ts'
import { ValueFault } from '../model/value-fault.ts'
import { isScalar, type ValueType } from '../model/value-field.ts'
import { badValue, quoted } from './query-faults.ts'

const wholeNumber = integer({}).type

/** A reference is compared as the pk that it holds, a count as a whole number, and a sum as its values. */
export const typeOf = (field: ResourceField): ValueType => {
  const { definition, target } = field
  if (definition.role === 'value') return definition.type
  return definition.role === 'one' && target ? typeOf(target.pk) : (sumType(field) ?? wholeNumber)
}

/** May `*` and `%` stand for any text? */
export const isTextual = (type: ValueType): boolean => type.wildcards || type.searchesEntries === true

export const isOrdered = (type: ValueType): boolean => isScalar(type) && type.column !== 'boolean'

/** The stored form of a text, or undefined after `report` was called with what is wrong with it. */
export const readValue = (text: string, type: ValueType, report: (reason: FaultReason) => void): unknown => {
  try {
    return type.readText(text)
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const [reason] = error.faults
    if (reason) report(badValue(text, reason, `${quoted(text)} ${reason.message}.`))
    return undefined
  }
}
