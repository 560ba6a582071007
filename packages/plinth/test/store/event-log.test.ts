// A long event log on SQLite: subscribers who catch up read it in the main process, where slow searches do not hold them up.

import { join } from 'node:path'
import { childProcesses } from '@plinth/test-kit/child-processes'
import { startService } from '@plinth/test-kit/service'
import { expect, test } from 'vitest'
import { openSqlite } from '../../src/core/store/sqlite/open.ts'

test('reading a long event log starts no reader process', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '' } })
  const database = openSqlite(join(service.folder, 'plinth.db'))
  database.exec(`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
    INSERT INTO "plinth_events" ("sequence", "time", "type", "resource", "pk")
    SELECT 1000000 + n, '2031-01-01T00:00:00.000Z', 'created', 'hosts', 'h' || n FROM numbers;
    ANALYZE`)
  database.close()
  const { events } = service.app.platform.store
  const before = childProcesses()
  expect((await events.window()).latest).toBe(1_100_000)
  for (const selection of [{}, { resource: 'hosts' }, { resource: 'hosts', pk: 'h50007' }])
    expect((await events.read({ after: 1_050_000, upTo: 1_051_000, limit: 500, ...selection }))[0]?.pk).toMatch(/^h500/)
  expect(childProcesses()).toBe(before)
  await service.stop()
})
