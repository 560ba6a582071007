// Transactions on PostgreSQL, and when they are tried again.

import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { type Cell, type Connection, type TransactionOptions, untilFailure } from '../driver.ts'

import type { PostgresClient } from './client.ts'
import { codeOf, isLost, lostInTransaction, toProblem } from './errors.ts'
import type { PostgresSender } from './sender.ts'

const maxAttempts = 5

interface TransactionParts extends TransactionOptions {
  readonly sender: PostgresSender
}

/** With the limits of the operator alone. */
const beginUnlimited =
  'BEGIN; SET LOCAL statement_timeout TO DEFAULT; SET LOCAL idle_in_transaction_session_timeout TO DEFAULT'

/** One statement at a time: what waits behind a statement that loses its connection must not be sent on another. */
export const transact = async <T>(
  client: PostgresClient,
  { sender, isUnlimited = false }: TransactionParts,
  work: (connection: Connection) => Promise<T>,
): Promise<T> => {
  let last: Promise<unknown> = Promise.resolve()
  const send = async <R>(statement: (sql: postgres.Sql) => Promise<R>): Promise<R> => {
    if (client.lost) throw lostInTransaction()
    client.begun()
    try {
      return await statement(client.sql)
    } finally {
      client.ended()
    }
  }
  const inTurn = <R>(statement: (sql: postgres.Sql) => Promise<R>): Promise<R> => {
    const result = last.then(() => send(statement))
    last = result.catch(error => {
      client.lost ||= isLost(error)
    })
    return result
  }
  const control = (text: string) => inTurn(sql => sender.script(sql, text))
  client.isLimited = !isUnlimited
  try {
    await control(isUnlimited ? beginUnlimited : 'BEGIN')
    const connection = {
      rows: (text: string, cells: readonly Cell[]) => inTurn(sql => sender.rows(sql, text, cells)),
      script: control,
    }
    const value = await untilFailure(connection, work)
    await control('COMMIT')
    return value
  } catch (error) {
    if (!client.lost) await control('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.isLimited = true
  }
}

/** Again after a serialization failure or a deadlock: the transaction would succeed if tried again. */
export const persistently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!['40001', '40P01'].includes(codeOf(error)) || attempts === maxAttempts) throw toProblem(error)
      // At random, so that those who met once do not meet again.
      await sleep(Math.random() * 10 * 2 ** attempts)
    }
  }
}
