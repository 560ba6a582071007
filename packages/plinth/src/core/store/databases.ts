// The databases that the store can use. This list is the only place that names them: a new database is a folder beside
// these, and one line here.

import { Problem } from '../problem.ts'
import type { Database, DatabaseLimits, DatabaseTrouble, Driver } from './driver.ts'
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

/** What is wrong with the database at this address; null when the error, and what has caused it, is something else. */
export const diagnose = (error: unknown, url: string): DatabaseTrouble | null => {
  const database = databases.find(one => one.accepts(url))
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const trouble = database?.diagnose(cause, url)
    if (trouble) return trouble
  }
  return null
}

/** The failure of a database other than that of `app.database.url`; the message says which. */
export class DatabaseFailure extends Problem {
  constructor({ explanation, remedy }: DatabaseTrouble, cause: unknown) {
    super('unavailable', { detail: inWords({ explanation, remedy }), cause })
    this.name = 'DatabaseFailure'
  }
}

export const inWords = ({ explanation, remedy }: DatabaseTrouble): string => `${explanation}\nRemedy: ${remedy}`
