// The `filter` parameter and search parameters → filters on the resource, as one caller sees it.

import { type FaultReason, fault } from '../fault.ts'
import { boolean } from '../model/fields.ts'
import { both, type Filter, isSearchableType, type Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { ValueType } from '../model/value-field.ts'
import { Problem } from '../problem.ts'
import {
  excerpt,
  isOrdered,
  isTextual,
  type Mention,
  note,
  type Parameters,
  type QueryScope,
  readPath,
  readValue,
  tooCostly,
  typeOf,
} from './parameters.ts'
import { type RsqlComparison, type RsqlNode, type RsqlOperator, type RsqlValue, readRsql, toPattern } from './rsql.ts'

/** Null: no restriction. Faults are noted in the scope. */
export const readFilter = (text: string, resource: Resource, scope: QueryScope): Filter | null => {
  const tree = readTree(text, scope)
  return tree && toFilter(tree, resource, scope)
}

/** A syntax error joins the other faults of the request. */
const readTree = (text: string, scope: QueryScope): RsqlNode | null => {
  try {
    return readRsql(text)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'bad_filter')) throw error
    for (const fault of error.details.errors ?? []) note(scope.faults, fault)
    return null
  }
}

const toFilter = (node: RsqlNode, resource: Resource, scope: QueryScope): Filter =>
  node.kind === 'comparison'
    ? toComparison(node, resource, scope)
    : { op: node.kind, parts: node.parts.map(part => toFilter(part, resource, scope)) }

/** Stands where a fault was noted; the search is never run. */
const nothing: Filter = { op: 'const', value: false }

const toComparison = (node: RsqlComparison, resource: Resource, scope: QueryScope): Filter => {
  const path = readPath({ parameter: 'filter', name: node.selector, position: node.position }, resource, scope)
  if (!path) return nothing
  const type = typeOf(path.member)
  const report = (position: number, reason: FaultReason) =>
    note(scope.faults, { parameter: 'filter', member: node.selector, position, ...reason })
  if (!isSearchableType(type)) {
    const message = `${node.selector} is not searchable; remove it from the filter.`
    report(node.position, { ...fault('unsearchable'), message })
    return nothing
  }
  if (!fits[node.operator](type)) {
    const known = Object.entries(fits).flatMap(([operator, fitsType]) => (fitsType(type) ? operator : []))
    const mismatch = { operator: excerpt(node.written), member: node.selector, known: known.join(' ') }
    report(node.operatorPosition, fault('bad_operator', mismatch))
    return nothing
  }
  const read = (value: RsqlValue) =>
    readValue(value.text, node.operator === '=isnull=' ? trueOrFalse : type, reason =>
      report(value.position, { ...reason, message: `${node.selector}: ${reason.message}` }),
    )
  return build[node.operator]({ path, type, values: node.values, stored: node.values.map(read) })
}

const always = () => true

const fits: Readonly<Record<RsqlOperator, (type: ValueType) => boolean>> = {
  '==': always,
  '!=': always,
  '>': isOrdered,
  '>=': isOrdered,
  '<': isOrdered,
  '<=': isOrdered,
  '=in=': always,
  '=out=': always,
  '=like=': isTextual,
  '=ilike=': isTextual,
  '=isnull=': always,
  '=bt=': isOrdered,
}

const trueOrFalse = boolean({}).type

interface Operands {
  readonly path: Path
  readonly type: ValueType
  /** Never empty; as many as the operator takes. */
  readonly values: readonly RsqlValue[]
  /** The same in stored form. */
  readonly stored: readonly unknown[]
}

const equality =
  (op: 'eq' | 'ne', wild: 'like' | 'unlike') =>
  ({ path, type, values, stored }: Operands): Filter => {
    const pattern = values[0]?.pattern ?? []
    return pattern.length > 1 && isTextual(type)
      ? { op: wild, path, pattern, ignoreCase: false }
      : { op, path, value: stored[0] }
  }

const order =
  (op: 'gt' | 'ge' | 'lt' | 'le') =>
  ({ path, stored }: Operands): Filter => ({ op, path, value: stored[0] })

const membership =
  (op: 'in' | 'out') =>
  ({ path, stored }: Operands): Filter => ({ op, path, values: stored })

const likeness =
  (ignoreCase: boolean) =>
  ({ path, values }: Operands): Filter => ({ op: 'like', path, pattern: values[0]?.pattern ?? [], ignoreCase })

const absence = ({ path, stored }: Operands): Filter => {
  const reached = path.steps.at(-1)
  // `roles=isnull=true`: a relation without (visible) records has no pk that could be null.
  if (reached && path.member === reached.target.pk) {
    const some: Filter = { op: 'null', path, isNull: false }
    return stored[0] === true ? { op: 'not', part: some } : some
  }
  return { op: 'null', path, isNull: stored[0] === true }
}

/** Both ends must hold for the same one of many records, so the lower end goes into the link filter of the last step. */
const between = ({ path, stored: [lowest, highest] }: Operands): Filter => {
  const { steps, member } = path
  const last = steps.at(-1)
  if (!last || steps.every(step => step.relation.field.role === 'one')) {
    const parts: Filter[] = [
      { op: 'ge', path, value: lowest },
      { op: 'le', path, value: highest },
    ]
    return { op: 'and', parts }
  }
  const linkFilter = both(last.linkFilter, { op: 'ge', path: { steps: [], member }, value: lowest })
  return { op: 'le', path: { steps: [...steps.slice(0, -1), { ...last, linkFilter }], member }, value: highest }
}

const build: Readonly<Record<RsqlOperator, (operands: Operands) => Filter>> = {
  '==': equality('eq', 'like'),
  '!=': equality('ne', 'unlike'),
  '>': order('gt'),
  '>=': order('ge'),
  '<': order('lt'),
  '<=': order('le'),
  '=in=': membership('in'),
  '=out=': membership('out'),
  '=like=': likeness(false),
  '=ilike=': likeness(true),
  '=isnull=': absence,
  '=bt=': between,
}

// Search by other parameters: one that is not reserved names a member.

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
    report({ ...fault('unsearchable'), message: `${member} is not searchable; remove the parameter.` })
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

const bracketedShape = /^filter\[([^[\]]+)\](\[\])?$/

/**
 * Without the empty brackets a comma separates values (`\,` is a comma itself); with them each value is taken literally.
 * There are no wildcards here: `filter` as a text has them.
 */
export const readBracketedFilters = (parameters: Parameters, resource: Resource, scope: QueryScope): Filter[] => {
  const filters: Filter[] = []
  for (const [parameter, texts] of parameters) {
    if (!parameter.startsWith('filter[')) continue
    const [, name, isList] = bracketedShape.exec(parameter) ?? []
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
