// Conditions on records behind relations to many: they hold when they hold for any record there.

import type { Step } from '../../model/query.ts'
import { holdingOf, isToMany, quote } from './columns.ts'
import { type TestedExpression, testsOf } from './folded-tests.ts'
import { type OpenSqlScope, openScope, type SqlScope } from './from.ts'
import { expressionAt, type SqlPath } from './where.ts'

/** A way, and the condition on the expression at its end. */
export interface PathCondition extends SqlPath {
  readonly holds: (expression: string) => string
  /** The same, given the folded text; absent where it is not all that the condition looks at. */
  readonly holdsFolded?: ((folded: string) => string) | undefined
}

/** Conditions behind the same relation to many. */
interface ToManyConditions {
  /** The last step is the one to many; those before it are to one. */
  readonly way: readonly Step[]
  readonly endings: PathCondition[]
}

/** Does any of them hold? Those behind the same relation share a subselect, so its records are visited once. */
export const anyHolds = (scope: SqlScope, endings: readonly PathCondition[]): string => {
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

/** The steps up to the first relation to many; null where there is none. */
const wayAcross = ({ steps }: SqlPath): readonly Step[] | null => {
  const many = steps.findIndex(step => isToMany(step.relation))
  return many < 0 ? null : steps.slice(0, many + 1)
}

/** Is the relation to many reached by way of another record? Then many records share what is behind it. */
const isSharedWay = ({ isFar }: SqlScope, way: readonly Step[]): boolean => isFar === true || way.length > 1

/** May the condition be unknown where it does not hold? So it is behind another record that does not exist. */
export const isUnknowable = (scope: SqlScope, ending: PathCondition): boolean => {
  const way = wayAcross(ending)
  return way !== null && isSharedWay(scope, way)
}

const isSameWay = (left: readonly Step[], right: readonly Step[]): boolean =>
  left.length === right.length && left.every((step, at) => isSameStep(step, right[at]))

const isSameStep = (left: Step, right: Step | undefined): boolean =>
  left.relation === right?.relation && left.linkFilter === right.linkFilter

/**
 * Does the step at this place lead to records that refer here, and the next one back by that reference? Then it arrives at the
 * record that it began with, which the caller sees if the way back asks nothing that the way there has not asked.
 */
const leadsBack = (steps: readonly Step[], at: number): boolean => {
  const [before, there, back] = [steps[at - 1], steps[at], steps[at + 1]]
  if (!there || !back || there.relation.inverseOf !== back.relation || back.relation.field.role !== 'one') return false
  return back.target === there.relation.owner && (back.linkFilter === null || back.linkFilter === before?.linkFilter)
}

/** `children.parent.children.name` is `children.name`: a record that has such a child has a child. */
const withoutDetours = (ending: PathCondition): PathCondition => {
  const { steps } = ending
  const at = steps.findIndex((step, place) => leadsBack(steps, place) && isSameStep(step, steps[place + 2]))
  return at < 0 ? ending : withoutDetours({ ...ending, steps: steps.toSpliced(at, 2) })
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
  const near = expressionAt(scope, { ...first, steps: way.slice(0, -1), member: step.relation.owner.pk })
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
  const pairs = draft.alias()
  const isPk = (ending: PathCondition) => ending.steps.length === 0 && ending.member === step.target.pk
  if (holding.kind === 'pairs' && !step.linkFilter && endings.every(isPk)) {
    const held = endings.map(ending => ending.holds(`${pairs}.${holding.far}`))
    const any = held.length === 1 ? held.join() : `(${held.join(' OR ')})`
    return { from: `${holding.table} AS ${pairs}`, link: `${pairs}.${holding.near}`, conditions: [any] }
  }
  const inner: OpenSqlScope = { ...openScope(draft, step.target), isFar: true }
  const linkFilter = step.linkFilter && endings[0] ? [endings[0].filterSql(inner, step.linkFilter)] : []
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
