// Values that many rows have are known on both databases, for columns that an index begins with.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@plinth/test-kit/postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/core/store/databases.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { dialects } from './databases.ts'

const openOn = async (dialect: (typeof dialects)[number]): Promise<Driver> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-common-'))
  const driver = await openDatabase(
    dialect === 'sqlite' ? join(folder, 'test.db') : await createDatabase(inject('postgresUrl')),
  )
  onTestFinished(async () => {
    await driver.close()
    await rm(folder, { recursive: true })
  })
  return driver
}

const numbers = {
  sqlite: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) ',
  postgres: 'WITH n AS (SELECT generate_series(1, 2000) AS i) ',
}

test.each(dialects)('on %s', async dialect => {
  const driver = await openOn(dialect)
  const kind = dialect === 'sqlite' ? ' WITHOUT ROWID' : ''
  await driver.script(`
    CREATE TABLE "tasks" ("pk" text PRIMARY KEY, "status" text, "owner" text, "note" text);
    CREATE INDEX "byStatus" ON "tasks" ("status", "pk");
    CREATE INDEX "byOwner" ON "tasks" ("owner", "status");
    CREATE TABLE "pairs" ("owner" text, "target" text, PRIMARY KEY ("owner", "target"))${kind};
    CREATE INDEX "byTarget" ON "pairs" ("target", "owner");
    ${numbers[dialect]} INSERT INTO "tasks"
      SELECT 'pk' || i, CASE WHEN i % 10 = 0 THEN 'open' ELSE 'closed' END, CASE WHEN i % 2 = 0 THEN 'o' || i END, 'same' FROM n;
    ${numbers[dialect]} INSERT INTO "pairs" SELECT 'o' || i, 'same' FROM n;
    ANALYZE`)
  const common = (await driver.commonValues()).filter(({ table }) => table === 'tasks')
  const shares = common.map(({ column, value, share }) => [column, value, Math.round(share * 20) / 20])
  expect(shares.toSorted()).toEqual([
    ['owner', null, 0.5],
    ['status', 'closed', 0.9],
    ['status', 'open', 0.1],
  ])
})
