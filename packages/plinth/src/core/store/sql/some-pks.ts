// Rows by their pks. Most statements are about one, for which the database needs no list.

import type { Cell } from '../connection.ts'
import type { Dialect } from './dialect.ts'

export interface SomePks {
  /** The part of the key of a statement that says which condition it has. */
  readonly key: 'one' | 'all'
  /** The rows of the alias `b` with these pks, which are the cell of a slot. */
  condition(slot: number): string
  readonly cell: Cell
}

export const somePks = (pks: readonly string[], dialect: Dialect): SomePks => {
  const [first = '', second] = pks
  if (second === undefined)
    return { key: 'one', condition: slot => `b."pk" = ${dialect.placeholder(slot)}`, cell: first }
  return {
    key: 'all',
    condition: slot => dialect.among('b."pk"', dialect.placeholder(slot), 'text'),
    cell: dialect.list(pks, 'text'),
  }
}
