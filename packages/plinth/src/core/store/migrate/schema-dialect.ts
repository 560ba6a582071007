// What databases say differently about tables, columns and indexes.

import type { ColumnType } from '../../model/value-field.ts'
import type { Connection } from '../connection.ts'
import type { CatalogueQueries, FoundTable } from './catalogue.ts'
import type { MigrationStep } from './step.ts'
import type { KeptColumn, TableChange } from './table-change.ts'

/** A name that only instances of the earlier model use. */
export interface FormerName {
  /** The table by its present name. */
  readonly table: string
  /** The column by its present name; null when the former name is one of the table itself. */
  readonly column: string | null
  readonly former: string
}

/** How a database keeps former names working. */
export interface FormerNames {
  /** Rows of table, column or null, former name. */
  readonly query: string
  /** Keeps a renamed column: `former` mirrors it, whichever of both is written. */
  keepColumn(name: FormerName & { readonly column: string }, type: string): string
  /** Keeps the former name of a renamed table. */
  keepTable(name: FormerName): string
  drop(name: FormerName): string
}

/** The database's support of trigrams: it can search by them, it can after a step, or `why` it cannot. */
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
  /** The types as the database itself spells them, so that columns that exist can be compared with the model. */
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
  /**
   * The SQL, within a transaction that loads records, after which references are checked when it commits. Empty where
   * none exist yet.
   */
  readonly deferReferences: string
  /** Drops tables with everything in them. Tables come after those that refer to them, as far as circles allow. */
  dropTables(tables: readonly FoundTable[]): string
  readonly catalogue: CatalogueQueries
  /** Rows of the names of views, and of texts that have their marks. */
  readonly views: string
  createView(view: { readonly name: string; readonly select: string; readonly mark: string }): string
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
