// Keyset paging: where the page after a record begins. Absent values are the smallest.

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

/** `namesNulls`: as the indexes do, even where there are none. The primary key's own index does not. */
export const orderSql = (keys: readonly OrderedKey[], dialect: Dialect, namesNulls = keys.length > 1): string =>
  keys
    .map(({ sql, descending }) => {
      const nulls = namesNulls ? dialect.orderNulls(descending) : ''
      return `${sql}${descending ? ' DESC' : ''}${nulls}`
    })
    .join(', ')

/** The condition that a record comes after the cursor. */
export const afterSql = (keys: readonly CursorKey[]): string => {
  const ranges = afterRanges(keys)
  return ranges.length === 1 ? ranges.join() : `(${ranges.join(' OR ')})`
}

/**
 * The same condition in parts, each of which is one range of an index on the keys. No record is in two of them. Neither database
 * reads an index by ranges that are joined by OR and keeps its order.
 */
export const afterRanges = (keys: readonly CursorKey[]): readonly string[] => {
  const [first, ...rest] = keys
  if (!first) return ['FALSE']
  const { sql, nullable, descending, value } = first
  if (value === null) {
    const absent = `(${sql} IS NULL AND ${afterSql(rest)})`
    return descending ? [absent] : [absent, `${sql} IS NOT NULL`]
  }
  const present = isRowRange(keys) ? rowRange(keys) : beyond(first, rest)
  return descending && nullable ? [present, `${sql} IS NULL`] : [present]
}

/** Keys of one direction are compared as rows. The first may be absent: then the comparison does not hold. */
const isRowRange = (keys: readonly CursorKey[]): boolean =>
  keys.every(({ descending, nullable }, at) => descending === keys[0]?.descending && (at === 0 || !nullable))

const rowRange = (keys: readonly CursorKey[]): string => {
  const sign = keys[0]?.descending ? '<' : '>'
  const [names, values] = [keys.map(key => key.sql), keys.map(key => key.value)]
  return keys.length === 1 ? `${names} ${sign} ${values}` : `(${names.join(', ')}) ${sign} (${values.join(', ')})`
}

/**
 * Compares by cases, each key in its own direction. The outer bound repeats what follows, so that an index can begin
 * there.
 */
const beyond = ({ sql, descending, value }: CursorKey, rest: readonly CursorKey[]): string => {
  const sign = descending ? '<' : '>'
  return `(${sql} ${sign}= ${value} AND (${sql} ${sign} ${value} OR ${afterSql(rest)}))`
}
