// All records of a snapshot as text, to compare two of them.

import type { DatabaseSnapshot } from '../../src/core/store/snapshot.ts'
import type { Store } from '../../src/core/store/store.ts'

/** The records of each table, one line each. */
export const linesOf = async (snapshot: DatabaseSnapshot): Promise<ReadonlyMap<string, readonly string[]>> => {
  const tables = new Map<string, string[]>()
  for (const table of snapshot.tables) {
    const lines: string[] = []
    for await (const rows of snapshot.rows(table)) for (const row of rows) lines.push(JSON.stringify(row))
    tables.set(table.name, lines)
  }
  return tables
}

export const linesIn = (store: Store): Promise<ReadonlyMap<string, readonly string[]>> => store.snapshot(linesOf)
