// A reader of the film store that tells which statements it sends, and how the database goes about them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@plinth/test-kit/postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import type { Registry } from '../../src/core/model/registry.ts'
import type { Transaction } from '../../src/core/model/transaction.ts'
import { createStore } from '../../src/core/store/create-store.ts'
import { openDatabase } from '../../src/core/store/databases.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { PagePositions } from '../../src/core/store/sql/page-positions.ts'
import { createReader } from '../../src/core/store/sql/read.ts'
import { Statements } from '../../src/core/store/sql/statements.ts'
import type { dialects } from './databases.ts'
import { registry as films } from './films.ts'

export interface Recorded {
  readonly reader: ReturnType<typeof createReader>
  /** What was sent since the last call. */
  sent(): string[]
  /** How the database would go about the last statement; `sorts`: although it must sort. */
  plan(sorts?: boolean): Promise<string>
  /** How many rows of tables and indexes PostgreSQL visits for the last statement. */
  visits(): Promise<number>
  /** Lets PostgreSQL know what is in the tables, and puts new entries of indexes in their places. */
  analyze(): Promise<void>
  close(): Promise<void>
}

/** A database with these records; `recorded()` is there once the tests run. */
export const recordStatements = (
  dialect: (typeof dialects)[number],
  fill: (tx: Transaction) => Promise<void>,
  registry: Registry = films,
): (() => Recorded) => {
  let folder: string
  let recorded: Recorded | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-sql-'))
    const url = dialect === 'sqlite' ? join(folder, 'test.db') : await createDatabase(inject('postgresUrl'))
    const store = await createStore({ url, registry })
    await store.apply(await store.plan())
    await store.transaction(fill)
    await store.close()
    recorded = record(await openDatabase(url, { poolSize: 1 }))
    await recorded.analyze()
  })
  afterAll(async () => {
    await recorded?.close()
    await rm(folder, { recursive: true })
  })
  return () => recorded as Recorded
}

const record = (driver: Driver): Recorded => {
  const { dialect } = driver
  const texts: string[] = []
  let last: Parameters<Driver['rows']> = ['', []]
  const rows: Driver['rows'] = (sql, cells) => {
    texts.push(sql)
    last = [sql, cells]
    return driver.rows(sql, cells)
  }
  const statements = new Statements(dialect)
  return {
    reader: createReader({ statements, connection: { ...driver, rows }, positions: new PagePositions() }),
    sent: () => texts.splice(0),
    plan: async (sorts = false) => {
      const settings = `SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = ${sorts ? 'on' : 'off'}`
      const steps = await driver.transaction(async connection => {
        // A small table is read from end to end, whatever indexes there are.
        if (dialect.name === 'postgres') await connection.script(settings)
        return connection.rows(dialect.explain.sql(last[0]), last[1])
      })
      return steps.map(row => String(row.at(-1))).join('\n')
    },
    visits: async () => {
      const [[explained] = []] = await driver.rows(`EXPLAIN (ANALYZE, FORMAT JSON) ${last[0]}`, last[1])
      const [{ Plan }] = explained as [{ Plan: PlanNode }]
      return visitsOf(Plan)
    },
    analyze: async () => {
      if (dialect.name === 'postgres') await driver.script('VACUUM ANALYZE')
    },
    close: () => driver.close(),
  }
}

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

const visitsOf = ({ Plans = [], ...node }: PlanNode): number => {
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const own = node['Relation Name'] === undefined ? 0 : rows * node['Actual Loops']
  return Plans.reduce((sum, plan) => sum + visitsOf(plan), own)
}
