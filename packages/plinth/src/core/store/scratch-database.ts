// A database for one test, beside the one of the address.

import { randomBytes } from 'node:crypto'
import { openDatabase } from './databases.ts'

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
