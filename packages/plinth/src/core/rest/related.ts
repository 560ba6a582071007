// The records that a relation leads to.

import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import { linkFiltersOf } from '../model/link-filters.ts'
import { type Filter, toFilter } from '../model/query.ts'
import type { Link, StoredRecord } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { readParameters } from '../query/parameters.ts'
import { readItemOptions } from '../query/read-query.ts'
import { wholePk } from '../records/identify.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { fetchIncluded } from './include.ts'
import { chargeInclude } from './query-budget.ts'
import { search } from './search.ts'
import type { ItemTask } from './written.ts'

/** The relation that the address names, if the caller may see it. */
export const relationOf = (
  resource: Resource,
  request: Request,
  { visibility }: Context,
): ResourceField & { readonly target: Resource } => {
  const relation = visibility.view(resource).fields.get(request.params.relation ?? '')
  if (!relation?.target) throw new Problem('not_found')
  return relation as ResourceField & { readonly target: Resource }
}

export const related = async (
  context: Context,
  { resource, request, format }: ItemTask & { readonly format: Format },
): Promise<Answer> => {
  const visible = toFilter(context.platform.access.permit(resource, 'read', context.caller))
  const relation = relationOf(resource, request, context)
  const reader = context.tx ?? context.platform.store
  const owner = await reader.get(resource, wholePk(resource, request.params.pk ?? '', context), {
    visible,
    requester: context.requester,
  })
  if (!owner) throw new Problem('not_found')
  const isToOne =
    relation.definition.role === 'one' || (relation.definition.role === 'inverse' && relation.definition.single)
  if (isToOne) return relatedOne(context, { relation, owner, request })
  return search(context, { resource: relation.target, request, format, scope: relatedTo(relation, owner) })
}

const relatedTo = ({ back, owner: { pk } }: ResourceField, owner: StoredRecord): Filter => {
  if (!back) throw new Error('a relation without a way back')
  return {
    op: 'eq',
    path: { steps: [{ relation: back, target: pk.owner, linkFilter: null }], field: pk },
    value: owner.pk,
  }
}

interface OneTask {
  readonly relation: ResourceField & { readonly target: Resource }
  readonly owner: StoredRecord
  readonly request: Request
}

const relatedOne = async (context: Context, { relation, owner, request }: OneTask): Promise<Answer> => {
  const { target } = relation
  const visible = toFilter(context.platform.access.permit(target, 'read', context.caller))
  const options = readItemOptions(readParameters(request.search), target, context.visibility)
  await chargeInclude(context, request, { options, records: 1 })
  const reader = context.tx ?? context.platform.store
  const link = owner[relation.name] as Link | null
  const linkFilters = linkFiltersOf(context.visibility.view(target), context.visibility)
  const record = link && (await reader.get(target, link.pk, { visible, linkFilters, requester: context.requester }))
  const included = record ? await fetchIncluded(context, options, [record]) : []
  return { kind: 'item', status: 200, document: { view: options.view, record, included, self: request.path } }
}
