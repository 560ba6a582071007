// Holds every write to the steps of state machines, those of callers and of code alike.

import type { StoredRecord, Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { stateFields } from '../model/state-fields.ts'
import { stepFault } from '../model/state-machine.ts'
import type { Fault } from '../problem.ts'
import { invalidValues } from './complete.ts'

/** `before` is the record as it is locked, or as its version says; null for a new one. */
export const checkStates = (resource: Resource, values: Values, before: StoredRecord | null): void => {
  const fields = stateFields(resource)
  if (fields.length === 0) return
  const faults = fields.flatMap(({ name, machine }): Fault[] => {
    if (before && values[name] === undefined) return []
    const reason = stepFault(machine, before?.[name] ?? null, values[name] ?? null)
    return reason ? [{ pointer: `/${name}`, member: name, ...reason }] : []
  })
  if (faults.length > 0) throw invalidValues(resource, faults)
}
