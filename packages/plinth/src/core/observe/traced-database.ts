// A database whose statements a trace notes, and whose writes are all rolled back: to look at a request must change nothing.

import type { Connection, TransactionConnection } from '../store/connection.ts'
import type { Database, Driver } from '../store/driver.ts'
import type { RequestTrace } from './request-trace.ts'

/** Ends a transaction whose work has succeeded. */
class RollBack extends Error {}

/** Says whether a statement only reads; anything else runs in a transaction, which is rolled back. */
const onlyReads = (sql: string): boolean =>
  /^(SELECT|EXPLAIN)\b/.test(sql) && !/\b(INSERT|UPDATE|DELETE|nextval|pg_notify)\b/i.test(sql)

/** The object with some other fields. Its getters stay getters. */
const overlaid = <T extends object>(target: T, own: Partial<T>): T =>
  new Proxy(target, {
    get: (_, key) => {
      const value: unknown = key in own ? Reflect.get(own, key) : Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const noted = (trace: RequestTrace, connection: Pick<Connection, 'rows'>): Connection['rows'] => {
  return async (sql, ...others) => {
    const start = performance.now()
    const found = await connection.rows(sql, ...others)
    trace.note({ sql, ms: performance.now() - start, rows: found.length })
    return found
  }
}

const rollingBack = (trace: RequestTrace, driver: Driver): Driver['transaction'] => {
  return async (work, options) => {
    let result: { readonly value: Awaited<ReturnType<typeof work>> } | undefined
    const run = async (connection: TransactionConnection): Promise<never> => {
      const rows = noted(trace, connection)
      // No statement may end the transaction.
      const inside: TransactionConnection['rows'] = (sql, cells, quick, hint) =>
        rows(sql, cells, quick, { ...hint, isLast: false })
      result = { value: await work(overlaid(connection, { rows: inside })) }
      throw new RollBack()
    }
    await driver.transaction(run, options).catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error
    })
    if (!result) throw new Error('The work of a transaction has not run.')
    return result.value
  }
}

const traced = (trace: RequestTrace, driver: Driver): Driver => {
  const transaction = rollingBack(trace, driver)
  const read = noted(trace, driver)
  return overlaid(driver, {
    transaction,
    rows: (sql, cells, ...others) =>
      onlyReads(sql) ? read(sql, cells, ...others) : transaction(connection => connection.rows(sql, cells)),
    script: sql => transaction(connection => connection.script(sql)),
  })
}

export const tracedDatabases = (databases: readonly Database[], trace: RequestTrace): readonly Database[] =>
  databases.map(database => ({
    ...database,
    open: async (url, limits) => traced(trace, await database.open(url, limits)),
  }))
