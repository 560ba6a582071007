// Filters as conditions. Values stand only in placeholders, names only come from the model.

import { foldsText } from '../../model/comparison-work.ts'
import type { Comparison, Filter, Path } from '../../model/query.ts'
import {
  columnTypeOf,
  holdingOf,
  isToMany,
  matchingOf,
  matchingRange,
  quote,
  searchesEntries,
  sourceOf,
  targetOf,
  textIndexOf,
  textIndexSql,
} from './columns.ts'
import { anyHolds, isUnknowable, type PathCondition } from './crossings.ts'
import { testsOf } from './folded-tests.ts'
import { openScope, type SqlScope, type StatementDraft } from './from.ts'
import { hasNull, isValueless } from './statements.ts'

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
  ![...filter.path.steps.map(step => step.relation), filter.path.member].some(isToMany)

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
  const held = anyHolds(scope, [ending])
  if (!isAbsence(comparison)) return held
  return isUnknowable(scope, ending) ? `(${held}) IS NOT TRUE` : `NOT ${held}`
}

/** A relation to many "has no value" when it has no record. */
const isAbsence = (comparison: Comparison): boolean =>
  isToMany(comparison.path.member) && nullTestOf(comparison) === true

const endingOf = ({ draft }: SqlScope, comparison: Comparison): PathCondition => {
  const { path } = comparison
  draft.compares(comparison)
  if (!isToMany(path.member)) {
    if (searchesEntries(path.member)) return { ...path, filterSql, holds: entriesCondition(draft, comparison) }
    return {
      ...path,
      filterSql,
      holds: valueCondition(draft, comparison),
      holdsFolded: foldedCondition(draft, comparison),
    }
  }
  const target = targetOf(path.member)
  const steps = [...path.steps, { relation: path.member, target, linkFilter: null }]
  const holds = nullTestOf(comparison) === null ? valueCondition(draft, comparison) : () => 'TRUE'
  return { steps, member: target.pk, filterSql, holds }
}

/** Does the comparison ask for the absence of a value, for its presence, or for neither? */
const nullTestOf = (comparison: Comparison): boolean | null => {
  if (comparison.op === 'null') return comparison.isNull
  if ((comparison.op === 'eq' || comparison.op === 'ne') && isValueless(comparison)) return comparison.op === 'eq'
  return null
}

const symbols = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

const valueCondition = (draft: StatementDraft, comparison: Comparison) => {
  const { shape, dialect } = draft
  const column = columnTypeOf(comparison.path.member)
  return (expression: string): string => {
    const nullTest = nullTestOf(comparison)
    if (nullTest !== null) return `${expression} IS ${nullTest ? '' : 'NOT '}NULL`
    switch (comparison.op) {
      case 'in':
      case 'out': {
        const among = dialect.among(expression, shape.placeholder(comparison), column)
        const held = hasNull(comparison.values) ? `(${among} OR ${expression} IS NULL)` : among
        return comparison.op === 'in' ? held : `(${held}) IS NOT TRUE`
      }
      case 'like':
      case 'unlike': {
        if (matchingRange(comparison)) {
          const [from, before] = [shape.placeholder(comparison), shape.placeholder(comparison, 1)]
          return `(${expression} >= ${from} AND ${expression} < ${before})`
        }
        const matching = matchingOf(comparison.pattern, comparison.ignoreCase)
        const like = dialect.like(expression, shape.placeholder(comparison), matching)
        if (comparison.op === 'unlike') return `(${like}) IS NOT TRUE`
        const placeholder = (at: number) => shape.placeholder(comparison, at + 1)
        // Only a table has such an index: in parentheses, the expression is no column of one.
        const isIndexed = !shape.source && !(draft.isSample && expression.startsWith('b.'))
        const indexed = isIndexed ? expression : `(${expression})`
        const found = textIndexSql(comparison, indexed, { dialect, placeholder })
        return found === null ? like : `(${found} AND ${like})`
      }
      case 'null':
        throw new Error('a test for null was not recognised as one')
      case 'ne':
        return `${expression} IS DISTINCT FROM ${shape.placeholder(comparison)}`
      default:
        // Nothing is larger or smaller than no value.
        if (isValueless(comparison)) return 'FALSE'
        return `${expression} ${symbols[comparison.op]} ${shape.placeholder(comparison)}`
    }
  }
}

/** Where no index serves the pattern, the folded text is all that the condition looks at. */
const foldedCondition = ({ shape, dialect }: StatementDraft, comparison: Comparison) => {
  if (!('pattern' in comparison) || !foldsText(comparison) || textIndexOf(comparison) !== null) return undefined
  return (folded: string): string => {
    const like = dialect.likeFolded(folded, shape.placeholder(comparison))
    return comparison.op === 'unlike' ? `(${like}) IS NOT TRUE` : like
  }
}

/** A list of texts matches when any of its entries does; the negative comparisons when none does. */
const entriesCondition = (draft: StatementDraft, comparison: Comparison) => {
  const { shape, dialect } = draft
  const test = (): string => {
    switch (comparison.op) {
      case 'like':
      case 'unlike': {
        const matching = matchingOf(comparison.pattern, comparison.ignoreCase)
        return dialect.like('entries.value', shape.placeholder(comparison), matching)
      }
      default:
        return dialect.among('entries.value', shape.placeholder(comparison), 'text')
    }
  }
  return (list: string): string => {
    const nullTest = nullTestOf(comparison)
    if (nullTest !== null) return `${list} IS ${nullTest ? '' : 'NOT '}NULL`
    if ('value' in comparison && isValueless(comparison)) return 'FALSE'
    const hasEntry = `EXISTS (SELECT 1 FROM ${dialect.entryRows(list)} WHERE ${test()}${dialect.fence})`
    const negative = comparison.op === 'ne' || comparison.op === 'out' || comparison.op === 'unlike'
    if ('values' in comparison && hasNull(comparison.values)) {
      return negative ? `NOT (${hasEntry} OR ${list} IS NULL)` : `(${hasEntry} OR ${list} IS NULL)`
    }
    return negative ? `NOT ${hasEntry}` : hasEntry
  }
}

// Ways through relations to one as SQL: each step is a join.

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
