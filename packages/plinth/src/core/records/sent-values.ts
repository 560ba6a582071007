// Values that a caller sends: whether they may be written, and which of them change anything.

import { fault } from '../fault.ts'
import { type StoredRecord, sameValue, type Values } from '../model/record.ts'
import { type Resource, storedValue } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { checkValues } from './complete.ts'
import type { RecordContext } from './context.ts'

export interface SentValues {
  readonly resource: Resource
  readonly values: Values
  /** The values come from a body, and were checked when it was read. */
  readonly isRead?: boolean
}

/**
 * Values as they are written: those that code gives are checked here, and whether the caller may write these fields. What was given stays
 * as it is, since the work may run again after a deadlock.
 */
export const toValues = (context: RecordContext, { resource, values, isRead }: SentValues): Values => {
  const written = { ...values }
  if (isRead) return written
  checkValues(resource, written)
  if (!context.isService) mustBeWritable(context, resource, written)
  return written
}

/** Problem `forbidden` when there are fields among them that the caller may not write. */
const mustBeWritable = ({ platform, caller }: RecordContext, { fields }: Resource, values: Values): void => {
  const refused = Object.keys(values).filter(name => {
    const field = fields.get(name)
    return field && !platform.access.mayWrite(field, caller)
  })
  if (refused.length === 0) return
  throw new Problem('forbidden', {
    errors: refused.map(field => ({ pointer: `/${field}`, member: field, ...fault('forbidden') })),
  })
}

/** Returns the values that differ from those of the record. */
export const changesOnly = (resource: Resource, sent: Values, before: StoredRecord): Values => {
  const changes: Values = {}
  for (const [name, value] of Object.entries(sent)) {
    const field = resource.fields.get(name)
    if (field && value !== undefined && !sameValue(value, storedValue(field, before))) changes[name] = value
  }
  return changes
}
