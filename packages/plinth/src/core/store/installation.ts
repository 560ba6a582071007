// Which installation a database belongs to: a name that is made once and never copied with the records, so that a database that was
// filled from a backup or by a transfer is an installation of its own.

import { randomBytes } from 'node:crypto'
import type { Driver } from './driver.ts'

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
