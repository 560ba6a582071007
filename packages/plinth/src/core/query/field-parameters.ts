// Search by plain parameters: one that is not reserved names a field.

import { type FaultReason, fault } from '../fault.ts'
import { type Filter, isSearchableType, type Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { ValueType } from '../model/value-field.ts'
import type { View } from '../model/view.ts'
import { isNearParameter, nearParameter } from './near.ts'
import type { Parameters } from './parameters.ts'
import { note, tooCostly } from './query-faults.ts'
import { type Mention, readPath } from './query-path.ts'
import { isTextual, readValue, typeOf } from './query-value.ts'
import type { QueryScope } from './scope.ts'
import { similarParameterOf } from './similar.ts'
import { toPattern } from './wildcards.ts'
import { matchesParameter, searchParameter } from './words.ts'

const reserved = new Set([
  '_pn',
  '_ps',
  '_after',
  '_before',
  '_total',
  'filter',
  'sort',
  'pks',
  'pks[]',
  'page',
  'include',
  'explain',
  'asOf',
  'trash',
  'fields',
])
const reservedFamily = /^(?:page|filter|fields)\[/

const maxValues = 500

/** One value is equality, several are alternatives; on text `*` and `%` are wildcards, and case is ignored. */
export const readPlainParameters = (parameters: Parameters, resource: Resource, scope: QueryScope): Filter[] => {
  const filters: Filter[] = []
  const view = scope.visibility.view(resource)
  const ranking = rankingParameters(resource, view)
  for (const [name, texts] of parameters) {
    if (reserved.has(name) || reservedFamily.test(name)) continue
    if (ranking.has(name) || isNearParameter(name, view)) continue
    const filtered = readField({ parameter: name, name }, resource, scope)
    if (filtered) filters.push(toAlternatives(filtered, texts))
  }
  return filters
}

/** The parameters of resources whose records are ranked: for others they are names of fields. */
const rankingParameters = (resource: Resource, view: View): ReadonlySet<string> => {
  const { definition } = resource
  const isRanked = definition.search !== undefined || isNearParameter(nearParameter, view)
  return new Set([
    ...(definition.search ? [searchParameter] : []),
    ...similarParameterOf(resource),
    ...(isRanked ? [matchesParameter] : []),
  ])
}

/** A field that the caller searches by, and how its values are read. */
interface FilteredField {
  readonly path: Path
  readonly type: ValueType
  readonly parameter: string
  read(text: string): unknown
}

/** Returns null after noting why the field cannot be searched by. */
export const readField = (mention: Mention, resource: Resource, scope: QueryScope): FilteredField | null => {
  const path = readPath(mention, resource, scope)
  if (!path) return null
  const { parameter, name: field } = mention
  const report = (reason: FaultReason) => note(scope.faults, { parameter, member: field, ...reason })
  const type = typeOf(path.field)
  if (!isSearchableType(type)) {
    report({ ...fault('unsearchable'), message: `${field} is not searchable; remove the parameter.` })
    return null
  }
  const read = (text: string) =>
    readValue(text, type, reason => report({ ...reason, message: `${field}: ${reason.message}` }))
  return { path, type, parameter, read }
}

/** Equality with one value or any of several. */
export const toEquality = ({ path, parameter, read }: FilteredField, texts: readonly string[]): Filter => {
  if (texts.length > maxValues) {
    throw tooCostly(`'${parameter}' may have at most ${maxValues} values.`, { parameter })
  }
  const [first = ''] = texts
  return texts.length === 1 ? { op: 'eq', path, value: read(first) } : { op: 'in', path, values: texts.map(read) }
}

const toAlternatives = (filtered: FilteredField, texts: readonly string[]): Filter => {
  if (!isTextual(filtered.type)) return toEquality(filtered, texts)
  const wild: Filter[] = []
  const exact: string[] = []
  for (const raw of texts) {
    const { text, pattern } = toPattern(raw, 'wildcards')
    if (pattern.length === 1) exact.push(text)
    // Reading checks that the text holds nothing a database cannot take.
    else if (filtered.read(text) !== undefined)
      wild.push({ op: 'like', path: filtered.path, pattern, ignoreCase: true })
  }
  const parts = exact.length > 0 ? [toEquality(filtered, exact), ...wild] : wild
  return parts.length === 1 && parts[0] ? parts[0] : { op: 'or', parts }
}
