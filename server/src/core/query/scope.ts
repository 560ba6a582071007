// What every reader of one query shares.

import type { Filter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { Sight } from '../model/sight.ts'
import type { Fault } from '../problem.ts'

export interface Scope {
  readonly sight: Sight
  /** Noted while reading; the request is refused at the end with all of them. */
  readonly faults: Fault[]
  /** The relations that criteria and sort follow, by the names that lead there. */
  readonly ways: Set<string>
}

/** Asks for the records in sight once for each resource, so that equal steps have one guard and the store one join. */
export const createScope = (sight: Sight): Scope => {
  const known = new Map<Resource, boolean | Filter>()
  const records = (resource: Resource): boolean | Filter => {
    const seen = known.get(resource) ?? sight.records(resource)
    known.set(resource, seen)
    return seen
  }
  return { sight: { records, view: resource => sight.view(resource) }, faults: [], ways: new Set() }
}
