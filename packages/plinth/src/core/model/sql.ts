// SQL of the application, as data: texts with parameters between them, and names that come from definitions. The store makes a statement
// of it.

import type { ShapeFields, ValueField } from './value-field.ts'

/** A definition, as far as statements need it. */
export interface SqlSource {
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A parameter of a statement. A list stands for as many parameters as it has entries, in parentheses. */
export type SqlParameter = string | number | boolean | null | Date | readonly (string | number)[]

/** What may stand in `${…}`: a parameter, a name of the model, or another piece of SQL. */
export type SqlPart = SqlParameter | SqlFragment

/** A piece of SQL, made by `sql`. */
export type SqlFragment =
  | { readonly kind: 'text'; readonly texts: readonly string[]; readonly parts: readonly SqlPart[] }
  | { readonly kind: 'table'; readonly definition: SqlSource }
  | { readonly kind: 'column'; readonly definition: SqlSource; readonly field: string }
  /** The texts by the names of the databases. */
  | { readonly kind: 'dialects'; readonly texts: Readonly<Record<string, SqlFragment>> }

/** The columns of a table that every record has. */
type OwnColumn = 'pk' | 'version' | 'createdDate' | 'lastModifiedDate' | 'createdBy' | 'lastModifiedBy'

interface SqlTag {
  /**
   * A piece of SQL, for use inside others.
   *
   * @example const late = sql`${sql.column(loans, 'due')} < ${today}`
   */
  (texts: TemplateStringsArray, ...parts: readonly SqlPart[]): SqlFragment
  /** The table of a resource. */
  table(definition: SqlSource): SqlFragment
  /** A column of it, without the name of the table. */
  column<D extends SqlSource>(definition: D, field: (keyof D['fields'] & string) | OwnColumn): SqlFragment
  /** What the databases say differently. */
  dialects(texts: { readonly sqlite: SqlFragment; readonly postgres: SqlFragment }): SqlFragment
}

/**
 * Pieces of SQL for `records.sql`: values become parameters, tables and columns are named by their definitions.
 *
 * @example const total = sql`sum(${sql.column(invoices, 'total')})`
 */
export const sql: SqlTag = Object.assign(
  (texts: TemplateStringsArray, ...parts: readonly SqlPart[]): SqlFragment => ({ kind: 'text', texts, parts }),
  {
    table: (definition: SqlSource): SqlFragment => ({ kind: 'table', definition }),
    column: (definition: SqlSource, field: string): SqlFragment => ({ kind: 'column', definition, field }),
    dialects: (texts: { readonly sqlite: SqlFragment; readonly postgres: SqlFragment }): SqlFragment => ({
      kind: 'dialects',
      texts,
    }),
  },
)

/** The rows of a statement, by the columns that it declares, in stored form. */
export type SqlRow<Columns extends ShapeFields> = {
  readonly [K in keyof Columns]: Columns[K] extends ValueField<infer Read> ? Read : never
}

export interface SqlOptions {
  /** It changes rows. Hooks, checks, history and events do not notice. */
  readonly write?: boolean
}

/** The statement itself, written as a template. */
export type SqlTemplate<Columns extends ShapeFields> = (
  texts: TemplateStringsArray,
  ...parts: readonly SqlPart[]
) => Promise<readonly SqlRow<Columns>[]>
