// What databases say differently. Everything else in this folder is written once, and asks the dialect instead of its name.

import type { Pattern } from '../../model/query.ts'
import type { BucketUnit } from '../../model/time-buckets.ts'
import type { ColumnType } from '../../model/value-field.ts'
import type { Distance } from '../../model/vectors.ts'
import type { Cell, ResultRows } from '../connection.ts'
import type { SearchDialect } from '../search/tables.ts'
import type { Matching } from './text-patterns.ts'

export interface Dialect {
  readonly name: string
  /** Returns the text that is for this database, of those by the names of databases. */
  choose<T>(texts: Readonly<Record<string, T>>): T | undefined
  /** Slots count from 1; a slot may stand in a text more than once. */
  placeholder(slot: number): string
  /** Converts the stored form to what is bound. */
  cell(value: unknown, column: ColumnType): Cell
  /** NULL as a value of such a column. */
  nullOf(column: ColumnType): string
  /** Puts several values into one cell, so that the text does not depend on how many there are. */
  list(values: readonly unknown[], column: ColumnType): Cell
  /** A condition: is the expression among the values of a list cell? */
  among(expression: string, list: string, column: ColumnType): string
  /** A condition: is the expression among the values of a column in these rows, `FROM … WHERE …`? Unknown where it is null. */
  amongRows(
    expression: string,
    column: string,
    subselect: { readonly rows: string; readonly isJoined: boolean },
  ): string
  /** A condition: is the expression among the few values that a subselect gives? */
  amongKeys(expression: string, subselect: string): string
  /** Rows `listed(value)` from a list cell of texts, to be selected from. */
  listRows(list: string): string
  /** Rows from a list cell for each column of these types, from this slot on or from the first; null where they have to be spelled out. */
  readonly columnRows: ((columns: readonly ColumnType[], slot?: number) => string) | null
  /** Rows `kept(pk, version)` from a list cell of texts and one of as many numbers. */
  keptRows(pks: string, versions: string): string
  /** Rows `entries(value)` from a column that holds a JSON list of texts. */
  entryRows(expression: string): string
  /** What a cell read needs to come to its stored form; absent: nothing. */
  readonly decode: { readonly [column in ColumnType]?: (cell: unknown) => unknown }
  /** Text in an order and with an equality that ignore the case of ASCII letters. */
  anyCase(expression: string): string
  /** Text as `fold` leaves it, with the case of all letters folded. */
  foldCase(expression: string): string
  /** A test of a text, given the expression of its folded form. The text is folded once, however often the test has it. */
  testFolded(expression: string, test: (folded: string) => string): string
  like(expression: string, pattern: string, matching: Matching): string
  /** The same for a text that is folded already. */
  likeFolded(folded: string, pattern: string): string
  pattern(pattern: Pattern, matching: Matching): string
  /** What an index on trigrams is asked for; null where the comparison with the pattern itself asks it. */
  trigramCell(pattern: Pattern, matching: Matching): string | null
  /** A condition that every text fulfils which matches the pattern. `alias`: the table that has the text as a column; null for others. */
  hasTrigrams(
    text: { readonly expression: string; readonly alias: string | null },
    trigrams: string,
    index: string,
  ): string
  /**
   * The period of a time: its first day, or for hours the moment at which it begins. `isDay`: the expression is a calendar day.
   * `timeZone`: a placeholder of its name; null for UTC.
   */
  bucket(expression: string, period: TimePeriod): string
  /** The value below which a share of the numbers lies, interpolated between two of them. */
  percentile(expression: string, share: number): string
  /** The distance of a vector in a column from the one of a placeholder, as `distanceBetween` computes it. */
  distance(expression: string, vector: string, distance: Distance): string
  /** Is a sum larger than the database can tell? */
  isOverflow(error: unknown): boolean
  /** Orders nulls as the smallest values, after a sort key that may be null. */
  orderNulls(descending: boolean): string
  /** One JSON list of [pk, label] pairs, ordered by pk, over the rows of a subselect. */
  pairs(pk: string, label: string): string
  /**
   * A condition that always holds, put to rows before all others, so that a statement can be ended while it runs; null where the
   * server ends it. `isHeavy`: the other conditions take long.
   */
  readonly watch: ((isHeavy: boolean) => string) | null
  /** Ends a subselect under EXISTS that must stay one, and not become a join. */
  readonly fence: string
  /** How many subselects of a statement may become joins. */
  readonly joinedSubselects: number
  /** The most labels that come by joins, on a page that an index gives in its order. */
  readonly joinedLabels: number
  /** Ends a subselect whose rows are all found before they are sorted; null where the planner needs no such barrier. */
  readonly sortFence: string | null
  /**
   * Is a page of records that refer to others with a name put together from the index of each of these? Where the planner does not
   * know how many records refer to one.
   */
  readonly walksReferences: boolean
  /** Can a write stand in WITH, so that one statement writes, publishes and selects? */
  readonly writesInWith: boolean
  readonly estimate: RowEstimate
  readonly search: SearchDialect
  /** The statement that shows the plan of another one, and its rows as lines of text. */
  readonly explain: { sql(statement: string): string; lines(rows: ResultRows): readonly string[] }
  /** The constraint that refused a write; null for errors of another kind. */
  violationOf(error: unknown): Violation | null
  /** The text of a moment, as records show it, as a value of a timestamp column. */
  timestamp(text: string): string
  /** Has the database answered with this error, and undone what the statement did? Then it may be sent again. */
  isUndone(error: unknown): boolean
  /** Did the statement fail since others have held what it needs for too long? */
  isHeld(error: unknown): boolean
  /** Appended to a select: hold the rows of this alias until the transaction ends. Exclusive unless given. */
  lock(alias: string, lock?: RowLock): string
}

export interface TimePeriod {
  readonly unit: BucketUnit
  readonly isDay: boolean
  readonly timeZone: string | null
}

/**
 * `exclusive` keeps out everyone else who locks or writes the row; `shared` keeps out writers alone. `free`: exclusive, of rows that
 * no one else holds; the others are left out.
 */
export type RowLock = 'exclusive' | 'shared' | 'free'

/** The number of rows that match a condition, about, without visiting all of them. */
export interface RowEstimate {
  /** The rows that the condition is put to, as a table expression: all of them, or a sample. `part`: a condition on them. */
  rows(source: { readonly table: string; readonly source: string; readonly part: string }): string
  /** The statement, from its FROM and WHERE. */
  sql(matching: string, table: string): string
  /** The number in its rows. */
  read(rows: ResultRows): number
}

/** What a constraint of the database refused. */
export interface Violation {
  readonly kind: 'unique' | 'reference' | 'required'
  /** The columns; empty when the database does not name them. */
  readonly columns: readonly string[]
  /** The table that refers, for references; null when the database does not name it. */
  readonly table: string | null
}
