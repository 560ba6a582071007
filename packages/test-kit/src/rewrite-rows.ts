// Rows that are changed in the database, past the service.

import { everything } from '../../plinth/src/core/model/query.ts'
import type { StoredRecord, Values } from '../../plinth/src/core/model/record.ts'
import type { App } from './platform.ts'

/** Writes the values that `change` returns, without hooks, dates and events. Rows for which it returns null stay as they are. */
export const rewriteRows = async (
  { platform: { store } }: App,
  table: string,
  change: (row: StoredRecord) => Values | null,
): Promise<void> => {
  const resource = store.resource(table)
  for await (const rows of store.stream(resource, everything(resource))) {
    for (const row of rows) {
      const values = change(row)
      if (values) await store.transaction(tx => tx.update(resource, row.pk, values))
    }
  }
}
