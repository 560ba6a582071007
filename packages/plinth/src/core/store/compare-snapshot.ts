// Compares the rows that were written with those of the snapshot.

import type { Registry } from '../model/registry.ts'
import type { Connection } from './connection.ts'
import type { DatabaseDialect } from './driver.ts'
import { type DatabaseSnapshot, readSnapshot, type SnapshotRow, type SnapshotTable } from './snapshot.ts'

interface Comparing {
  readonly dialect: DatabaseDialect
  readonly registry: Registry
  readonly snapshot: DatabaseSnapshot
}

/** Record by record, as the database gives them back. */
export const compare = async (connection: Connection, { dialect, registry, snapshot }: Comparing): Promise<void> => {
  const written = await readSnapshot(connection, dialect, registry)
  for (const table of snapshot.tables) {
    const copies = oneByOne(written.rows(table))
    for await (const row of oneByOne(snapshot.rows(table))) {
      const { value: copy } = await copies.next()
      if (JSON.stringify(row) !== JSON.stringify(copy)) throw differs(table, row)
    }
    const { value: surplus } = await copies.next()
    if (surplus) throw differs(table, surplus)
  }
}

async function* oneByOne(batches: AsyncIterable<readonly SnapshotRow[]>): AsyncGenerator<SnapshotRow, undefined> {
  for await (const batch of batches) yield* batch
}

const differs = ({ name, columns, primaryKey }: SnapshotTable, row: SnapshotRow): Error => {
  const key = primaryKey.map(column => row[columns.findIndex(one => one.name === column)])
  return new Error(
    `The copy of the record ${key.join(', ')} in ${name} differs from the original; nothing was changed.`,
  )
}
