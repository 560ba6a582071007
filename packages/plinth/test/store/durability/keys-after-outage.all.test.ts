// The database goes away while requests with an Idempotency-Key are under way. Once it is back, the keys are free.

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { startDatabaseProxy } from '@plinth/test-kit/database-proxy'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { type Answer, startService, type TestService } from '@plinth/test-kit/service'
import { expect, onTestFinished, vi } from 'vitest'
import { defineResource } from '../../../src/core/model/define.ts'
import { input, secret } from '../../../src/core/model/fields.ts'
import { defineModule } from '../../../src/core/module.ts'
import { until } from '../../../src/testing/waiting.ts'

/** Vaults whose codes take as long as the test wants: after the claim of the key, before the transaction. */
const slowVaults = () => {
  let finish = () => {}
  const onBegin = vi.fn<() => void>()
  let isSlow = true
  const vaults = defineResource('vaults', {
    about: 'What opens to a code.',
    fields: {
      code: input(secret({ max: 20 }), async plain => {
        onBegin()
        if (isSlow)
          await new Promise<void>(resolve => {
            finish = resolve
          })
        return plain
      }),
    },
    access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
  })
  return {
    module: defineModule({ name: 'vaults', about: 'Vaults.', resources: [vaults] }),
    onBegin: () => until('the request to begin its work', () => onBegin.mock.calls.length > 0),
    finish: () => {
      isSlow = false
      finish()
    },
  }
}

type SlowVaults = ReturnType<typeof slowVaults>

const start = async (database: TestedDatabase, { module }: SlowVaults, settings = {}): Promise<TestService> => {
  const service = await startService(database, {
    modules: [...modules, module],
    settings: { 'app.log.level': 'silent', ...settings },
  })
  onTestFinished(service.stop)
  return service
}

const ask = ({ as }: TestService): Promise<Answer> =>
  as('staff').post('/api/rest/vaults', { code: '1234' }, { 'Idempotency-Key': 'once' })

const codeOf = ({ status, body }: Answer): unknown => (status === 201 ? 'created' : body.code)

/** The codes of the responses until one of them succeeds. */
const untilCreated = async (service: TestService): Promise<readonly unknown[]> => {
  const codes: unknown[] = []
  await expect
    .poll(async () => {
      const answer = await ask(service)
      const code = codeOf(answer)
      codes.push(code)
      if (code === 'in_progress') expect(answer.headers.get('retry-after')).toBe('1')
      return code
    })
    .toBe('created')
  return codes
}

const countVaults = async ({ as }: TestService): Promise<number> =>
  (await as('staff').get('/api/rest/vaults')).body.page.totalElements

testAll(
  'on PostgreSQL, the instance whose request failed takes the key over as soon as the database is back',
  async () => {
    const [proxy, vaults] = [await startDatabaseProxy(), slowVaults()]
    const service = await start('sqlite', vaults, { 'app.database.url': proxy.url })
    const first = ask(service)
    await vaults.onBegin()
    proxy.cut()
    vaults.finish()
    expect(codeOf(await first)).toBe('unavailable')
    await proxy.restore()
    expect(await untilCreated(service)).not.toContain('in_progress')
    expect(await countVaults(service)).toBe(1)
  },
)

testAll('on PostgreSQL, another instance gets the key soon after the database is back', async () => {
  const [proxy, vaults] = [await startDatabaseProxy(), slowVaults()]
  const here = await start('sqlite', vaults, { 'app.database.url': proxy.url })
  const there = await start('sqlite', vaults, { 'app.database.url': proxy.direct })
  const first = ask(here)
  await vaults.onBegin()
  const meanwhile = await ask(there)
  expect([meanwhile.status, meanwhile.body.code, meanwhile.headers.get('retry-after')]).toEqual([
    409,
    'in_progress',
    '1',
  ])
  proxy.cut()
  vaults.finish()
  expect(codeOf(await first)).toBe('unavailable')
  await proxy.restore()
  expect(await untilCreated(there)).toContain('created')
  expect(await countVaults(there)).toBe(1)
})

// Each attempt of the service to write waits for some seconds.
testAll('on SQLite, a key is free when the file is no longer locked', async () => {
  const vaults = slowVaults()
  const service = await start('sqlite', vaults)
  const first = ask(service)
  await vaults.onBegin()
  const other = new DatabaseSync(join(service.folder, 'plinth.db'))
  other.exec('BEGIN IMMEDIATE')
  vaults.finish()
  expect(codeOf(await first)).toBe('unavailable')
  other.exec('ROLLBACK')
  other.close()
  expect(await untilCreated(service)).toEqual(['created'])
  expect(await countVaults(service)).toBe(1)
})
