// How many rows a statement may visit, estimated from the plan of SQLite for it, the sizes of its tables and what is known of the
// values that it looks up.

import { indexPrefixes, quote } from '../sql/columns.ts'
import type { CellCondition, StatementFacts } from '../statement-facts.ts'
import { sqliteDialect } from './dialect.ts'

export type PlanStep = readonly [id: number, parent: number, unused: number, detail: string]

/** The rows of an index that a statement reads: those with some values, or between two. */
export interface IndexLookup {
  /** The index and its columns, to remember what is known of it. */
  readonly name: string
  readonly table: string
  /** Conditions of the statement on the first column of the index: the rows are those of one of them. None where the values come from other tables. */
  readonly conditions: readonly LookupCondition[]
  /** Is the number of rows a guess as long as they are not counted? */
  readonly isGuess: boolean
}

export interface LookupCondition {
  /** The condition on the columns of the table, with slots for its own cells. */
  readonly sql: string
  /** The places of these cells among those of the statement, from 0. */
  readonly cells: readonly number[]
}

export interface PlanCost {
  /** The number of rows that are visited, about. */
  readonly visits: number
  /** Are all matches sorted before the first of them is known? */
  readonly sorts: boolean
  /** Index lookups whose number of rows is a guess. */
  readonly guesses: readonly string[]
}

/** What the rows of a plan are reckoned with. */
export interface TableKnowledge {
  readonly sizeOf: (table: string) => number
  /** Is null where nothing better than a guess is known. */
  readonly countOf: (lookup: IndexLookup) => number | null
}

interface PlanNode {
  readonly id: number
  readonly parent: number
  /** The table that it visits; null for none, undefined for one that is not known. */
  readonly table: string | null | undefined
  readonly detail: string
  readonly lookup: IndexLookup | null
  /** The rows that the query below it runs for: those of the statement, or only those that are returned. Null where it runs once. */
  readonly runsFor: 'rows' | 'returned' | null
}

export class QueryPlan {
  /** Are all matches sorted before the first of them is known? */
  readonly sorts: boolean
  readonly #nodes: readonly PlanNode[]
  readonly #facts: StatementFacts

  constructor(steps: readonly PlanStep[], facts: StatementFacts) {
    // Their rows are counted where they are made.
    const derived = new Set(steps.map(([, , , detail]) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1]))
    this.#nodes = steps.map(([id, parent, , detail]) => {
      const alias = aliasIn(detail)
      const isRead = alias !== undefined && !derived.has(alias) && detail !== 'SCAN CONSTANT ROW'
      const table = isRead ? facts.tables.get(alias) : null
      const lookup = isRead && table ? lookupOf(detail, facts, { alias, table }) : null
      const runsFor = !detail.startsWith('CORRELATED ') ? null : isSelected(id, steps, facts) ? 'returned' : 'rows'
      return { id, parent, table, detail, lookup, runsFor }
    })
    this.#facts = facts
    this.sorts = steps.some(([, , , detail]) => /^USE TEMP B-TREE FOR (?!json)/.test(detail))
  }

  costWith({ sizeOf, countOf }: TableKnowledge): PlanCost {
    const { sorts } = this
    const largest = Math.max(1, ...[...new Set(this.#facts.tables.values())].map(sizeOf))
    if (this.#facts.countsTable) return { visits: largest / cellsPerPage, sorts, guesses: [] }
    const guesses: string[] = []
    const rowsAt = ({ table, detail, lookup }: PlanNode): number => {
      const fixed = fixedRows(detail)
      if (fixed !== null) return fixed
      const size = Math.max(1, table ? sizeOf(table) : largest)
      if (!lookup) return rowsOf(detail, size)
      const counted = countOf(lookup)
      if (counted !== null) return Math.min(size, counted)
      if (lookup.isGuess) guesses.push(lookup.name)
      return rowsOf(detail, size)
    }
    /** Loops stand one below the other, the outer one first. Correlated queries run for each row of the innermost. */
    const visit = (parent: number, times: number): number => {
      let [visits, rows] = [0, times]
      for (const node of this.#nodes) {
        if (node.parent !== parent) continue
        if (node.table !== null) {
          rows *= rowsAt(node)
          visits += rows
        }
        const { id, runsFor } = node
        visits += visit(id, runsFor === null ? times : runsFor === 'returned' ? Math.min(rows, maxPage) : rows)
      }
      return visits
    }
    const visits = visit(0, 1)
    return { visits, sorts, guesses }
  }
}

/** The name of the table that a step visits; undefined where it visits none. */
const aliasIn = (detail: string): string | undefined => /^(?:SCAN|SEARCH) (\S+)/.exec(detail)?.[1]

/** Queries among the selected columns run for the rows that are returned alone. */
const isSelected = (query: number, steps: readonly PlanStep[], { selected }: StatementFacts): boolean =>
  steps.some(([, parent, , detail]) => parent === query && selected.has(aliasIn(detail) ?? ''))

const maxPage = 500

/** A count without conditions reads how many cells each page has, and none of the rows. */
const cellsPerPage = 100

/** Values of a list that a caller has sent, and entries of a list in a record. */
const [listedValues, listedEntries] = [50, 5]

/**
 * The rows of a source that is no table. Those of a search by trigrams depend on the trigrams and are estimated for
 * each search.
 */
const fixedRows = (detail: string): number | null => {
  if (detail.startsWith(`SCAN ${indexPrefixes.trigrams}`)) return 1
  if (detail.startsWith('SCAN entries ')) return listedEntries
  return / VIRTUAL TABLE INDEX /.test(detail) ? listedValues : null
}

const rowsOf = (detail: string, size: number): number => {
  if (detail.startsWith('SCAN')) return size
  if (isUnique(detail)) return 1
  if (isGuess(detail)) return Math.sqrt(size)
  // Between two values lie far fewer than above or below one: mostly the texts with the same first letters.
  return detail.includes('>? AND ') && detail.includes('<?') ? size / 30 : size / 3
}

/** Says whether the rows come by the index of a primary key or of a unique column. */
const isUnique = (detail: string): boolean =>
  detail.includes('rowid=?') || (detail.includes('sqlite_autoindex') && detail.endsWith('=?)'))

/** How many rows share a value is not known; what is measured corrects the guess. */
const isGuess = (detail: string): boolean => detail.startsWith('SEARCH') && detail.includes('=?') && !isUnique(detail)

/** The condition with its own cells alone. */
const toLookup = (condition: CellCondition): LookupCondition => ({
  sql: conditionSql(condition),
  cells: condition.cells,
})

const conditionSql = ({ column, comparison, anyCase }: CellCondition): string => {
  const { anyCase: ignoringCase, placeholder, among } = sqliteDialect
  const value = anyCase ? ignoringCase(column) : column
  switch (comparison) {
    case 'range':
      return `${value} >= ${placeholder(1)} AND ${value} < ${placeholder(2)}`
    case 'in':
      return among(value, placeholder(1), 'text')
    case 'null':
      return `${value} IS NULL`
    default:
      return `${value} ${comparison} ${placeholder(1)}`
  }
}

interface TableAlias {
  readonly alias: string
  readonly table: string
}

const lookupOf = (detail: string, { conditions }: StatementFacts, { alias, table }: TableAlias): IndexLookup | null => {
  const [, name = '', columns = ''] =
    /^SEARCH \S+ USING ((?:COVERING )?(?:INDEX|PRIMARY KEY)[^(]*)\((.*)\)/.exec(detail) ?? []
  const first = /^(\w+)[=<>]/.exec(columns)?.[1]
  if (first === undefined || isUnique(detail)) return null
  return {
    name: `${table} ${name}(${columns})`,
    table,
    conditions: (conditions.get(`${alias}.${quote(first)}`) ?? []).map(toLookup),
    isGuess: isGuess(detail),
  }
}
