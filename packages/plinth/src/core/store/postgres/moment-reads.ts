// Reads of one moment on PostgreSQL: a read-only transaction on a connection of its own, without the limits of requests.

import type postgres from 'postgres'
import type { Connection } from '../connection.ts'
import { lostInTransaction, toProblem } from './errors.ts'
import { type PostgresOptions, withoutHoles } from './wire.ts'

const begin =
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ' +
  'SET LOCAL statement_timeout TO DEFAULT; SET LOCAL idle_in_transaction_session_timeout TO 0'

export const readPostgresSnapshot = async <T>(
  connect: (options: PostgresOptions) => postgres.Sql,
  work: (connection: Pick<Connection, 'rows'>) => Promise<T>,
): Promise<T> => {
  let isLost = false
  const sql = connect({
    onclose: () => {
      isLost = true
    },
  })
  try {
    await sql.unsafe(begin).simple()
    return await work({
      rows: async (text, cells) => {
        // The client would connect again, and read another moment.
        if (isLost) throw lostInTransaction()
        return withoutHoles(await sql.unsafe(text, [...cells], { prepare: false }).values())
      },
    })
  } catch (error) {
    throw toProblem(error)
  } finally {
    sql.end({ timeout: 5 }).catch(() => {})
  }
}
