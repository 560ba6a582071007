// What databases say differently. Everything else in this folder is written once, and asks the dialect instead of its name.

import type { ColumnType } from '../../model/field.ts'
import type { Pattern } from '../../model/query.ts'
import type { Cell, Connection, Driver, ResultRows } from '../driver.ts'
import type { CatalogueQueries, FoundTable, KeptColumn, TableChange } from '../migrate/compare.ts'
import type { FormerNames } from '../migrate/former-names.ts'
import type { MigrationStep } from '../migrate/plan.ts'
import type { Matching } from './columns.ts'
import type { Violation } from './refusals.ts'

export interface Dialect {
  readonly name: string
  readonly schema: SchemaDialect
  readonly outbox: OutboxDialect
  /** Slots count from 1; a slot may stand in a text more than once. */
  placeholder(slot: number): string
  /** Stored form → what is bound. */
  cell(value: unknown, column: ColumnType): Cell
  /** Several values in one cell, so that the text does not depend on how many there are. */
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
  /** A condition that every text fulfils which matches the pattern. */
  hasTrigrams(expression: string, trigrams: string, index: string): string
  /** After a sort key that may be null: nulls are the smallest. */
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
  /** Up to how many labels come by joins, on a page that an index gives in its order. */
  readonly joinedLabels: number
  /** Ends a subselect whose rows are all found before they are sorted; null where the planner needs no such barrier. */
  readonly sortFence: string | null
  /** Can a write stand in WITH, so that one statement writes, publishes and selects? */
  readonly writesInWith: boolean
  readonly estimate: RowEstimate
  /** The statement that shows the plan of another one, and its rows as lines of text. */
  readonly explain: { sql(statement: string): string; lines(rows: ResultRows): readonly string[] }
  /** The constraint that refused a write; null for errors of another kind. */
  violationOf(error: unknown): Violation | null
  /** The text of a moment, as records show it, as a value of a timestamp column. */
  timestamp(text: string): string
  /** Appended to a select: hold the rows of this alias until the transaction ends. Exclusive unless given. */
  lock(alias: string, lock?: RowLock): string
}

/** `exclusive` keeps out everyone else who locks or writes the row; `shared` keeps out writers alone. */
export type RowLock = 'exclusive' | 'shared'

/** About how many rows match a condition, without visiting all of them. */
export interface RowEstimate {
  /** The rows that the condition is put to, as a table expression: all of them, or a sample. `part`: a condition on them. */
  rows(source: { readonly table: string; readonly source: string; readonly part: string }): string
  /** The statement, from its FROM and WHERE. */
  sql(matching: string, table: string): string
  /** The number in its rows. */
  read(rows: ResultRows): number
}

// Tables, columns and indexes

/** Whether the database can search by trigrams: it can, it can after a step, or `why` it cannot. */
export type TrigramSupport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'creatable'; readonly step: MigrationStep }
  | { readonly kind: 'missing'; readonly why: string }

/** An index on the trigrams of a text column. */
export interface TrigramIndex {
  readonly name: string
  readonly table: string
  readonly column: string
}

export interface SchemaDialect {
  /** As the database itself spells them when asked, so that what is there can be compared with what is wanted. */
  readonly columnTypes: Readonly<Record<ColumnType, string>>
  /** The type of a key that the database numbers itself. */
  readonly serialType: string
  /** The present moment as a timestamp. */
  readonly now: string
  booleanSql(value: boolean): string
  /** What follows the columns in CREATE TABLE. `pairs`: two keys and nothing else. */
  tableOptions(pairs: boolean): string
  /** A key of an index whose absent values come first. */
  indexKey(expression: string): string
  createTrigrams(index: TrigramIndex): string
  dropTrigrams(name: string): string
  trigramSupport(connection: Connection): Promise<TrigramSupport>
  /** May a table refer to one that does not exist yet? */
  readonly takesForwardReferences: boolean
  /** Gives a column another reference, or none. */
  replaceReference(change: TableChange, column: KeptColumn): string
  /** Within a transaction that loads records: from now on, references are checked when it commits. Empty where none exist yet. */
  readonly deferReferences: string
  /** Drops tables with everything in them. Tables come after those that refer to them, as far as circles allow. */
  dropTables(tables: readonly FoundTable[]): string
  readonly catalogue: CatalogueQueries
  /** Keeps other instances from migrating until the transaction ends; what they have done before is then seen. */
  lockMigrations(connection: Connection): Promise<void>
  /** How former names go on working beside new ones; null where only one instance of the service uses a database. */
  readonly formerNames: FormerNames | null
  /** How indexes are built while others write; null where that is not possible. */
  readonly concurrentIndexes: ConcurrentIndexes | null
}

export interface ConcurrentIndexes {
  /** Would writers notice that an index of this table is built? */
  isLarge(connection: Connection, table: string): Promise<boolean>
  /** The statement for the index that another one creates. It runs outside of transactions. */
  create(sql: string): string
  drop(name: string): string
  /** Prepares a session that builds; false while another one does. */
  begin(connection: Connection): Promise<boolean>
}

// The event log and the outbox

/** The channel on which instances notify one another of new events. */
export const eventChannel = 'plinth_events'

/** The log itself: `sequence`, `time`, `type`, `resource`, `pk`, `seen`, `was`. */
export const eventTable = '"plinth_events"'

/** The newest event: the numbers of events must not begin again, since subscribers resume by them. */
export interface LastEvent {
  readonly sequence: number
  readonly type: string
  readonly resource: string
  readonly pk: string
}

export interface OutboxDialect {
  /** Makes the tables that are missing; nothing else runs it at the same time. */
  readonly createTables: string
  /** The table that a write adds its events to, in its own transaction. */
  readonly table: string
  /** Columns of that table beside those of every event, with their values as SQL. */
  readonly columns: Readonly<Record<string, string>>
  /** A JSON object as an expression, from names and values by turns. */
  image(pairs: readonly string[]): string
  /** A placeholder for the text of such an object, as a value of the table. */
  imageOf(placeholder: string): string
  /** The text of such an object. */
  imageText(image: string): string
  /** The form that a value of a column has inside such an object → its stored form; absent: the same. */
  readonly decode: { readonly [column in ColumnType]?: (value: unknown) => unknown }
  /** Moves committed events from the table of writes to the log, numbered in an order that agrees with that of the commits. */
  arrange(driver: Driver): Promise<void>
  /** Empties the log. The next event has the number after `sequence`, and subscribers who saw others have to reload. */
  restart(connection: Connection, last: LastEvent): Promise<void>
  /** Selects the lowest number in the log, or null, and the highest that was ever given, or null. */
  readonly window: string
  /** The moment so many hours ago, in the form of the log's `time`. */
  hoursAgo(placeholder: string): string
}
