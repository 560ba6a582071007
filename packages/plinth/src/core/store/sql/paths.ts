// Ways through relations to one as SQL: each step is a join.

import type { Filter, Path } from '../../model/query.ts'
import { columnTypeOf, holdingOf, quote, sourceOf, targetOf } from './columns.ts'
import { openScope, type SqlScope } from './from.ts'

/** Turns a filter into a condition on the scope's record; handed in, since filters are made of paths. */
type FilterSql = (scope: SqlScope, filter: Filter) => string

export interface SqlPath extends Path {
  readonly filterSql: FilterSql
}

/** The expression at the end of a way of to-one steps; null when a step finds nothing or its link filter hides it. */
export const expressionAt = (scope: SqlScope, way: SqlPath): string => {
  const { steps, member, filterSql } = way
  let at = scope.alias
  for (const [index, step] of steps.entries()) {
    const { relation, target, linkFilter } = step
    const reference = `${at}.${quote(relation.name)}`
    if (index === steps.length - 1 && member === target.pk && !linkFilter) return reference
    const { draft, from } = scope
    if (!from) return subselect(scope, reference, { ...way, steps: steps.slice(index) })
    at = from.join({ at, relation, linkFilter }, draft, alias =>
      linkFilter ? filterSql({ draft, alias, from: null }, linkFilter) : '',
    )
  }
  return memberAt(scope, at, way)
}

/** Where no join can be added, a subselect gives the one value; its own FROM takes the further steps. */
const subselect = (scope: SqlScope, reference: string, way: SqlPath): string => {
  const [step, ...rest] = way.steps
  if (!step) throw new Error('a way without steps needs no subselect')
  const inner = openScope(scope.draft, step.target)
  const value = expressionAt(inner, { ...way, steps: rest })
  const linkFilter = step.linkFilter ? ` AND ${way.filterSql(inner, step.linkFilter)}` : ''
  return `(SELECT ${value} FROM ${inner.from.sql} WHERE ${inner.alias}."pk" = ${reference}${linkFilter})`
}

const memberAt = (scope: SqlScope, at: string, way: SqlPath): string => {
  if (way.member.field.role !== 'count') return `${at}.${quote(way.member.name)}`
  const count = countAt(scope, at, way)
  // Where there is no record there is no count, not a count of none.
  return at === scope.alias ? count : `CASE WHEN ${at}."pk" IS NOT NULL THEN ${count} END`
}

/** How many records a relation has, as a subselect; what it counts is part of the model, and of the caller's visibility. */
export const countAt = (
  { draft }: SqlScope,
  at: string,
  { member: { owner, field }, counting, filterSql }: Omit<SqlPath, 'steps'>,
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
