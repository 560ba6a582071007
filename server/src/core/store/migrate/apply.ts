// Applies plans: in one transaction, one instance at a time, each step on record.

import type { Registry } from '../../model/registry.ts'
import { Problem } from '../../problem.ts'
import type { Connection, Driver } from '../driver.ts'
import type { DialectName } from './ddl.ts'
import type { Plan } from './plan.ts'
import { planOn } from './plan-migration.ts'
import { recordVersion } from './version-marker.ts'

/** Brings the database to the model; for the start of an instance, while others may start as well. */
export const migrate = (driver: Driver, registry: Registry, version: string | null = null): Promise<Plan> =>
  apply(driver, connection => planOn(connection, driver.dialect, { registry, version }), version)

/** Applies a plan that a person has read. When the database has changed since, it fails and changes nothing. */
export const applyPlan = async (driver: Driver, plan: Plan, version: string | null = null): Promise<void> => {
  await apply(driver, async () => plan, version)
}

type Planning = (connection: Connection) => Promise<Plan>

const apply = async (driver: Driver, planning: Planning, version: string | null): Promise<Plan> => {
  let current = 'before the first step'
  const run = async (connection: Connection): Promise<Plan> => {
    await lockMigrations(connection, driver.dialect)
    const plan = await planning(connection)
    if (plan.refused.length > 0) return plan
    if (plan.steps.length > 0) await connection.script(journal[driver.dialect].create)
    for (const { why, sql } of plan.steps) {
      current = `at '${why}'`
      await connection.script(sql)
      await connection.rows(journal[driver.dialect].insert, [version, why, sql])
    }
    if (version !== null) await recordVersion(connection, driver.dialect, version)
    return plan
  }
  const plan = await driver.transaction(run, { isUnlimited: true }).catch(error => {
    throw new Error(`The migration failed ${current}; nothing was changed. ${messageOf(error)}`, { cause: error })
  })
  if (plan.refused.length === 0) return plan
  throw new Problem('conflict', `The database cannot be brought to the model:\n- ${plan.refused.join('\n- ')}`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Waits until no other instance migrates or applies seeds, and keeps the others waiting until the transaction ends.
 *
 * On SQLite the transaction itself is the lock. On PostgreSQL a statement after the lock must see what the instance
 * before us has done, which takes a snapshot for each statement, whatever level the driver's transactions have.
 */
export const lockMigrations = async (connection: Connection, dialect: DialectName): Promise<void> => {
  if (dialect === 'sqlite') return
  await connection.script('SET TRANSACTION ISOLATION LEVEL READ COMMITTED')
  await connection.script("SELECT pg_advisory_xact_lock(hashtext('plinth_migrations'), hashtext(current_schema()))")
}

const journal: Record<DialectName, { readonly create: string; readonly insert: string }> = {
  sqlite: {
    create: `CREATE TABLE IF NOT EXISTS "plinth_migrations" (
      "number" INTEGER PRIMARY KEY,
      "applied" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
      "version" TEXT,
      "why" TEXT NOT NULL,
      "sql" TEXT NOT NULL
    ) STRICT;`,
    insert: 'INSERT INTO "plinth_migrations" ("version", "why", "sql") VALUES (?1, ?2, ?3)',
  },
  postgres: {
    create: `CREATE TABLE IF NOT EXISTS "plinth_migrations" (
      "number" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "applied" timestamp(3) with time zone NOT NULL DEFAULT now(),
      "version" text,
      "why" text NOT NULL,
      "sql" text NOT NULL
    );`,
    insert: 'INSERT INTO "plinth_migrations" ("version", "why", "sql") VALUES ($1, $2, $3)',
  },
}
