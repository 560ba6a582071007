// The databases that the store can use. This list is the only place that names them: a new database is a folder beside
// these, and one line here.

import { randomBytes } from 'node:crypto'
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

/** For a database that is not that of `app.database.url`: its trouble is the message. */
export class DatabaseFailure extends Problem {
  constructor({ explanation, remedy }: DatabaseTrouble, cause: unknown) {
    super('unavailable', { detail: inWords({ explanation, remedy }), cause })
    this.name = 'DatabaseFailure'
  }
}

export const inWords = ({ explanation, remedy }: DatabaseTrouble): string => `${explanation}\nRemedy: ${remedy}`

// A database for one test, beside the one of the address.

export interface ScratchDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** `serverUrl` is the address of any database of a server; its user may create others. */
export const createScratchDatabase = async (serverUrl: string): Promise<ScratchDatabase> => {
  const name = `plinth_test_${randomBytes(6).toString('hex')}`
  // Its data need not survive a power cut: commits do not wait for the disk.
  await runOn(serverUrl, `CREATE DATABASE ${name}`, `ALTER DATABASE ${name} SET synchronous_commit = off`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOn(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

const runOn = async (url: string, ...statements: readonly string[]): Promise<void> => {
  const driver = await openDatabase(url)
  try {
    for (const statement of statements) await driver.script(statement)
  } finally {
    await driver.close()
  }
}

// Which installation a database belongs to: a name that is made once and never copied with the records, so that a database which was
// filled from a backup or by a transfer is an installation of its own.

const table = 'plinth_installation'

export const readInstallation = async (driver: Driver): Promise<string> => {
  const { placeholder } = driver.dialect
  await driver.script(
    `CREATE TABLE IF NOT EXISTS "${table}" ("only" integer PRIMARY KEY CHECK ("only" = 1), "id" text NOT NULL)`,
  )
  return driver.transaction(async connection => {
    const insert = `INSERT INTO "${table}" ("only", "id") VALUES (1, ${placeholder(1)}) ON CONFLICT ("only") DO NOTHING`
    await connection.rows(insert, [randomBytes(4).toString('hex')])
    const [row] = await connection.rows(`SELECT "id" FROM "${table}"`, [])
    return String(row?.[0])
  })
}
