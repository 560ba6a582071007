// Columns: where the fields of a resource lie, and how their values are bound.

import { sha256Of } from '../../digest.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { ColumnType } from '../../model/value-field.ts'
import type { Cell } from '../connection.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as SQL: for names and words of the model, never for what a caller sent. */
export const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The table that is written to, by its name alone. */
export const recordTableOf = (resource: Resource): string => resource.holder.name

/** The same in SQL. */
export const tableOf = (resource: Resource): string => quote(recordTableOf(resource))

/** What is read from: the table, or those of its rows that belong to the resource. */
export const sourceOf = (resource: Resource): string =>
  resource.definition.storedIn ? `(SELECT * FROM ${tableOf(resource)} WHERE ${partSql(resource)})` : tableOf(resource)

/** What a row has that belongs to a part of its table: the column and its fixed value. */
export const partOf = ({ definition: { storedIn } }: Resource): { column: string; value: string } | null =>
  storedIn ? { column: quote(storedIn.where.field), value: textOf(storedIn.where.equals) } : null

/** A condition on the rows of a table; TRUE where all of them belong to the resource. */
export const partSql = (resource: Resource): string => {
  const part = partOf(resource)
  return part ? `${part.column} = ${part.value}` : 'TRUE'
}

/** The table of a link field's pairs, by its name alone: (owner, target). */
export const linkTableOf = (links: ResourceField): string => `${links.owner.name}_${links.name}`

/** The companion column that makes a text field unique without regard to case. */
export const foldedColumnOf = (field: ResourceField): string => `${field.name}_folded`

export const isFolded = (field: ResourceField): boolean =>
  field.definition.role === 'value' && field.definition.options.unique === 'ignoreCase'

/** How the field's value lies in its column; a relation is held as a pk, a count comes out as a number. */
export const columnTypeOf = ({ definition }: ResourceField): ColumnType => {
  if (definition.role === 'value') return definition.type.column
  return definition.role === 'count' ? 'integer' : 'text'
}

export const searchesEntries = ({ definition }: ResourceField): boolean =>
  definition.role === 'value' && definition.type.searchesEntries === true

export const isToMany = ({ definition }: ResourceField): boolean =>
  definition.role === 'links' || definition.role === 'inverse'

/** The resource at the other end of a relation; the registry has resolved it. */
export const targetOf = (relation: ResourceField): Resource => {
  if (!relation.target) throw new Error(`${relation.owner.name}.${relation.name} is not a relation`)
  return relation.target
}

/**
 * Which pairs or column hold a to-many relation, seen from the side that names it: `near` holds this record's pk,
 * `far` the other's. A plain inverse lies in the other resource's own table.
 */
export type Holding =
  | {
      readonly kind: 'pairs'
      readonly table: string
      readonly near: string
      readonly far: string
      links: ResourceField
    }
  | { readonly kind: 'column'; readonly by: ResourceField }

export const holdingOf = (relation: ResourceField): Holding => {
  if (relation.definition.role === 'links') {
    return { kind: 'pairs', table: quote(linkTableOf(relation)), near: '"owner"', far: '"target"', links: relation }
  }
  const by = relation.inverseOf
  if (!by) throw new Error(`${relation.owner.name}.${relation.name} is not a to-many relation`)
  return by.definition.role === 'links'
    ? { kind: 'pairs', table: quote(linkTableOf(by)), near: '"target"', far: '"owner"', links: by }
    : { kind: 'column', by }
}

/** Every index that a migration makes begins with one of these; it drops no other. */
export const indexPrefixes = {
  columns: 'plinth_i_',
  unique: 'plinth_u_',
  anyCase: 'plinth_c_',
  trigrams: 'plinth_t_',
} as const

/** PostgreSQL cuts longer names off, silently (SQL Syntax, "Identifiers and Key Words"). */
export const nameLimit = 63

/** The name itself when it fits, else its beginning with a hash of the whole. Names are ASCII, one byte each. */
export const shortened = (name: string): string =>
  name.length <= nameLimit ? name : `${name.slice(0, nameLimit - 11)}_${sha256Of(name).slice(0, 10)}`

export const textIndexName = ({ name, owner }: ResourceField, kind: 'anyCase' | 'trigrams'): string =>
  shortened(indexPrefixes[kind] + [owner.name, name].join('__'))

/**
 * Makes a cell: plain values pass, JSON becomes text; anything else is a programming error that must not reach the
 * database.
 */
export const plainCell = (value: unknown, column: ColumnType): Cell => {
  if (value === null || value === undefined) return null
  if (column === 'json') return JSON.stringify(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new TypeError(`a ${typeof value} cannot be bound to a column of type ${column}`)
}
