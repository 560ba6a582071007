// The `filter` parameter → a filter on the resource, as one caller sees it.

import { type FaultReason, fault } from '../fault.ts'
import { boolean } from '../model/fields.ts'
import { type Filter, isSearchableType } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { build, fits } from './operators.ts'
import { excerpt, note } from './query-faults.ts'
import { readPath } from './query-path.ts'
import { readValue, typeOf } from './query-value.ts'
import { type RsqlComparison, type RsqlNode, type RsqlValue, readRsql } from './rsql.ts'
import type { QueryScope } from './scope.ts'

/** Reads a filter; null without a restriction. Faults are noted in the scope. */
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

const toFilter = (node: RsqlNode, resource: Resource, scope: QueryScope): Filter => {
  if (node.kind === 'comparison') return toComparison(node, resource, scope)
  if (node.kind === 'not') return { op: 'not', part: toFilter(node.part, resource, scope) }
  return { op: node.kind, parts: node.parts.map(part => toFilter(part, resource, scope)) }
}

const trueOrFalse = boolean({}).type

/** Stands where a fault was noted; the search is never run. */
const nothing: Filter = { op: 'const', value: false }

const toComparison = (node: RsqlComparison, resource: Resource, scope: QueryScope): Filter => {
  const path = readPath({ parameter: 'filter', name: node.selector, position: node.position }, resource, scope)
  if (!path) return nothing
  const type = typeOf(path.field)
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
  const pattern = node.values[0]?.pattern ?? []
  return build[node.operator]({ path, type, pattern, stored: node.values.map(read) })
}
