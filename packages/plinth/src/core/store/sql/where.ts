// Filters as conditions, and the ways that they are made of: a step of a way has a filter where its records are hidden from some
// callers, so each needs the other. Values stand only in placeholders, names only come from the model.

import { foldsText } from '../../model/comparison-work.ts'
import type { Comparison, Filter, Path, Step } from '../../model/query.ts'
import {
  columnTypeOf,
  holdingOf,
  isToMany,
  linkTableOf,
  quote,
  searchesEntries,
  sourceOf,
  targetOf,
} from './columns.ts'
import { entriesCondition, foldedCondition, nullTestOf, valueCondition } from './comparisons.ts'
import { type TestedExpression, testsOf, type ValueTest } from './folded-tests.ts'
import { type OpenSqlScope, openScope, type SqlScope } from './from.ts'
import { isSameWay, leadsBack, wayAcross, withoutDetours } from './paths.ts'

export const filterSql = (scope: SqlScope, filter: Filter): string => {
  switch (filter.op) {
    case 'const':
      return filter.value ? 'TRUE' : 'FALSE'
    case 'and':
      return filter.parts.length === 0 ? 'TRUE' : `(${conjunctionSql(scope, filter.parts).join(' AND ')})`
    case 'or':
      return alternativesSql(scope, alternativesIn(filter))
    case 'not':
      // A comparison with an absent value is unknown in SQL; here it simply does not hold, so its opposite does.
      return `(${filterSql(scope, filter.part)}) IS NOT TRUE`
    default:
      return comparisonSql(scope, filter)
  }
}

const conjunctionSql = (scope: SqlScope, parts: readonly Filter[]): readonly string[] => {
  const folded = parts.filter(isFoldedHere)
  if (folded.length < 2) return parts.map(part => filterSql(scope, part))
  const tests = folded.map(comparison => {
    const condition = endingOf(scope, comparison)
    return { expression: expressionAt(scope, condition), condition }
  })
  const others = parts.filter(part => !isFoldedHere(part)).map(part => filterSql(scope, part))
  return [...others, ...testsOf(scope.draft, tests, ' AND ')]
}

/** Is it a comparison with a folded text of the record itself, or of one that it refers to? */
const isFoldedHere = (filter: Filter): filter is Comparison =>
  'path' in filter &&
  foldsText(filter) &&
  ![...filter.path.steps.map(step => step.relation), filter.path.field].some(isToMany)

/** The alternatives of an OR, and those of ORs among them. */
const alternativesIn = (filter: Filter): readonly Filter[] =>
  filter.op === 'or' ? filter.parts.flatMap(alternativesIn) : [filter]

/** Comparisons are made together, since those behind the same relation to many need only one look at its records. */
const alternativesSql = (scope: SqlScope, alternatives: readonly Filter[]): string => {
  const endings = alternatives.map(filter =>
    'path' in filter && !isAbsence(filter) ? endingOf(scope, filter) : filter,
  )
  const compared = endings.filter(part => 'holds' in part)
  const others = endings.flatMap(part => ('holds' in part ? [] : [filterSql(scope, part)]))
  const conditions = compared.length > 0 ? [anyHolds(scope, compared), ...others] : others
  return conditions.length === 0 ? 'FALSE' : `(${conditions.join(' OR ')})`
}

const comparisonSql = (scope: SqlScope, comparison: Comparison): string => {
  const ending = endingOf(scope, comparison)
  const condition = anyHolds(scope, [ending])
  if (!isAbsence(comparison)) return condition
  return isUnknowable(scope, ending) ? `(${condition}) IS NOT TRUE` : `NOT ${condition}`
}

/** A relation to many "has no value" when it has no record. */
const isAbsence = (comparison: Comparison): boolean =>
  isToMany(comparison.path.field) && nullTestOf(comparison) === true

const endingOf = ({ draft }: SqlScope, comparison: Comparison): PathCondition => {
  const { path } = comparison
  draft.compares(comparison)
  if (!isToMany(path.field)) {
    if (searchesEntries(path.field)) return { ...path, holds: entriesCondition(draft, comparison) }
    return {
      ...path,
      holds: valueCondition(draft, comparison),
      holdsFolded: foldedCondition(draft, comparison),
    }
  }
  const target = targetOf(path.field)
  const steps = [...path.steps, { relation: path.field, target, linkFilter: null }]
  const holds = nullTestOf(comparison) === null ? valueCondition(draft, comparison) : () => 'TRUE'
  return { steps, field: target.pk, holds }
}

/** The expression at the end of a way of to-one steps; null when a step finds nothing or its link filter hides it. */
export const expressionAt = (scope: SqlScope, way: Path): string => {
  const { steps, field } = way
  let at = scope.alias
  for (const [index, step] of steps.entries()) {
    const { relation, target, linkFilter } = step
    const reference = scope.draft.facts.column(at, quote(relation.name))
    if (index === steps.length - 1 && field === target.pk && !linkFilter) return reference
    const { draft, from } = scope
    if (!from) return subselect(scope, reference, { ...way, steps: steps.slice(index) })
    at = from.join({ at, relation, linkFilter }, draft, alias =>
      linkFilter ? filterSql({ draft, alias, from: null }, linkFilter) : '',
    )
  }
  return fieldAt(scope, at, way)
}

/** Returns a subselect for the one value, where no join can be added; its own FROM takes the further steps. */
const subselect = (scope: SqlScope, reference: string, way: Path): string => {
  const [step, ...rest] = way.steps
  if (!step) throw new Error('a way without steps needs no subselect')
  const inner = openScope(scope.draft, step.target)
  const value = expressionAt(inner, { ...way, steps: rest })
  const linkFilter = step.linkFilter ? ` AND ${filterSql(inner, step.linkFilter)}` : ''
  return `(SELECT ${value} FROM ${inner.from.sql} WHERE ${inner.alias}."pk" = ${reference}${linkFilter})`
}

const fieldAt = (scope: SqlScope, at: string, way: Path): string => {
  if (way.field.definition.role !== 'count') return scope.draft.facts.column(at, quote(way.field.name))
  const count = countAt(scope, at, way)
  // Where there is no record there is no count, not a count of none.
  return at === scope.alias ? count : `CASE WHEN ${at}."pk" IS NOT NULL THEN ${count} END`
}

/** How many records a relation has, or the sum of a field of theirs, as a subselect; what it counts is part of the model, and of the caller's visibility. */
export const countAt = (
  { draft }: SqlScope,
  at: string,
  { field: { owner, definition }, counting }: Omit<Path, 'steps'>,
): string => {
  const relation = definition.role === 'count' ? owner.fields.get(definition.relation) : undefined
  if (definition.role !== 'count' || !relation) throw new Error(`${owner.name} counts a relation that it does not have`)
  const holding = holdingOf(relation)
  const target = targetOf(relation)
  const counted = draft.aliasFor(target)
  const pairs = holding.kind === 'pairs' ? draft.alias(linkTableOf(holding.links)) : ''
  const conditions =
    holding.kind === 'column'
      ? [`${counted}.${quote(holding.by.name)} = ${at}."pk"`]
      : [`${pairs}.${holding.near} = ${at}."pk"`, `${counted}."pk" = ${pairs}.${holding.far}`]
  const which = definition.where && target.fields.get(definition.where.field)
  if (definition.where && which) {
    const { equals } = definition.where
    const value = `${counted}.${quote(which.name)}`
    const slot = equals === null ? null : draft.constant(equals, columnTypeOf(which))
    conditions.push(slot === null ? `${value} IS NULL` : `${value} = ${draft.dialect.placeholder(slot)}`)
  }
  if (counting) conditions.push(filterSql({ draft, alias: counted, from: null }, counting))
  const through = holding.kind === 'pairs' ? `${holding.table} AS ${pairs}, ` : ''
  const total =
    definition.sum === undefined ? 'count(*)' : `CAST(coalesce(sum(${counted}.${quote(definition.sum)}), 0) AS bigint)`
  return `(SELECT ${total} FROM ${through}${sourceOf(target)} AS ${counted} WHERE ${conditions.join(' AND ')})`
}

// Conditions on records behind relations to many: they hold when they hold for any record there.

/** A way, and the condition on the expression at its end. */
interface PathCondition extends Path, ValueTest {}

/** Conditions behind the same relation to many. */
interface ToManyConditions {
  /** The last step is the one to many; those before it are to one. */
  readonly way: readonly Step[]
  readonly endings: PathCondition[]
}

/** Does any of them hold? Those behind the same relation share a subselect, so its records are visited once. */
const anyHolds = (scope: SqlScope, endings: readonly PathCondition[]): string => {
  const tests: TestedExpression[] = []
  const conditions: string[] = []
  const crossings: ToManyConditions[] = []
  for (const ending of endings.map(withoutDetours)) {
    const way = wayAcross(ending)
    if (!way) tests.push({ expression: expressionAt(scope, ending), condition: ending })
    else if (leadsBack(ending.steps, way.length - 1)) conditions.push(holdsBack(scope, ending, way))
    else {
      const known = crossings.find(crossing => isSameWay(crossing.way, way))
      if (known) known.endings.push(ending)
      else crossings.push({ way, endings: [ending] })
    }
  }
  conditions.unshift(...testsOf(scope.draft, tests, ' OR '))
  conditions.push(...crossings.map(crossing => crossingSql(scope, crossing)))
  return conditions.length === 1 ? conditions.join() : `(${conditions.join(' OR ')})`
}

/** Is the relation to many reached by way of another record? Then many records share what is behind it. */
const isSharedWay = ({ isFar }: SqlScope, way: readonly Step[]): boolean => isFar === true || way.length > 1

/** May the condition be unknown where it does not hold? So it is behind another record that does not exist. */
const isUnknowable = (scope: SqlScope, ending: PathCondition): boolean => {
  const way = wayAcross(ending)
  return way !== null && isSharedWay(scope, way)
}

/** `children.parent.name` is the record's own name, provided that there is a child. */
const holdsBack = (scope: SqlScope, ending: PathCondition, way: readonly Step[]): string => {
  const exists: PathCondition = { ...ending, steps: way, holds: () => 'TRUE' }
  const shorter = { ...ending, steps: ending.steps.toSpliced(way.length - 1, 2) }
  return `(${crossingSql(scope, { way, endings: [exists] })} AND ${anyHolds(scope, [shorter])})`
}

/**
 * From the record that is searched for, by EXISTS. Through other records, which it shares with others, by IN: that subselect
 * does not depend on the record, so it runs once. The work is the sum of the relations on the way, and never their product.
 */
const crossingSql = (scope: SqlScope, { way, endings }: ToManyConditions): string => {
  const step = way.at(-1)
  const [first] = endings
  if (!step || !first) throw new Error('there is nothing on the other side')
  const near = expressionAt(scope, { ...first, steps: way.slice(0, -1), field: step.relation.owner.pk })
  const rest = endings.map(ending => ({ ...ending, steps: ending.steps.slice(way.length) }))
  const { from, link, conditions } = farSide(scope, step, rest)
  const watches = scope.draft.watches()
  const { dialect } = scope.draft
  const isJoined = scope.draft.isNextJoined()
  if (isSharedWay(scope, way))
    return dialect.amongRows(near, link, { rows: whereSql(from, [...watches, ...conditions]), isJoined })
  const rows = whereSql(from, [...watches, `${link} = ${near}`, ...conditions])
  return `EXISTS (SELECT 1 ${rows}${isJoined ? '' : dialect.fence})`
}

const whereSql = (from: string, conditions: readonly string[]): string =>
  `FROM ${from} WHERE ${conditions.join(' AND ')}`

interface FarSide {
  readonly from: string
  /** The column that holds the pk of the near side. */
  readonly link: string
  readonly conditions: readonly string[]
}

const farSide = (scope: SqlScope, step: Step, endings: readonly PathCondition[]): FarSide => {
  const { draft } = scope
  const holding = holdingOf(step.relation)
  const pairs = holding.kind === 'pairs' ? draft.alias(linkTableOf(holding.links)) : ''
  const isPk = (ending: PathCondition) => ending.steps.length === 0 && ending.field === step.target.pk
  if (holding.kind === 'pairs' && !step.linkFilter && endings.every(isPk)) {
    const alternatives = endings.map(ending => ending.holds(draft.facts.column(pairs, holding.far)))
    const any = alternatives.length === 1 ? alternatives.join() : `(${alternatives.join(' OR ')})`
    return { from: `${holding.table} AS ${pairs}`, link: `${pairs}.${holding.near}`, conditions: [any] }
  }
  const inner: OpenSqlScope = { ...openScope(draft, step.target), isFar: true }
  const linkFilter = step.linkFilter && endings.length > 0 ? [filterSql(inner, step.linkFilter)] : []
  const conditions = [...linkFilter, anyHolds(inner, endings)]
  // Only now does the FROM have the joins of the conditions.
  if (holding.kind === 'column')
    return { from: inner.from.sql, link: `${inner.alias}.${quote(holding.by.name)}`, conditions }
  return {
    from: `${holding.table} AS ${pairs}, ${inner.from.sql}`,
    link: `${pairs}.${holding.near}`,
    conditions: [`${inner.alias}."pk" = ${pairs}.${holding.far}`, ...conditions],
  }
}
