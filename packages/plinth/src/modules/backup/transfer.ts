// Copies the records of the service to another database, such as from SQLite to PostgreSQL or back. The copy is compared record
// by record and is there as a whole or not at all.

import { open } from 'node:fs/promises'
import type { Platform } from '../../core/rest/platform.ts'
import { createStore } from '../../core/store/store.ts'
import { version } from '../../version.ts'

export interface TransferTask {
  /** The address of the other database. */
  readonly url: string
  readonly replaces: boolean
  readonly onProgress: (line: string) => void
}

/** Gives the number of tables and records. */
export const transfer = async (
  { store, registry }: Platform,
  { url, replaces, onProgress }: TransferTask,
): Promise<{ readonly tables: number; readonly records: number }> => {
  // Created here because SQLite would let others read it.
  if (!url.includes('://')) await (await open(url, 'a', 0o600)).close()
  const target = await createStore({ url, registry })
  try {
    return await store.snapshot(async snapshot => {
      await target.load(snapshot, { version, replaces, onTable: ({ name }) => onProgress(name) })
      let records = 0
      for (const table of snapshot.tables) for await (const rows of snapshot.rows(table)) records += rows.length
      return { tables: snapshot.tables.length, records }
    })
  } finally {
    await target.close()
  }
}
