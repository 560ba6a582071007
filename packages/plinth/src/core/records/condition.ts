// The conditions of code → filters, with the operators of the `filter` parameter. Types have checked the names that they know; all
// others are checked here.

import { didYouMean } from '../model/definition-error.ts'
import { type Filter, isSearchableType, type Path, type Step, toFilter } from '../model/query.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { Visibility } from '../model/views.ts'
import { build, fits } from '../query/operators.ts'
import { counting } from '../query/query-path.ts'
import { typeOf } from '../query/query-value.ts'
import type { RsqlOperator } from '../query/rsql.ts'
import { toPattern } from '../query/wildcards.ts'

/** Conditions, once their types have done their work. */
export type PlainWhere = { readonly [name: string]: unknown }

/** The place of a condition: on the searched records, or on those that a relation leads to. */
interface Place {
  readonly resource: Resource
  readonly steps: readonly Step[]
  readonly visibility: Visibility
}

export const matchingNothing: Filter = { op: 'const', value: false }
export const matchingAll: Filter = { op: 'const', value: true }

/** Returns null when there are no conditions. */
export const toCondition = (resource: Resource, where: PlainWhere = {}, visibility: Visibility): Filter | null =>
  conjunction(where, { resource, steps: [], visibility })

const conjunction = (where: PlainWhere, place: Place): Filter | null => {
  const parts = Object.entries(where).flatMap(([name, condition]) => filtersOf(name, condition, place))
  if (parts.length === 1) return parts[0] ?? null
  return parts.length === 0 ? null : { op: 'and', parts }
}

const filtersOf = (name: string, condition: unknown, place: Place): readonly Filter[] => {
  // It would match everything, and is most likely a value that is missing by mistake.
  if (condition === undefined) throw new Error(`${place.resource.name}: the condition on '${name}' is undefined`)
  const one = (where: unknown) => conjunction(where as PlainWhere, place) ?? present(place)
  const each = (list: unknown) => (list as readonly PlainWhere[]).map(one)
  switch (name) {
    case 'or':
      return [{ op: 'or', parts: each(condition) }]
    case 'and':
      return [{ op: 'and', parts: each(condition) }]
    case 'not':
      return [{ op: 'not', part: one(condition) }]
  }
  const field = fieldNamed(place.resource, name)
  if (!isObject(condition)) return [compared(field, ['==', condition], place)]
  const entries = Object.entries(condition)
  if (entries.length > 0 && entries.every(([key]) => Object.hasOwn(operators, key)))
    return entries.map(([key, value]) => compared(field, operand(field, key, value), place))
  return [behind(field, condition, place)]
}

const isObject = (condition: unknown): condition is PlainWhere => typeof condition === 'object' && condition !== null

export const fieldNamed = ({ name: resource, fields }: Resource, name: string): ResourceField => {
  const field = fields.get(name)
  if (!field) throw new Error(`${resource} has no field '${name}'${didYouMean(fields.keys(), name)}`)
  return field
}

/** Conditions on related records; without any, there must be a related record. */
const behind = (field: ResourceField, where: PlainWhere, { steps, visibility, resource }: Place): Filter => {
  if (!field.target) {
    const unknown = Object.keys(where).find(key => !Object.hasOwn(operators, key)) ?? ''
    const hint = didYouMean(Object.keys(operators), unknown)
    throw new Error(`${resource.name}.${field.name}: there is no comparison '${unknown}'${hint}`)
  }
  const step = stepAlong(field, visibility)
  const place = { resource: field.target, steps: [...steps, step], visibility }
  return conjunction(where, place) ?? present(place)
}

/** No condition at all: there must be a record. */
const present = ({ steps, resource }: Place): Filter =>
  steps.length === 0 ? matchingAll : { op: 'null', path: { steps, field: resource.pk }, isNull: false }

/** A step into the related records that may be read. Where none of them may, the step leads to none. */
export const stepAlong = (relation: ResourceField, visibility: Visibility): Step => {
  const { target, owner, name } = relation
  if (!target) throw new Error(`${owner.name}.${name} is not a relation`)
  const seen = visibility.records(target)
  return { relation, target, linkFilter: seen === false ? matchingNothing : toFilter(seen) }
}

const operators: Readonly<Record<string, RsqlOperator>> = {
  ne: '!=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  in: '=in=',
  notIn: '=out=',
  between: '=bt=',
  like: '=like=',
  ilike: '=ilike=',
  isNull: '=isnull=',
}

type Operand = readonly [operator: RsqlOperator, value: unknown]

const operand = (field: ResourceField, key: string, value: unknown): Operand => {
  if (value === undefined) throw new Error(`${field.owner.name}: the condition on '${field.name}' is undefined`)
  return [operators[key] ?? '==', value]
}

const compared = (field: ResourceField, [operator, value]: Operand, place: Place): Filter => {
  const path = endAt(field, place)
  const type = typeOf(path.field)
  if (!isSearchableType(type) || !fits[operator](type))
    throw new Error(`${field.owner.name}.${field.name} cannot be compared by ${operator}`)
  if (value === null && operator === '==') return build['=isnull=']({ path, type, pattern: [], stored: [true] })
  if (value === null && operator === '!=') return build['=isnull=']({ path, type, pattern: [], stored: [false] })
  const isPattern = operator === '=like=' || operator === '=ilike='
  const pattern = isPattern ? toPattern(String(value), 'wildcards').pattern : []
  const isList = operator === '=in=' || operator === '=out=' || operator === '=bt='
  return build[operator]({ path, type, pattern, stored: isList ? (value as readonly unknown[]) : [value] })
}

/** A reference is compared by the pk that the record holds, and a relation to many by the pks of the records that may be read. */
const endAt = (field: ResourceField, { steps, visibility }: Place): Path => {
  if (!field.target) return { steps, field, ...counting(field, visibility) }
  if (field.definition.role === 'one') return { steps, field }
  return { steps: [...steps, stepAlong(field, visibility)], field: field.target.pk }
}
