// Ways through relations as SQL: to-one steps by joins, to-many steps by EXISTS.

import type { Filter, Path, Step } from '../model/query.ts'
import { type OpenScope, openScope, type Scope } from './from.ts'
import { columnTypeOf, holdingOf, isToMany, quote, sourceOf, targetOf } from './names.ts'

/** Turns a filter into a condition on the scope's record; handed in, since filters are made of paths. */
type FilterSql = (scope: Scope, filter: Filter) => string

export interface Way extends Path {
  readonly filterSql: FilterSql
}

/** The expression at the end of a way of to-one steps; null when a step finds nothing or its guard hides it. */
export const expressionAt = (scope: Scope, way: Way): string => {
  const { steps, member, filterSql } = way
  let at = scope.alias
  for (const [index, step] of steps.entries()) {
    const { relation, target, guard } = step
    const reference = `${at}.${quote(relation.name)}`
    if (index === steps.length - 1 && member === target.pk && !guard) return reference
    const { draft, from } = scope
    if (!from) return subselect(scope, reference, { ...way, steps: steps.slice(index) })
    at = from.join({ at, relation, guard }, draft, alias =>
      guard ? filterSql({ draft, alias, from: null }, guard) : '',
    )
  }
  return memberAt(scope, at, way)
}

/** Where no join can be added, a subselect gives the one value; its own FROM takes the further steps. */
const subselect = (scope: Scope, reference: string, way: Way): string => {
  const [step, ...rest] = way.steps
  if (!step) throw new Error('a way without steps needs no subselect')
  const inner = openScope(scope.draft, step.target)
  const value = expressionAt(inner, { ...way, steps: rest })
  const guard = step.guard ? ` AND ${way.filterSql(inner, step.guard)}` : ''
  return `(SELECT ${value} FROM ${inner.from.sql} WHERE ${inner.alias}."pk" = ${reference}${guard})`
}

/** A condition on the expression at the end of a way; over a to-many step it holds when it holds for any record there. */
export const conditionAt = (scope: Scope, way: Way, condition: (expression: string) => string): string => {
  const many = way.steps.findIndex(step => isToMany(step.relation))
  const step = way.steps[many]
  if (!step) return condition(expressionAt(scope, way))
  const near = expressionAt(scope, { ...way, steps: way.steps.slice(0, many), member: step.relation.owner.pk })
  const rest = { ...way, steps: way.steps.slice(many + 1) }
  return existsAt({ scope, near, step }, rest, condition)
}

interface Crossing {
  readonly scope: Scope
  /** The pk on this side of the step. */
  readonly near: string
  readonly step: Step
}

const existsAt = ({ scope, near, step }: Crossing, rest: Way, condition: (expression: string) => string): string => {
  const { draft } = scope
  const holding = holdingOf(step.relation)
  const pairs = draft.alias()
  if (holding.kind === 'pairs' && rest.steps.length === 0 && rest.member === step.target.pk && !step.guard) {
    const there = condition(`${pairs}.${holding.far}`)
    return `EXISTS (SELECT 1 FROM ${holding.table} AS ${pairs} WHERE ${pairs}.${holding.near} = ${near} AND ${there}${draft.crossingEnd()})`
  }
  const inner: OpenScope = openScope(draft, step.target)
  const conditions =
    holding.kind === 'column'
      ? [`${inner.alias}.${quote(holding.by.name)} = ${near}`]
      : [`${pairs}.${holding.near} = ${near}`, `${inner.alias}."pk" = ${pairs}.${holding.far}`]
  if (step.guard) conditions.push(rest.filterSql(inner, step.guard))
  conditions.push(conditionAt(inner, rest, condition))
  const through = holding.kind === 'pairs' ? `${holding.table} AS ${pairs}, ` : ''
  return `EXISTS (SELECT 1 FROM ${through}${inner.from.sql} WHERE ${conditions.join(' AND ')}${draft.crossingEnd()})`
}

const memberAt = (scope: Scope, at: string, way: Way): string => {
  if (way.member.field.role !== 'count') return `${at}.${quote(way.member.name)}`
  const count = countAt(scope, at, way)
  // Where there is no record there is no count, not a count of none.
  return at === scope.alias ? count : `CASE WHEN ${at}."pk" IS NOT NULL THEN ${count} END`
}

/** How many records a relation has, as a subselect; what it counts is part of the model, and of the caller's sight. */
export const countAt = (
  { draft }: Scope,
  at: string,
  { member: { owner, field }, counting, filterSql }: Omit<Way, 'steps'>,
): string => {
  const relation = field.role === 'count' ? owner.members.get(field.relation) : undefined
  if (field.role !== 'count' || !relation) throw new Error(`${owner.name} counts a relation that it does not have`)
  const holding = holdingOf(relation)
  const target = targetOf(relation)
  const [counted, pairs] = [draft.alias(), draft.alias()]
  const conditions =
    holding.kind === 'column'
      ? [`${counted}.${quote(holding.by.name)} = ${at}."pk"`]
      : [`${pairs}.${holding.near} = ${at}."pk"`, `${counted}."pk" = ${pairs}.${holding.far}`]
  const which = field.where && target.members.get(field.where.member)
  if (field.where && which) {
    const { equals } = field.where
    const value = `${counted}.${quote(which.name)}`
    conditions.push(equals === null ? `${value} IS NULL` : `${value} = ${draft.constant(equals, columnTypeOf(which))}`)
  }
  if (counting) conditions.push(filterSql({ draft, alias: counted, from: null }, counting))
  const through = holding.kind === 'pairs' ? `${holding.table} AS ${pairs}, ` : ''
  return `(SELECT count(*) FROM ${through}${sourceOf(target)} AS ${counted} WHERE ${conditions.join(' AND ')})`
}
