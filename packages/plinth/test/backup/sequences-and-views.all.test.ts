// What a backup holds beside the records of resources: sequences go on where they were, and views show what they showed.

import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { startService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { defineView } from '../../src/core/model/define-view.ts'
import { integer, sequence, text } from '../../src/core/model/fields.ts'
import { sql } from '../../src/core/model/sql.ts'
import { defineModule } from '../../src/core/module.ts'
import type { Service } from '../../src/core/service.ts'
import { createBackup } from '../../src/modules/backup/create-backup.ts'
import { folderPlace } from '../../src/modules/backup/place.ts'
import { examineDatabase } from '../../src/modules/doctor/examine.ts'
import { emptyTarget, restoreTo } from './target.ts'

const access = { read: 'true', write: 'caller.signedIn' }

const tickets = defineResource('tickets', {
  about: 'Tickets.',
  label: 'number',
  fields: { number: sequence({ format: 'T-{0000}' }), shop: text({ required: true }) },
  access,
})

const totals = defineView('ticketTotals', {
  about: 'How many tickets each shop has.',
  label: 'shop',
  key: 'shop',
  fields: { shop: text({ required: true }), count: integer({ required: true }) },
  sql: sql`SELECT ${sql.column(tickets, 'shop')} AS "shop", count(*) AS "count" FROM ${sql.table(tickets)} GROUP BY 1`,
  access,
})

const workshop = defineModule({ name: 'workshop', about: 'A workshop.', resources: [tickets, totals] })

/** What the doctor says of each check. */
const levelsOf = async (service: Service): Promise<Record<string, string>> => {
  const levels: Record<string, string> = {}
  for await (const { check, level } of examineDatabase(service)) levels[check] = level
  return levels
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('after a restore the sequence goes on, the view shows the records, and the doctor finds nothing wrong', async () => {
    const service = await startService(database, { modules: [...modules, workshop] })
    onTestFinished(service.stop)
    const staff = service.as('staff')
    for (const shop of ['North', 'North', 'South']) await make(staff, 'tickets', { shop })
    const config = configOn({ folder: service.folder, url: service.database }, {})
    const place = folderPlace(join(service.folder, 'backups'))
    const { name } = await createBackup({ config, platform: service.app.platform, place })
    expect(await make(staff, 'tickets', { shop: 'South' })).toMatchObject({ number: 'T-0004' })

    const target = await emptyTarget(database, {}, [workshop])
    await restoreTo(target, place, name)
    const { records } = target.app.platform
    expect(await records.create(tickets, { shop: 'East' })).toMatchObject({ number: 'T-0004' })
    expect(await records.find(totals, { sort: 'shop' })).toMatchObject([
      { shop: 'East', count: 1 },
      { shop: 'North', count: 2 },
      { shop: 'South', count: 1 },
    ])
    expect(await levelsOf(target.app.service)).toMatchObject({ tables: 'ok', integrity: 'ok' })
    await target.app.platform.store.exclusively((_, script) => script('DROP VIEW "ticketTotals"'))
    expect(await levelsOf(target.app.service)).toMatchObject({ tables: 'warning' })
  })
})
