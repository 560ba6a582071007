// The text of a few shapes, beside the rows that they give.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Filter, Query } from '../../src/core/model/query.ts'
import type { Reader } from '../../src/core/model/transaction.ts'
import { createStore } from '../../src/core/store/create-store.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { createPostgresDriver } from '../../src/core/store/postgres.ts'
import { createPostgresDialect } from '../../src/core/store/postgres-dialect.ts'
import { createReader } from '../../src/core/store/read.ts'
import { createSqliteDriver } from '../../src/core/store/sqlite.ts'
import { sqliteDialect } from '../../src/core/store/sqlite-dialect.ts'
import { Statements } from '../../src/core/store/statements.ts'
import { createDatabase } from '../support/postgres.ts'
import { dialects } from './databases.ts'
import { films, pathTo, queryOf, registry, reviews, sortBy, studios } from './films.ts'

interface Recorded {
  readonly reader: Reader
  /** What was sent since the last call. */
  sent(): string[]
  /** How the database would go about the last statement. */
  plan(): Promise<string>
  close(): Promise<void>
}

const record = async (dialect: (typeof dialects)[number], folder: string): Promise<Recorded> => {
  const url = dialect === 'sqlite' ? join(folder, 'test.db') : await createDatabase(inject('postgresUrl'))
  const store = await createStore({ url, registry })
  await store.apply(await store.plan())
  await store.transaction(async tx => {
    await tx.insert(studios, 's', { name: 'Studio' })
    for (const pk of ['1', '2', '3']) await tx.insert(reviews, `r${pk}`, await film(tx, pk))
  })
  await store.close()
  const driver: Driver = dialect === 'sqlite' ? createSqliteDriver(url) : createPostgresDriver(url, 1)
  let texts: string[] = []
  let last: Parameters<Driver['rows']> = ['', []]
  const rows: Driver['rows'] = (sql, cells) => {
    texts.push(sql)
    last = [sql, cells]
    return driver.rows(sql, cells)
  }
  const statements = new Statements(dialect === 'sqlite' ? sqliteDialect : createPostgresDialect(true))
  return {
    reader: createReader({ statements, connection: { ...driver, rows } }),
    sent: () => texts.splice(0),
    plan: async () => {
      const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
      // A small table is read from end to end, whatever indexes there are.
      if (dialect === 'postgres') await driver.script('SET enable_seqscan = off; SET enable_sort = off')
      return (await driver.rows(`${explain} ${last[0]}`, last[1])).map(row => String(row.at(-1))).join('\n')
    },
    close: () => driver.close(),
  }
}
