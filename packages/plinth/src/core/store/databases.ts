// The databases that the store can use. This list is the only place that names them: a new database is a folder beside
// these, and one line here.

import type { Database, DatabaseLimits, Driver } from './driver.ts'
import { postgresDatabase } from './postgres/database.ts'
import { sqliteDatabase } from './sqlite/driver.ts'

export const databases: readonly Database[] = [postgresDatabase, sqliteDatabase]

export const openDatabase = (url: string, limits?: DatabaseLimits, known = databases): Promise<Driver> => {
  const database = known.find(one => one.accepts(url))
  if (!database) {
    // The rest of the address may hold a password.
    const [scheme = ''] = url.split('://')
    const names = known.map(({ name }) => name).join(', ')
    throw new Error(`no database supports ${scheme}:// URLs; supported are ${names}`)
  }
  return database.open(url, limits)
}
