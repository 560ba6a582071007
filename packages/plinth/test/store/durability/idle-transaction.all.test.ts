// A transaction that does nothing is ended by PostgreSQL itself, and the locks that it holds with it. The service goes on.

import { modules } from '@plinth/test-kit/platform'
import { createDatabase } from '@plinth/test-kit/postgres'
import { startService } from '@plinth/test-kit/service'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { defineResource } from '../../../src/core/model/define.ts'
import { text } from '../../../src/core/model/fields.ts'
import { defineModule } from '../../../src/core/module.ts'
import { openDatabase } from '../../../src/core/store/databases.ts'
import { until } from '../../../src/testing/waiting.ts'

/** A connection of the person who operates the database. */
const operate = (database: string): postgres.Sql => {
  const sql = postgres(database, { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end({ timeout: 0 }))
  return sql
}

const isLocked = async (sql: postgres.Sql, table: string): Promise<boolean> =>
  (await sql`SELECT 1 FROM pg_locks JOIN pg_class ON oid = relation WHERE relname = ${table}`).length > 0

/** Creates notes whose hook waits until it is released. */
const createSlowNotes = () => {
  let release: (() => void) | null = null
  const notes = defineResource('slowNotes', {
    about: 'Notes whose hook waits.',
    label: 'name',
    fields: { name: text({ required: true }) },
    access: { read: 'true', write: 'true' },
    hooks: {
      afterCreate: async ({ values }) => {
        if (values.name !== 'slow') return
        await new Promise<void>(resolve => {
          release = resolve
        })
      },
    },
  })
  const module = defineModule({ name: 'slow', about: 'Code that waits.', resources: [notes] })
  return { module, waiting: () => release }
}

test('it ends after the time that the operator allows, and others go on', async () => {
  const { module, waiting } = createSlowNotes()
  const database = await createDatabase(inject('postgresUrl'))
  const sql = operate(database)
  await sql.unsafe(
    `ALTER DATABASE ${new URL(database).pathname.slice(1)} SET idle_in_transaction_session_timeout = '500ms'`,
  )
  const settings = { 'app.modules': '', 'app.database.url': database, 'app.log.level': 'silent' }
  const service = await startService('sqlite', { settings, modules: [...modules, module] })
  onTestFinished(service.stop)
  const create = (name: string) => service.as('admin').post('/api/rest/slowNotes', { name })

  const slow = create('slow')
  const release = await until('the hook to wait', waiting)
  await until('the server to end the transaction', async () => !(await isLocked(sql, 'slowNotes')))
  release()
  const { status, body } = await slow
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect((await create('next')).status).toBe(201)
  const kept = await service.as('admin').get('/api/rest/slowNotes', { Accept: 'application/json' })
  expect(kept.body.content.map(({ name }: { name: string }) => name)).toEqual(['next'])
})

test('without such a limit it ends some time after its deadline: the process of the service may be frozen', async () => {
  const driver = await openDatabase(await createDatabase(inject('postgresUrl')), { transactionTimeout: 2000 })
  onTestFinished(() => driver.close())
  const setting = await driver.transaction(({ rows }) => rows('SHOW idle_in_transaction_session_timeout', []))
  expect(setting).toEqual([['12s']])
})
