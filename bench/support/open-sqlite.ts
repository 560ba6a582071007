// A SQLite database of the service, opened beside it: the triggers of its tables call a function of the service.

import { DatabaseSync } from '@photostructure/sqlite'
import { fold } from '../../packages/plinth/src/core/store/sql/text-patterns.ts'
import { foldFunction } from '../../packages/plinth/src/core/store/sqlite/open.ts'

export const openSqlite = (path: string): InstanceType<typeof DatabaseSync> => {
  const database = new DatabaseSync(path)
  database.function(foldFunction, { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? fold(text) : null,
  )
  return database
}
