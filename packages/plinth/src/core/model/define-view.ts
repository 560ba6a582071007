// defineView: a resource that is a view of the database. It is read like every other resource and never written.

import { markPlace } from '../source-place.ts'
import type { AccessRules } from './access-rules.ts'
import type { ResourceDefinition } from './define.ts'
import type { ResourceModel } from './definition.ts'
import type { Families } from './family.ts'
import type { ToOneField } from './field.ts'
import { assigned } from './identifier.ts'
import type { SqlFragment } from './sql.ts'
import type { ValueField } from './value-field.ts'
import type { Text, Title } from './words.ts'

type ViewField = ValueField | ToOneField

/** What `defineView` takes. */
export interface ViewDeclaration<Fields extends Record<string, ViewField>> {
  readonly about: Text
  readonly title?: Title
  readonly singularTitle?: Title
  readonly singular?: string
  /** The columns that the statement returns, by their names. */
  readonly fields: Fields
  /** The column that is different in each row; it is the `pk` of the records. */
  readonly key: keyof Fields & string
  /** One SELECT, or one for each database by `sql.dialects`. Values in it become part of the text. */
  readonly sql: SqlFragment
  readonly label?: keyof Fields & string
  readonly access: Pick<AccessRules, 'read'>
  /** Named rules, as those of a resource. */
  readonly rules?: ResourceModel['rules']
  readonly families?: Families
}

/**
 * Declares a read-only resource over a statement of your own. The database keeps it as a view, which migrations create, replace and
 * drop; its columns are fields with types, rules, filters, sorting and totals.
 *
 * @example
 * export const authorTotals = defineView('authorTotals', {
 *   about: 'How many books each author has.',
 *   key: 'author',
 *   fields: { author: ref(authors, { required: true }), books: integer({ required: true }) },
 *   sql: sql`SELECT ${sql.column(books, 'author')} AS "author", count(*) AS "books" FROM ${sql.table(books)} GROUP BY 1`,
 *   access: { read: 'true' },
 * })
 */
export const defineView = <const Name extends string, const Fields extends Record<string, ViewField>>(
  name: Name,
  { sql, key, fields, ...options }: ViewDeclaration<Fields>,
): ResourceDefinition<Fields, 'none', Name> =>
  markPlace(
    {
      ...options,
      name,
      fields: readOnly(fields),
      singular: options.singular ?? name.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''),
      identifier: assigned(/^[^\0]+$/, 255),
      stamps: 'none' as const,
      trash: false,
      createForm: false,
      view: { sql, key },
    },
    defineView,
  )

const readOnly = <Fields extends Record<string, ViewField>>(fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, options: { ...field.options, serverOwned: true, indexed: undefined, unique: undefined } },
    ]),
  ) as Fields
