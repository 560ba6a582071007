// The `filter` parameter → a filter on the resource, as one caller sees it.

import { type FaultReason, fault } from '../fault.ts'
import { boolean } from '../model/fields.ts'
import { both, type Filter, isSearchableType, type Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { ValueType } from '../model/value-field.ts'
import { Problem } from '../problem.ts'
import { excerpt, note } from './query-faults.ts'
import { readPath } from './query-path.ts'
import { isOrdered, isTextual, readValue, typeOf } from './query-value.ts'
import { type RsqlComparison, type RsqlNode, type RsqlOperator, type RsqlValue, readRsql } from './rsql.ts'
import type { QueryScope } from './scope.ts'

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
