// What all readers of one query share: what the caller may see, and the faults found so far.

import type { Filter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { Visibility } from '../model/views.ts'
import type { Fault } from '../problem.ts'

export interface QueryScope {
  readonly visibility: Visibility
  /** Noted while reading; the request is refused at the end with all of them. */
  readonly faults: Fault[]
  /** The relations that criteria and sort follow, by the names that lead there. */
  readonly ways: Set<string>
}

/** Asks for the visible records once for each resource, so that equal steps have one link filter and the store one join. */
export const createScope = (visibility: Visibility): QueryScope => {
  const known = new Map<Resource, boolean | Filter>()
  const records = (resource: Resource): boolean | Filter => {
    const seen = known.get(resource) ?? visibility.records(resource)
    known.set(resource, seen)
    return seen
  }
  return { visibility: { records, view: resource => visibility.view(resource) }, faults: [], ways: new Set() }
}
