// What happens in a PostgreSQL database of the service, as its operator sees it.

import postgres from 'postgres'

/** Statements of the service that the server works on. */
export const statementsIn = async (database: string): Promise<readonly string[]> => {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  try {
    const rows = await sql`SELECT query FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'plinth %' AND state = 'active'`
    return rows.map(({ query }) => String(query))
  } finally {
    await sql.end()
  }
}

/** Every statement on the table waits until it is released. */
export const lockTable = async (database: string, table: string): Promise<() => Promise<void>> => {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  await sql.unsafe(`BEGIN; LOCK TABLE "${table}"`).simple()
  return () => sql.end({ timeout: 0 })
}
