// Search by parameters: one that is not reserved names a member.

import { type FaultReason, fault } from '../fault.ts'
import { isSearchableType, type ValueType } from '../model/field.ts'
import type { Filter, Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { isTextual, type Mention, readPath, readValue, typeOf } from './member-path.ts'
import type { Parameters } from './parameters.ts'
import { toPattern } from './rsql-text.ts'
import { excerpt, note, type QueryScope, tooCostly } from './scope.ts'

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
  'fields',
])
const reservedFamily = /^(?:page|filter|fields)\[/

const maxValues = 500

/** One value is equality, several are alternatives; on text `*` and `%` are wildcards, and case is ignored. */
export const readPlainParameters = (parameters: Parameters, resource: Resource, scope: QueryScope): Filter[] => {
  const filters: Filter[] = []
  for (const [name, texts] of parameters) {
    if (reserved.has(name) || reservedFamily.test(name)) continue
    const asked = readMember({ parameter: name, name }, resource, scope)
    if (asked) filters.push(toAlternatives(asked, texts))
  }
  return filters
}

/** A member that the caller searches by, and how its values are read. */
interface FilteredMember {
  readonly path: Path
  readonly type: ValueType
  readonly parameter: string
  read(text: string): unknown
}

/** Null after noting why the member cannot be searched by. */
const readMember = (mention: Mention, resource: Resource, scope: QueryScope): FilteredMember | null => {
  const path = readPath(mention, resource, scope)
  if (!path) return null
  const { parameter, name: member } = mention
  const report = (reason: FaultReason) => note(scope.faults, { parameter, member, ...reason })
  const type = typeOf(path.member)
  if (!isSearchableType(type)) {
    report({ ...fault('unsearchable'), message: `${member} cannot be searched; leave the parameter out.` })
    return null
  }
  const read = (text: string) =>
    readValue(text, type, reason => report({ ...reason, message: `${member}: ${reason.message}` }))
  return { path, type, parameter, read }
}

/** Equality with one value or any of several. */
const toEquality = ({ path, parameter, read }: FilteredMember, texts: readonly string[]): Filter => {
  if (texts.length > maxValues) {
    throw tooCostly(`'${parameter}' may have at most ${maxValues} values.`, { parameter })
  }
  const [first = ''] = texts
  return texts.length === 1 ? { op: 'eq', path, value: read(first) } : { op: 'in', path, values: texts.map(read) }
}

const toAlternatives = (asked: FilteredMember, texts: readonly string[]): Filter => {
  if (!isTextual(asked.type)) return toEquality(asked, texts)
  const wild: Filter[] = []
  const exact: string[] = []
  for (const raw of texts) {
    const { text, pattern } = toPattern(raw, 'wildcards')
    if (pattern.length === 1) exact.push(text)
    // Reading checks that the text holds nothing a database cannot take.
    else if (asked.read(text) !== undefined) wild.push({ op: 'like', path: asked.path, pattern, ignoreCase: true })
  }
  const parts = exact.length > 0 ? [toEquality(asked, exact), ...wild] : wild
  return parts.length === 1 && parts[0] ? parts[0] : { op: 'or', parts }
}

// `filter[member]=value` and `filter[member][]=value`, as JSON:API clients send them: equality, or any of several

const shape = /^filter\[([^[\]]+)\](\[\])?$/

/**
 * Without the empty brackets a comma separates values (`\,` is a comma itself); with them each value is taken as it
 * stands. There are no wildcards here: `filter` as a text has them.
 */
export const readBracketedFilters = (parameters: Parameters, resource: Resource, scope: QueryScope): Filter[] => {
  const filters: Filter[] = []
  for (const [parameter, texts] of parameters) {
    if (!parameter.startsWith('filter[')) continue
    const [, name, isList] = shape.exec(parameter) ?? []
    if (name === undefined) {
      note(scope.faults, { parameter, ...fault('unknown_filter', { parameter: excerpt(parameter) }) })
      continue
    }
    const asked = readMember({ parameter, name }, resource, scope)
    if (asked) filters.push(toEquality(asked, isList ? texts : texts.flatMap(splitAtCommas)))
  }
  return filters
}

/** A comma, or an escaped comma or backslash, which splitting must pass over. */
const commaOrEscape = /\\[,\\]|,/g

const splitAtCommas = (text: string): string[] => {
  const parts: string[] = []
  let part = ''
  let from = 0
  for (const { 0: found, index } of text.matchAll(commaOrEscape)) {
    part += text.slice(from, index)
    from = index + found.length
    if (found === ',') {
      parts.push(part)
      part = ''
    } else part += found.charAt(1)
  }
  return [...parts, part + text.slice(from)]
}
