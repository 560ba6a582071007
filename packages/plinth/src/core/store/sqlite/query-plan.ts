// How many rows a statement may visit, estimated from the plan of SQLite for it, the sizes of its tables and what is known of the
// values that it looks up.

import { indexPrefixes } from '../sql/columns.ts'

export type PlanStep = readonly [id: number, parent: number, unused: number, detail: string]

/** The rows of an index that a statement reads: those with some values, or between two. */
export interface IndexLookup {
  /** The index and its columns, to remember what is known of it. */
  readonly name: string
  readonly table: string
  /**
   * Conditions of the statement, as SQL on the columns of the table, with the numbers of their cells: the rows are those of one of
   * them. None where the values come from other tables.
   */
  readonly conditions: readonly LookupCondition[]
  /** Is the number of rows a guess as long as they are not counted? */
  readonly isGuess: boolean
}

export interface LookupCondition {
  /** The SQL with `?` in the place of each cell. */
  readonly sql: string
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
  /** The number of the query that runs for each row; null if none does. */
  readonly correlated: number | null
}

export class QueryPlan {
  /** Are all matches sorted before the first of them is known? */
  readonly sorts: boolean
  readonly #nodes: readonly PlanNode[]
  readonly #tables: ReadonlySet<string>
  readonly #selected: number
  readonly #isPlainCount: boolean

  constructor(steps: readonly PlanStep[], sql: string) {
    const tables = tablesIn(sql)
    for (const [alias, table] of tables) if (table.startsWith(indexPrefixes.trigrams)) tables.delete(alias)
    // Their rows are counted where they are made.
    const derived = new Set(steps.map(([, , , detail]) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1]))
    this.#nodes = steps.map(([id, parent, , detail]) => {
      const [, alias] = /^(?:SCAN|SEARCH) (\S+)/.exec(detail) ?? []
      const [, number] = /^CORRELATED \w+ SUBQUERY (\d+)/.exec(detail) ?? []
      const isRead = alias !== undefined && !derived.has(alias) && detail !== 'SCAN CONSTANT ROW'
      const table = isRead ? tables.get(alias) : null
      const lookup = isRead && table ? lookupOf(detail, { sql, alias, table }) : null
      return { id, parent, table, detail, lookup, correlated: number === undefined ? null : Number(number) }
    })
    this.#tables = new Set(tables.values())
    this.#selected = selectedQueries(sql)
    this.#isPlainCount = /^SELECT count\(\*\) FROM "\w+" AS b$/.test(sql)
    this.sorts = steps.some(([, , , detail]) => /^USE TEMP B-TREE FOR (?!json)/.test(detail))
  }

  costWith({ sizeOf, countOf }: TableKnowledge): PlanCost {
    const { sorts } = this
    const largest = Math.max(1, ...[...this.#tables].map(sizeOf))
    if (this.#isPlainCount) return { visits: largest / cellsPerPage, sorts, guesses: [] }
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
        const { id, correlated } = node
        const isSelected = correlated !== null && correlated <= this.#selected
        visits += visit(id, correlated === null ? times : isSelected ? Math.min(rows, maxPage) : rows)
      }
      return visits
    }
    const visits = visit(0, 1)
    return { visits, sorts, guesses }
  }
}

/** Queries among the selected columns run for the rows that are returned alone; the planner numbers them first. */
const selectedQueries = (sql: string): number => {
  let [depth, queries] = [0, 0]
  for (const [token] of sql.matchAll(/\(SELECT\b|\(|\)|\bFROM\b/g)) {
    if (token === 'FROM' && depth === 0) break
    if (token === '(SELECT') queries += 1
    depth += token === ')' ? -1 : token === 'FROM' ? 0 : 1
  }
  return queries
}

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

/** `FROM "films" AS b` → b: films; a table without an alias goes by its own name. */
const tablesIn = (sql: string): Map<string, string> => {
  const tables = new Map<string, string>()
  for (const [, table = '', alias] of sql.matchAll(/(?:FROM|JOIN) "(\w+)"(?: AS (\w+))?/g))
    tables.set(alias ?? table, table)
  return tables
}

/** Says whether a lookup uses the index of a primary key or of a unique column. */
const isUnique = (detail: string): boolean =>
  detail.includes('rowid=?') || (detail.includes('sqlite_autoindex') && detail.endsWith('=?)'))

/** How many rows share a value is not known; what is measured corrects the guess. */
const isGuess = (detail: string): boolean => detail.startsWith('SEARCH') && detail.includes('=?') && !isUnique(detail)

interface TableAlias {
  readonly sql: string
  readonly alias: string
  readonly table: string
}

const lookupOf = (detail: string, { sql, alias, table }: TableAlias): IndexLookup | null => {
  const [, name = '', columns = ''] =
    /^SEARCH \S+ USING ((?:COVERING )?(?:INDEX|PRIMARY KEY)[^(]*)\((.*)\)/.exec(detail) ?? []
  const first = /^(\w+)[=<>]/.exec(columns)?.[1]
  if (first === undefined || isUnique(detail)) return null
  return {
    name: `${table} ${name}(${columns})`,
    table,
    conditions: conditionsOn(first, { sql, alias, table }),
    isGuess: isGuess(detail),
  }
}

/** The conditions on a column that are made of nothing but cells. */
const conditionsOn = (column: string, { sql, alias }: TableAlias): readonly LookupCondition[] => {
  const key = `${alias}\\."${column}"`
  const forms = [
    `${key}(?: COLLATE NOCASE)? >= \\?\\d+ AND ${key}(?: COLLATE NOCASE)? < \\?\\d+`,
    `${key} (?:=|>=|<=|>|<) \\?\\d+`,
    `${key} IN \\(SELECT value FROM json_each\\(\\?\\d+\\)\\)`,
    `${key} IS NULL`,
  ]
  return [...sql.matchAll(new RegExp(forms.join('|'), 'g'))].map(([text]) => ({
    sql: text.replaceAll(`${alias}.`, '').replace(/\?\d+/g, '?'),
    cells: [...text.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number) - 1),
  }))
}
