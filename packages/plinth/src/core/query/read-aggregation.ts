// The parameters of a request for aggregates → what is grouped, computed and shown.

import { fault } from '../fault.ts'
import {
  type Aggregation,
  aggregateFunctions,
  type GroupKey,
  type GroupSort,
  isMeasure,
  type Measure,
  maxGroups,
} from '../model/aggregation.ts'
import type { Filter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { isTimeZone } from '../model/time-buckets.ts'
import { Problem } from '../problem.ts'
import { type GroupColumn, keyColumn, measureColumn, measureName } from './group-columns.ts'
import { readHaving } from './group-condition.ts'
import { namesIn, readFieldMeasure, readGroupKey, readMeasure, unknownMeasure } from './measures.ts'
import { type PageRequest, readPaging, startNames } from './paging.ts'
import { type Parameters, single } from './parameters.ts'
import { badParameter, note, refuse, tooCostly } from './query-faults.ts'
import { readCriteria, readExplain, type SearchContext } from './read-query.ts'
import { createScope, type QueryScope } from './scope.ts'

/** What a caller asks of the groups of a resource. */
export interface GroupSearch {
  readonly resource: Resource
  readonly aggregation: Aggregation
  /** The columns of its groups and then of its measures. */
  readonly columns: readonly GroupColumn[]
  readonly paging: PageRequest
  readonly explains: boolean
}

const maxKeys = 6
const maxMeasures = 20

/** The parameters that are not about single records. */
const own = ['group', 'count', ...aggregateFunctions, 'having', 'timezone'] as const

/** Parameters of lists that have no meaning here. To ignore them would give other numbers than expected. */
const foreign = ['include', 'fields', 'pks', 'pks[]', 'asOf', 'trash', 'page'] as const

const isCursor: ReadonlySet<string> = new Set(startNames.filter(name => /after|before/.test(name)))

export const readAggregation = (parameters: Parameters, resource: Resource, context: SearchContext): GroupSearch => {
  const scope = createScope(context.visibility)
  const { faults } = scope
  refuseForeign(parameters, scope)
  const explains = readExplain(parameters, scope)
  const group = readGroup(parameters, resource, scope)
  const measures = readMeasures(parameters, resource, scope)
  if (group.length + measures.length === 0 && faults.length === 0)
    note(faults, {
      parameter: 'group',
      ...fault('nothing_to_compute', { known: ['group', 'count', ...aggregateFunctions] }),
    })
  const filters = readCriteria(withoutOwn(parameters), resource, scope)
  const having = single(parameters, 'having', faults)?.trim()
  const condition = having ? readHaving(having, resource, scope) : null
  const sort = readSort(single(parameters, 'sort', faults), { group, measures, resource, scope })
  const { timeZone = 'UTC', paging, window } = readPage(parameters, context, scope)
  if (faults.length > 0) refuse(faults)
  const aggregation: Aggregation = {
    filter: conjunction(filters),
    ...{ group, measures, having: condition, sort, timeZone },
    window,
    total: paging.total !== 'none',
    smallestGroup: resource.definition.smallestGroup ?? 1,
  }
  const columns = [...group.map(keyColumn), ...measures.map(measureColumn)]
  return { resource, aggregation, columns, paging, explains }
}

interface PageOfGroups extends Pick<Aggregation, 'window'> {
  readonly paging: PageRequest
  readonly timeZone: string | undefined
}

const readPage = (parameters: Parameters, context: SearchContext, scope: QueryScope): PageOfGroups => {
  const timeZone = readTimeZone(single(parameters, 'timezone', scope.faults), scope)
  const paging = readPaging(parameters, context, scope.faults)
  const { start, size } = paging
  const offset = start.by === 'number' ? start.number * size : start.by === 'offset' ? start.offset : 0
  return { timeZone, paging, window: { offset, limit: size } }
}

/** What callers may add to groups that are declared: a filter, a page and a time zone. */
export interface GroupPage extends PageOfGroups, Pick<Aggregation, 'filter' | 'total'> {
  readonly explains: boolean
}

export const readGroupPage = (parameters: Parameters, resource: Resource, context: SearchContext): GroupPage => {
  const scope = createScope(context.visibility)
  refuseForeign(parameters, scope)
  for (const name of [...own, 'sort'])
    if (name !== 'timezone' && parameters.has(name))
      note(scope.faults, { parameter: name, ...fault('not_of_groups', { parameter: name }) })
  const explains = readExplain(parameters, scope)
  const filter = conjunction(readCriteria(withoutOwn(parameters), resource, scope))
  const page = readPage(parameters, context, scope)
  if (scope.faults.length > 0) refuse(scope.faults)
  return { ...page, filter, explains, total: page.paging.total !== 'none' }
}

const conjunction = (filters: readonly Filter[]): Filter | null =>
  filters.length > 1 ? { op: 'and', parts: filters } : (filters[0] ?? null)

const refuseForeign = (parameters: Parameters, { faults }: QueryScope): void => {
  for (const parameter of parameters.keys()) {
    if (!foreign.some(name => name === parameter) && !isCursor.has(parameter) && !parameter.startsWith('fields['))
      continue
    note(faults, { parameter, ...fault('not_of_groups', { parameter }) })
  }
}

const withoutOwn = (parameters: Parameters): Parameters =>
  new Map([...parameters].filter(([name]) => !own.some(one => one === name)))

const readGroup = (parameters: Parameters, resource: Resource, scope: QueryScope): readonly GroupKey[] => {
  const keys = new Map<string, GroupKey>()
  for (const mention of namesIn('group', single(parameters, 'group', scope.faults) ?? '')) {
    const key = readGroupKey(mention, resource, scope)
    if (key) keys.set(key.name, keys.get(key.name) ?? key)
    if (keys.size > maxKeys) throw tooCostly(`'group' may name at most ${maxKeys} fields.`, { parameter: 'group' })
  }
  return [...keys.values()]
}

const readMeasures = (parameters: Parameters, resource: Resource, scope: QueryScope): readonly Measure[] => {
  const measures = new Map<string, Measure>()
  const count = single(parameters, 'count', scope.faults)
  if (count !== undefined && count !== 'false') {
    if (count === '' || count === 'true') measures.set('count', { kind: 'count' })
    else note(scope.faults, badParameter('count', count, fault('boolean')))
  }
  for (const kind of aggregateFunctions) {
    for (const mention of namesIn(kind, single(parameters, kind, scope.faults) ?? '')) {
      const measure = readFieldMeasure(kind, mention, { resource, scope })
      if (measure) measures.set(measureName(measure), measure)
      if (measures.size > maxMeasures)
        throw tooCostly(`At most ${maxMeasures} numbers can be computed of each group.`, { parameter: kind })
    }
  }
  return [...measures.values()]
}

interface Sortable {
  readonly group: readonly GroupKey[]
  readonly measures: readonly Measure[]
  readonly resource: Resource
  readonly scope: QueryScope
}

/** `-sum.total,createdDate:month`: names of groups, and of measures whether they are shown or not. */
const readSort = (text: string | undefined, { group, measures, resource, scope }: Sortable): readonly GroupSort[] => {
  const sort: GroupSort[] = []
  for (const mention of namesIn('sort', text ?? '')) {
    const isSigned = /^[+-]/.test(mention.name)
    const name = isSigned ? mention.name.slice(1).trimStart() : mention.name
    const position = (mention.position ?? 0) + mention.name.length - name.length
    const column = [...measures, ...group].find(one => (isMeasure(one) ? measureName(one) : one.name) === name)
    const before = scope.faults.length
    const by = column ?? readMeasure({ parameter: 'sort', name, position }, resource, scope)
    if (by) sort.push({ by, descending: mention.name.startsWith('-') })
    else if (scope.faults.length === before)
      note(scope.faults, { parameter: 'sort', member: name, position, ...unknownMeasure(name) })
    if (sort.length > maxKeys + maxMeasures) throw tooCostly("'sort' names too many fields.", { parameter: 'sort' })
  }
  return endingWith(group, sort)
}

/** The order is total only by all keys of the groups. */
export const endingWith = (group: readonly GroupKey[], sort: readonly GroupSort[]): readonly GroupSort[] => [
  ...sort,
  ...group.filter(key => sort.every(({ by }) => by !== key)).map(by => ({ by, descending: false })),
]

const readTimeZone = (text: string | undefined, { faults }: QueryScope): string | undefined => {
  if (text === undefined || isTimeZone(text)) return text
  note(faults, badParameter('timezone', text, fault('time_zone')))
  return undefined
}

export const tooManyGroups = (): Problem =>
  new Problem(
    'too_costly',
    `There are more than ${maxGroups} groups: add a filter, group by longer periods or by fewer fields, or read page by page.`,
  )
