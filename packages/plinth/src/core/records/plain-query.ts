// The queries of code, once their types have done their work → queries of the store.

import { didYouMean } from '../model/definition-error.ts'
import { everything, type Path, type Query, type SortKey, type Step } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Visibility } from '../model/views.ts'
import { fieldNamed, type PlainWhere, stepAlong, toCondition } from './condition.ts'
import type { PlainView } from './inclusion.ts'

export interface PlainQuery extends PlainView {
  readonly where?: PlainWhere
  readonly search?: string
  readonly similar?: string
  readonly near?: Readonly<Record<string, unknown>>
  readonly sort?: string | readonly string[]
  readonly limit?: number
  readonly offset?: number
  readonly after?: StoredRecord
}

const options = [
  'where',
  'search',
  'similar',
  'near',
  'sort',
  'limit',
  'offset',
  'after',
  'fields',
  'include',
  'batchSize',
]

/** Rows that are changed or deleted are not ranked: words forgive errors, and something is always near, or alike. */
const changeOptions = options.filter(name => !['search', 'similar', 'near'].includes(name))

/** JavaScript would take conditions beside the options for none, and read all rows. */
export const checkOptions = (query: object, known: readonly string[] = options): void => {
  const unknown = Object.keys(query).find(name => !known.includes(name))
  if (unknown === undefined) return
  throw new Error(
    `unknown option '${unknown}' of a query${didYouMean(known, unknown)}; conditions go into 'where': { where: { ${unknown}: … } }`,
  )
}

/** The same for rows that are changed or deleted. */
export const checkChangeOptions = (query: object): void => checkOptions(query, changeOptions)

/** A number larger than the rows of any table. */
const unlimited = 2 ** 31 - 2

export const toQuery = (resource: Resource, plain: PlainQuery, visibility: Visibility): Query => {
  const { where, sort = [], limit = unlimited, offset = 0, after } = plain
  const query = everything(resource, toCondition(resource, where, visibility), limit)
  const chosen = [sort].flat().map(key => toSortKey(resource, key, visibility))
  const isTotal = chosen.some(({ path }) => path.steps.length === 0 && path.field === resource.pk)
  const keys = isTotal ? chosen : [...chosen, ...query.sort]
  if (!after) return { ...query, sort: keys, window: { kind: 'offset', offset, limit } }
  return { ...query, sort: keys, window: { kind: 'after', values: keys.map(key => sortValue(after, key)), limit } }
}

/** References are compared by their pks. */
const sortValue = (record: StoredRecord, { path }: SortKey): unknown => {
  if (path.steps.length > 0)
    throw new Error(`'after' cannot follow a sort by fields of related records, such as ${path.field.name}`)
  const value = record[path.field.name] ?? null
  return typeof value === 'object' && value !== null && 'pk' in value ? value.pk : value
}

const toSortKey = (resource: Resource, key: string, visibility: Visibility): SortKey => {
  const descending = key.startsWith('-')
  return { path: pathOf(resource, descending ? key.slice(1) : key, visibility), descending }
}

/** Finds the path of a field along to-one relations. */
export const pathOf = (resource: Resource, name: string, visibility: Visibility): Path => {
  const names = name.split('.')
  const last = names.pop() ?? ''
  const steps: Step[] = []
  let here = resource
  for (const relation of names) {
    const field = fieldNamed(here, relation)
    if (field.definition.role !== 'one') throw new Error(`${here.name}.${relation} leads to several records`)
    const step = stepAlong(field, visibility)
    steps.push(step)
    here = step.target
  }
  return { steps, field: fieldNamed(here, last) }
}
