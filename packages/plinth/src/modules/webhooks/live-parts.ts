// What the hooks of webhooks need of the running service: the key that seals secrets, and the check of filters.

import { fault } from '../../core/fault.ts'
import type { Caller } from '../../core/model/caller.ts'
import { fieldsJudged } from '../../core/model/event-fields.ts'
import type { Filter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { readFilter } from '../../core/query/filter.ts'
import { createScope } from '../../core/query/scope.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import { authContextOf, type Seals } from '../auth/index.ts'

/** What is wrong with a filter on this resource, as the caller sees it. Events can be judged by one that is right from then on. */
export type CheckFilter = (resource: string, filter: string, caller: Caller) => readonly Fault[]

interface LiveParts {
  readonly seals: Seals
  readonly checkFilter: CheckFilter
}

/** The parts by the resource of webhooks, which each service has its own of. */
const parts = new WeakMap<Resource, LiveParts>()

export const liveParts = (resource: Resource): LiveParts => {
  const found = parts.get(resource)
  if (!found) throw new Problem('unavailable', 'The service is starting.')
  return found
}

/** Prepares the parts before the service listens. */
export const prepareLiveParts = async (service: Service, resource: Resource): Promise<void> => {
  const seals = await authContextOf(service).seals()
  parts.set(resource, { seals, checkFilter: createCheck(service.platform) })
}

const createCheck =
  ({ registry, access, store }: Platform): CheckFilter =>
  (name, text, caller) => {
    const scope = createScope(access.visibility(caller))
    const resource = registry.resource(name)
    try {
      const filter = readFilter(text, resource, scope)
      const isCheap = filter === null || staysWithin(filter)
      if (!isCheap) return [fault('limit', { message: 'must not look behind relations to many records' })]
      if (filter && scope.faults.length === 0) store.announce(resource, fieldsJudged(resource, filter))
      return scope.faults
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return error.details.errors ?? []
      throw error
    }
  }

/** Each change is judged by itself, which must not take a look at many records. */
const staysWithin = (filter: Filter): boolean => {
  switch (filter.op) {
    case 'const':
      return true
    case 'not':
      return staysWithin(filter.part)
    case 'and':
    case 'or':
      return filter.parts.every(staysWithin)
    default:
      return filter.path.steps.every(({ relation }) => relation.definition.role === 'one')
  }
}
