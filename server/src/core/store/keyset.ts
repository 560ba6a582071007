// Order and keyset paging: where the page after a given record begins. Absent values are the smallest.

import type { Dialect } from './dialect.ts'

export interface OrderedKey {
  readonly sql: string
  readonly nullable: boolean
  readonly descending: boolean
}

/** A key with the placeholder of the cursor's value; null: the last record seen has none. */
export interface CursorKey extends OrderedKey {
  readonly value: string | null
}

/** The place of nulls is named even where there are none, as in the indexes; the primary key's own index names none. */
export const orderSql = (keys: readonly OrderedKey[], dialect: Dialect): string =>
  keys
    .map(({ sql, descending }) => {
      const nulls = keys.length > 1 ? dialect.orderNulls(descending) : ''
      return `${sql}${descending ? ' DESC' : ''}${nulls}`
    })
    .join(', ')

/** The condition that a record comes after the cursor. */
export const afterSql = (keys: readonly CursorKey[]): string => {
  const [first, ...rest] = keys
  if (!first) return 'FALSE'
  const alike = keys.every(key => !key.nullable && key.descending === first.descending)
  if (!alike) return beyond(first, rest)
  const sign = first.descending ? '<' : '>'
  if (rest.length === 0) return `${first.sql} ${sign} ${first.value}`
  // A comparison of rows is one range of an index.
  return `(${keys.map(key => key.sql).join(', ')}) ${sign} (${keys.map(key => key.value).join(', ')})`
}

/** By cases, each key in its own direction. The outer bounds say again what follows, so that an index can begin there. */
const beyond = ({ sql, nullable, descending, value }: CursorKey, rest: readonly CursorKey[]): string => {
  const tied = rest.length > 0 ? afterSql(rest) : 'FALSE'
  if (value === null) return descending ? `(${sql} IS NULL AND ${tied})` : `(${sql} IS NOT NULL OR ${tied})`
  if (!descending) return `(${sql} >= ${value} AND (${sql} > ${value} OR ${tied}))`
  if (!nullable) return `(${sql} <= ${value} AND (${sql} < ${value} OR ${tied}))`
  return `(${sql} < ${value} OR ${sql} IS NULL OR (${sql} = ${value} AND ${tied}))`
}
