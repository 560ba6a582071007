// Holds records to the checks of their resource, once all of their values are known.

import { type FaultReason, fault } from '../fault.ts'
import { checksOf, type FieldCheck } from '../model/checks.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import { type Resource, storedValue } from '../model/resource.ts'
import { inLanguage } from '../model/words.ts'
import { type Fault, Problem } from '../problem.ts'

export interface CheckedWrite {
  readonly resource: Resource
  /** The record as it was; null for a new one. */
  readonly before: StoredRecord | null
  readonly values: Values
}

/** A record that broke a check before the check existed can still be changed in its other fields. */
export const mustPassChecks = ({ resource, before, values }: CheckedWrite): void => {
  const faults = checksOf(resource).flatMap((check): Fault[] => {
    const changed = check.fields.filter(({ name }) => before === null || name in values)
    const last = changed.at(-1)
    if (!last || check.holds(wholeOf(check, before, values))) return []
    return [{ pointer: `/${last.name}`, member: last.name, ...reasonOf(check) }]
  })
  const [first] = faults
  if (!first) return
  const detail = faults.length === 1 ? `${first.member} ${first.message}.` : `${faults.length} checks do not hold.`
  throw new Problem('invalid', { detail, errors: faults })
}

/** Does a write of these fields have to know the whole record? */
export const looksAtRecord = (resource: Resource, values: Values): boolean =>
  checksOf(resource).some(check => check.fields.some(({ name }) => name in values))

const wholeOf = (check: FieldCheck, before: StoredRecord | null, values: Values): Values =>
  Object.fromEntries(
    check.fields.map(field => {
      const { name } = field
      return [name, name in values ? values[name] : before && storedValue(field, before)]
    }),
  )

const reasonOf = ({ name, rule, message, fields }: FieldCheck): FaultReason => {
  const reason = fault('check', {
    check: name,
    fields: fields.map(field => field.name),
    rule: rule.replaceAll('record.', ''),
  })
  if (message === undefined) return reason
  return { ...reason, message: inLanguage(message, 'en'), texts: typeof message === 'string' ? {} : message }
}
