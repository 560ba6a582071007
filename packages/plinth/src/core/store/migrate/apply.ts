// Applies plans: in one transaction, one instance at a time, each step on record.

import type { Registry } from '../../model/registry.ts'
import { errorMessage, isUnavailable, Problem } from '../../problem.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect, Driver } from '../driver.ts'
import { recordVersion } from './database-version.ts'
import { forgetModels, recordModel } from './model-record.ts'
import { type MigrationPlan, mustBeAccepted, planOn, type StartingModel } from './plan.ts'
import type { MigrationStep } from './step.ts'

/** Brings the database to the model; for the start of an instance, while others may start as well. */
export const migrate = (driver: Driver, registry: Registry, start: StartingModel = {}): Promise<MigrationPlan> =>
  apply(driver, connection => planOn(connection, driver.dialect, { ...start, registry }), start.version ?? null)

/** Applies a plan that a person has read. When the database has changed since, it fails and changes nothing. */
export const applyPlan = async (driver: Driver, plan: MigrationPlan, version: string | null = null): Promise<void> => {
  await apply(driver, async () => plan, version)
}

type Planning = (connection: Connection) => Promise<MigrationPlan>

const apply = async (driver: Driver, planning: Planning, version: string | null): Promise<MigrationPlan> => {
  const { dialect } = driver
  const progress: Progress = { step: 'before the first step' }
  const run = async (connection: Connection): Promise<MigrationPlan> => {
    await dialect.schema.lockMigrations(connection)
    const plan = await planning(connection)
    if (plan.refused.length === 0) await applySteps(connection, { dialect, plan, version, progress })
    progress.step = commit
    return plan
  }
  const plan = await driver.transaction(run, { isUnlimited: true }).catch(error => {
    throw new MigrationFailure(progress, error)
  })
  return mustBeAccepted(plan)
}

/** The step under way, for the message when it fails. */
interface Progress {
  step: string
  /** Says that the application has written its SQL. */
  isOwn?: boolean
}

/** All or nothing: a step has failed, or the commit. */
export class MigrationFailure extends Problem {
  /** The step without its reason. */
  readonly summary: string

  constructor({ step, isOwn = false }: Progress, cause: unknown) {
    const summary =
      step === commit
        ? 'The migration failed at the commit; start again.'
        : `The migration failed ${step}; nothing was changed.`
    super(isUnavailable(cause) ? 'unavailable' : isOwn ? 'unprocessable' : 'internal', {
      detail: `${summary} ${errorMessage(cause)}`,
      cause,
    })
    this.name = 'MigrationFailure'
    this.summary = summary
  }
}

/** The step name that stands for the commit. */
const commit = 'the commit'

/** Brings the database to the model within a transaction that holds the lock of migrations. */
export const migrateWithin = async (
  connection: Connection,
  dialect: DatabaseDialect,
  { registry, version }: { readonly registry: Registry; readonly version: string },
): Promise<void> => {
  const plan = mustBeAccepted(await planOn(connection, dialect, { registry, version, isAlone: true }))
  await forgetModels(connection, dialect)
  await applySteps(connection, { dialect, plan, version, progress: { step: '' } })
}

interface StepsToApply {
  readonly dialect: DatabaseDialect
  readonly plan: MigrationPlan
  readonly version: string | null
  readonly progress: Progress
}

const applySteps = async (
  connection: Connection,
  { dialect, plan, version, progress }: StepsToApply,
): Promise<void> => {
  if (plan.steps.length > 0) await connection.script(createJournal(dialect))
  for (const { why, sql, isOwn = false } of plan.steps) {
    progress.step = `at '${why}'`
    progress.isOwn = isOwn
    await connection.script(sql)
    await connection.rows(journalEntry(dialect), [version, why, sql])
  }
  if (version !== null) await recordVersion(connection, dialect, version)
  if (plan.use) await recordModel(connection, dialect, plan.use)
}

const createJournal = ({ schema }: DatabaseDialect): string =>
  `CREATE TABLE IF NOT EXISTS "plinth_migrations" (
    "number" ${schema.serialType} PRIMARY KEY,
    "applied" ${schema.columnTypes.timestamp} NOT NULL DEFAULT (${schema.now}),
    "version" text,
    "why" text NOT NULL,
    "sql" text NOT NULL
  )${schema.tableOptions(false)};`

/** Puts a step that runs outside of a plan on record. */
export const recordStep = async (
  connection: Connection,
  dialect: DatabaseDialect,
  { version, why, sql }: Pick<MigrationStep, 'why' | 'sql'> & { readonly version: string | null },
): Promise<void> => {
  await connection.script(createJournal(dialect))
  await connection.rows(journalEntry(dialect), [version, why, sql])
}

const journalEntry = ({ placeholder }: DatabaseDialect): string =>
  `INSERT INTO "plinth_migrations" ("version", "why", "sql") VALUES (${[1, 2, 3].map(placeholder).join(', ')})`
