// The `having` parameter → a condition on groups, in the language of filters.

import { fault } from '../fault.ts'
import { aggregateFunctions, type GroupCondition, type Measure } from '../model/aggregation.ts'
import { boolean } from '../model/fields.ts'
import type { Resource } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import { Problem } from '../problem.ts'
import { isDuration, measureName, measureType } from './group-columns.ts'
import { readMeasure, unknownMeasure } from './measures.ts'
import { badValue, excerpt, note, quoted } from './query-faults.ts'
import { typeOf } from './query-value.ts'
import { type RsqlComparison, type RsqlNode, type RsqlOperator, type RsqlValue, readRsql } from './rsql.ts'
import type { QueryScope } from './scope.ts'

const parameter = 'having'

export const readHaving = (text: string, resource: Resource, scope: QueryScope): GroupCondition | null => {
  const tree = readTree(text, scope)
  return tree && toCondition(tree, resource, scope)
}

const readTree = (text: string, scope: QueryScope): RsqlNode | null => {
  try {
    return readRsql(text)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = (error.details.errors ?? []).map(one => ({ ...one, parameter }))
    if (error.code === 'too_costly') throw new Problem('too_costly', { ...error.details, errors })
    if (error.code !== 'bad_filter') throw error
    for (const one of errors) note(scope.faults, one)
    return null
  }
}

/** Stands where a fault was noted; nothing is ever run. */
const nothing: GroupCondition = { op: 'or', parts: [] }

const toCondition = (node: RsqlNode, resource: Resource, scope: QueryScope): GroupCondition => {
  if (node.kind === 'comparison') return toComparison(node, resource, scope)
  if (node.kind === 'not') return { op: 'not', part: toCondition(node.part, resource, scope) }
  return { op: node.kind, parts: node.parts.map(part => toCondition(part, resource, scope)) }
}

type Value = string | number
type Build = (measure: Measure, values: readonly Value[]) => GroupCondition

const comparing =
  (op: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'): Build =>
  (measure, [value = '']) => ({ op, measure, value })

const anyOf: Build = (measure, values) => ({ op: 'or', parts: values.map(value => ({ op: 'eq', measure, value })) })

const between: Build = (measure, [lowest = '', highest = '']) => ({
  op: 'and',
  parts: [
    { op: 'ge', measure, value: lowest },
    { op: 'le', measure, value: highest },
  ],
})

const builders: { readonly [operator in RsqlOperator]?: Build } = {
  '==': comparing('eq'),
  '!=': comparing('ne'),
  '>': comparing('gt'),
  '>=': comparing('ge'),
  '<': comparing('lt'),
  '<=': comparing('le'),
  '=in=': anyOf,
  '=out=': (measure, values) => ({ op: 'not', part: anyOf(measure, values) }),
  '=bt=': between,
}

const known = [...Object.keys(builders), '=isnull=']
const trueOrFalse = boolean({}).type

const toComparison = (node: RsqlComparison, resource: Resource, scope: QueryScope): GroupCondition => {
  const { selector, operator, position } = node
  const measure = readMeasure({ parameter, name: selector, position }, resource, scope)
  if (!measure) {
    if (!isMeasureName(selector)) noteUnknownMeasure(node, scope)
    return nothing
  }
  const values = node.values.map(value => readValue(value, { measure, operator, scope }))
  if (values.includes(null)) return nothing
  if (operator === '=isnull=') return { op: 'null', measure, isNull: values[0] === 1 }
  const build = builders[operator]
  if (build) return build(measure, values as readonly Value[])
  const mismatch = { operator: excerpt(node.written), member: measureName(measure), known: known.join(' ') }
  note(scope.faults, {
    parameter,
    member: selector,
    position: node.operatorPosition,
    ...fault('bad_operator', mismatch),
  })
  return nothing
}

const isMeasureName = (name: string): boolean =>
  name === 'count' || aggregateFunctions.some(one => name.startsWith(`${one}.`))

const noteUnknownMeasure = ({ selector, position }: RsqlComparison, { faults }: QueryScope): void => {
  note(faults, { parameter, member: excerpt(selector), position, ...unknownMeasure(selector) })
}

interface Comparing {
  readonly measure: Measure
  readonly operator: RsqlOperator
  readonly scope: QueryScope
}

const decimalShape = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/

/** Averages and percentiles are compared with numbers of any precision. */
const readNumber = (text: string): number => {
  if (!decimalShape.test(text)) throw new ValueFault(fault('number'))
  return Number(text)
}

/** Returns null after noting what is wrong. */
const readValue = (value: RsqlValue, { measure, operator, scope }: Comparing): Value | null => {
  try {
    if (operator === '=isnull=') return trueOrFalse.readText(value.text) ? 1 : 0
    const type = measureType(measure)
    if (!type) return readNumber(value.text)
    // A duration that was computed is compared with durations.
    const read = 'path' in measure && isDuration(type) ? typeOf(measure.path.field) : type
    return read.readText(value.text) as Value
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const [reason] = error.faults
    const member = measureName(measure)
    if (reason) {
      const bad = badValue(value.text, reason, `${member}: ${quoted(value.text)} ${reason.message}.`)
      note(scope.faults, { parameter, member, position: value.position, ...bad })
    }
    return null
  }
}
