// What a thief of the database would read: everything in it as text.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestService } from './service.ts'

/** The bytes of the files of SQLite, or the rows of every table of PostgreSQL. */
export const storedText = async ({ folder, database }: Pick<TestService, 'folder' | 'database'>): Promise<string> => {
  if (database === '') {
    const names = (await readdir(folder)).filter(name => name.startsWith('plinth.db'))
    return (await Promise.all(names.map(name => readFile(join(folder, name), 'latin1')))).join('\n')
  }
  const sql = postgres(database, { max: 1 })
  try {
    const tables = await sql`SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`
    const rows = await Promise.all(
      tables.map(({ tablename }) => sql`SELECT t::text AS row FROM ${sql(tablename)} AS t`),
    )
    return rows.flatMap(found => found.map(({ row }) => String(row))).join('\n')
  } finally {
    await sql.end()
  }
}
