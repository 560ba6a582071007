// The records of a user: the user, and all that refer to the user by a field that the user may read.

import { type FileColumn, usualColumns } from '../../core/formats/files/columns.ts'
import { both, equals, everything, type Filter, type Query, toFilter } from '../../core/model/query.ts'
import { hasTable, type Resource, type ResourceField } from '../../core/model/resource.ts'
import type { Context } from '../../core/rest/context.ts'
import { users } from '../people/index.ts'

export interface OwnRecords {
  readonly resource: Resource
  readonly columns: readonly FileColumn[]
  readonly query: Query
}

const batchSize = 250

/** In the view of the user: what others have written about a user, and the user may not read, is not theirs to export. */
export const ownRecords = ({ platform, visibility, caller }: Context, user: string): readonly OwnRecords[] => {
  const { access, registry } = platform
  const person = registry.resource(users)
  return registry.resources.flatMap(resource => {
    if (resource.definition.internal || !hasTable(resource)) return []
    if (access.decide(resource, 'read', caller) === false) return []
    const view = visibility.view(resource)
    const parts = resource === person ? [equals(person.pk, user)] : namingUser([...view.fields.values()], person, user)
    if (parts.length === 0) return []
    const filter = both({ op: 'or', parts }, toFilter(access.permit(resource, 'read', caller)))
    return [{ resource, columns: usualColumns(view), query: everything(resource, filter, batchSize) }]
  })
}

const namingUser = (fields: readonly ResourceField[], person: Resource, user: string): readonly Filter[] =>
  fields.flatMap((field): readonly Filter[] => {
    if (field.target !== person) return []
    const { role } = field.definition
    if (role === 'one') return [equals(field, user)]
    const step = { relation: field, target: person, linkFilter: null }
    return role === 'links' ? [{ op: 'eq', path: { steps: [step], field: person.pk }, value: user }] : []
  })
