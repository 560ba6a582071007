// What the maker of a statement knows of it. With the plan of the database it tells how many rows the statement visits and what it takes
// for each of them, and its text is not read again.

import { comparisonWeights, comparisonWork, foldsText } from '../model/comparison-work.ts'
import type { Comparison } from '../model/query.ts'

/** How cells limit a column: `range` is from the first of them to before the second. */
export type CellComparison = '=' | '>' | '>=' | '<' | '<=' | 'range' | 'in' | 'null'

/** A condition on a column that is made of nothing but cells: an index on the column gives its rows. */
export interface CellCondition {
  /** The column in SQL, by its name alone. */
  readonly column: string
  readonly comparison: CellComparison
  /** The places of its cells, from 0. */
  readonly cells: readonly number[]
  /** Is the case of ASCII letters ignored? */
  readonly anyCase: boolean
}

/** A search by an index on trigrams. */
export interface TrigramSearch {
  readonly index: string
  /** What the index is about. */
  readonly table: string
  readonly column: string
  /** The place of the cell with the trigrams, from 0. */
  readonly cell: number
}

export interface StatementFacts {
  /** The tables that it reads, by the names that they go by in the text. */
  readonly tables: ReadonlyMap<string, string>
  /** Names of tables in queries among the selected columns: they are read for the rows that are returned, and for no others. */
  readonly selected: ReadonlySet<string>
  /** By the column, as the text has it: `b."name"`. */
  readonly conditions: ReadonlyMap<string, readonly CellCondition[]>
  readonly trigrams: readonly TrigramSearch[]
  /** The places of patterns, from 0. How a pattern begins decides whether an index serves it. */
  readonly patterns: readonly number[]
  /** What it does for each row, compared with one of which nothing is asked. */
  readonly rowWork: number
  /** Says that the statement counts the rows of a whole table. */
  readonly countsTable: boolean
}

/** The facts of a statement under construction. */
export class DraftFacts implements StatementFacts {
  readonly tables = new Map<string, string>()
  readonly selected = new Set<string>()
  readonly conditions = new Map<string, CellCondition[]>()
  readonly trigrams: TrigramSearch[] = []
  readonly patterns: number[] = []
  countsTable = false
  /** Columns in SQL by their names alone, by the expressions that stand for them. */
  readonly #columns = new Map<string, { readonly alias: string; readonly column: string }>()
  readonly #folded = new Set<string>()
  #comparisons = 0
  #isSelecting = false

  reads(name: string, table: string): void {
    this.tables.set(name, table)
    if (this.#isSelecting) this.selected.add(name)
  }

  /** Marks the tables of what it makes as selected. */
  selecting<T>(make: () => T): T {
    this.#isSelecting = true
    const made = make()
    this.#isSelecting = false
    return made
  }

  /** The expression that stands for a column, which is given in SQL. */
  column(alias: string, column: string): string {
    const expression = `${alias}.${column}`
    this.#columns.set(expression, { alias, column })
    return expression
  }

  /** The name of the table that has the column; null for an expression that is none. */
  aliasOf(expression: string): string | null {
    return this.#columns.get(expression)?.alias ?? null
  }

  /** Notes that the expression is compared with cells. Only of columns something follows from it. */
  limits(expression: string, comparison: CellComparison, { cells, anyCase = false }: LimitingCells): void {
    const column = this.#columns.get(expression)?.column
    if (column === undefined) return
    const known = this.conditions.get(expression) ?? []
    this.conditions.set(expression, [...known, { column, comparison, cells, anyCase }])
  }

  /** Adds the work of a comparison. A text is folded once, however often it is compared. */
  compares(comparison: Comparison): void {
    this.#comparisons += comparisonWork(comparison)
    const { steps, field } = comparison.path
    if (foldsText(comparison)) this.#folded.add([...steps.map(({ relation }) => relation.name), field.name].join('.'))
  }

  /** Adds work beyond comparisons, in simple rows. */
  computes(work: number): void {
    this.#comparisons += work
  }

  get rowWork(): number {
    return 1 + this.#comparisons + this.#folded.size * comparisonWeights.fold
  }
}

interface LimitingCells {
  readonly cells: readonly number[]
  readonly anyCase?: boolean
}

/** The facts of a statement that reads these tables, by their names, and asks little of each row. */
export const readsOf = (tables: Readonly<Record<string, string>>): StatementFacts => ({
  tables: new Map(Object.entries(tables)),
  ...{ selected: new Set<string>(), conditions: new Map(), trigrams: [], patterns: [] },
  ...{ rowWork: 1, countsTable: false },
})
