// Conditions on the value at the end of a path.

import { foldsText } from '../../model/comparison-work.ts'
import type { Comparison } from '../../model/query.ts'
import { columnTypeOf } from './columns.ts'
import type { StatementDraft } from './from.ts'
import { hasNull, isValueless } from './shape.ts'
import { matchingRange, textIndexOf, textIndexSql } from './text-indexes.ts'
import { matchingOf } from './text-patterns.ts'

/** Does the comparison ask for the absence of a value, for its presence, or for neither? */
export const nullTestOf = (comparison: Comparison): boolean | null => {
  if (comparison.op === 'null') return comparison.isNull
  if ((comparison.op === 'eq' || comparison.op === 'ne') && isValueless(comparison)) return comparison.op === 'eq'
  return null
}

/** The places of so many cells from this slot on. */
const cellsFrom = (slot: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => slot - 1 + at)

const symbols = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const

export const valueCondition = (draft: StatementDraft, comparison: Comparison) => {
  const { shape, dialect, facts } = draft
  const column = columnTypeOf(comparison.path.field)
  return (expression: string): string => {
    const nullTest = nullTestOf(comparison)
    if (nullTest) facts.limits(expression, 'null', { cells: [] })
    if (nullTest !== null) return `${expression} IS ${nullTest ? '' : 'NOT '}NULL`
    switch (comparison.op) {
      case 'in':
      case 'out': {
        if (comparison.op === 'in') facts.limits(expression, 'in', { cells: cellsFrom(shape.slotOf(comparison), 1) })
        if (comparison.op === 'in' && hasNull(comparison.values)) facts.limits(expression, 'null', { cells: [] })
        const among = dialect.among(expression, shape.placeholder(comparison), column)
        const matches = hasNull(comparison.values) ? `(${among} OR ${expression} IS NULL)` : among
        return comparison.op === 'in' ? matches : `(${matches}) IS NOT TRUE`
      }
      case 'like':
      case 'unlike': {
        const slot = shape.slotOf(comparison)
        if (matchingRange(comparison)) {
          facts.limits(expression, 'range', { cells: cellsFrom(slot, 2) })
          const [from, before] = [shape.placeholder(comparison), shape.placeholder(comparison, 1)]
          return `(${expression} >= ${from} AND ${expression} < ${before})`
        }
        const matching = matchingOf(comparison.pattern, comparison.ignoreCase)
        const like = dialect.like(expression, shape.placeholder(comparison), matching)
        if (comparison.op === 'unlike') return `(${like}) IS NOT TRUE`
        facts.patterns.push(...cellsFrom(slot, 1))
        // Only a table has such an index: in parentheses, the expression is no column of one.
        const alias = facts.aliasOf(expression)
        const isIndexed = !shape.source && !(draft.isSample && alias === 'b')
        const indexed = isIndexed ? { expression, alias } : { expression: `(${expression})`, alias: null }
        const found = textIndexSql(draft, comparison, { ...indexed, slot: slot + 1 })
        return found === null ? like : `(${found} AND ${like})`
      }
      case 'null':
        throw new Error('a test for null was not recognised as one')
      case 'ne':
        return `${expression} IS DISTINCT FROM ${shape.placeholder(comparison)}`
      default:
        // Nothing is larger or smaller than no value.
        if (isValueless(comparison)) return 'FALSE'
        facts.limits(expression, symbols[comparison.op], { cells: cellsFrom(shape.slotOf(comparison), 1) })
        return `${expression} ${symbols[comparison.op]} ${shape.placeholder(comparison)}`
    }
  }
}

/** Compares the folded text alone, where no index serves the pattern. */
export const foldedCondition = ({ shape, dialect }: StatementDraft, comparison: Comparison) => {
  if (!('pattern' in comparison) || !foldsText(comparison) || textIndexOf(comparison) !== null) return undefined
  return (folded: string): string => {
    const like = dialect.likeFolded(folded, shape.placeholder(comparison))
    return comparison.op === 'unlike' ? `(${like}) IS NOT TRUE` : like
  }
}

/** A list of texts matches when any of its entries does; the negative comparisons when none does. */
export const entriesCondition = (draft: StatementDraft, comparison: Comparison) => {
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
