// Changes of data between two versions of an application: once, in batches, and with both versions running.

import { setTimeout as sleep } from 'node:timers/promises'
import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { computed, text } from '../../src/core/model/fields.ts'
import { defineMigration, defineModule, type Migration } from '../../src/core/module.ts'

const access = { read: 'true', write: 'caller.signedIn' }
const options = { about: 'Things on their way.', access, label: 'name' } as const

const first = defineResource('parcels', { ...options, fields: { name: text({ required: true }), sender: text() } })

/** Renamed, with a computed field and a new one beside an old one. */
const second = defineResource('shipments', {
  ...options,
  renamedFrom: 'parcels',
  fields: {
    name: text({ required: true }),
    sender: text(),
    origin: text({ default: 'unknown' }),
    upper: computed(text(), ({ name }: { readonly name: string }) => name.toUpperCase()),
  },
})

const module = (resource: typeof first | typeof second, migrations: readonly Migration[] = []) =>
  defineModule({ name: 'post', about: 'The post.', resources: [resource], migrations })

const migrations: readonly Migration[] = [
  defineMigration({
    name: 'copy-senders',
    each: second,
    where: { sender: { ne: null } },
    change: ({ sender }) => ({ origin: sender }),
  }),
  defineMigration({
    name: 'shout',
    sql: {
      sqlite: `UPDATE "shipments" SET "name" = "name" || '!' WHERE "sender" IS NULL`,
      postgres: `UPDATE "shipments" SET "name" = "name" || '!' WHERE "sender" IS NULL`,
    },
  }),
  defineMigration({
    name: 'clear-senders',
    phase: 'contract',
    run: async ({ records }) => {
      for (const { pk } of await records.find(second, { where: { sender: { ne: null } } }))
        await records.update(second, pk, { sender: null })
    },
  }),
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let kept: KeptDatabase
  beforeEach(async () => {
    kept = await keepDatabase(database)
  })
  afterEach(() => kept.remove())
  const start = (...parts: Parameters<typeof module>): Promise<TestService> =>
    startService(database, { modules: [...modules, module(...parts)], settings: kept.settings })

  test('data migrations run once, record by record or in SQL, and new computed fields are filled', async () => {
    const before = await start(first)
    const staff = before.as('staff')
    await make(staff, 'parcels', { name: 'box', sender: 'Ann' })
    // More than one batch.
    await staff.post(
      '/api/rest/parcels',
      Array.from({ length: 250 }, (_, at) => ({ name: `bag ${at}` })),
    )
    await before.stop()

    const after = await start(second, migrations)
    const list = async (service: TestService, filter: string) =>
      (await service.as('staff').get(`/api/rest/shipments?_ps=500&filter=${filter}`)).body.content
    expect(await list(after, 'name==box')).toMatchObject([{ origin: 'Ann', sender: 'Ann', upper: 'BOX' }])
    const bags = await list(after, 'name==bag*')
    expect(bags).toHaveLength(250)
    expect(bags.every((bag: { upper: string; name: string; origin: string }) => bag.upper.startsWith('BAG'))).toBe(true)
    expect(
      bags.every((bag: { name: string; origin: string }) => bag.name.endsWith('!') && bag.origin === 'unknown'),
    ).toBe(true)
    expect(await after.app.planMigration({ contracts: true })).toContain('clear-senders')
    expect(await after.app.migrate()).not.toContain('Data migrations')
    expect(await after.app.migrate({ contracts: true })).toContain('clear-senders')
    expect(await list(after, 'name==box')).toMatchObject([{ origin: 'Ann', sender: null }])
    await after.stop()

    const again = await start(second, migrations)
    expect((await list(again, 'name==bag*'))[0].name).not.toContain('!!')
    await again.stop()
  })

  testAll('a rename by the model is not warned of taking its time', async () => {
    await (await start(first)).stop()
    const lines: string[] = []
    const slow = defineModule({
      name: 'labels',
      about: 'Holds names of resources.',
      resources: [],
      // Stands for many records on a slow machine.
      onRename: () => sleep(400),
    })
    const renamed = await startService(database, {
      modules: [...modules, module(second), slow],
      settings: { ...kept.settings, 'app.log.level': 'info' },
      logTo: { write: (line: string) => void lines.push(line) },
    })
    await renamed.stop()
    expect(lines.join('')).toContain('rename parcels to shipments')
    expect(lines.join('')).not.toContain('kept its transaction open')
  })

  featureTest(import.meta.url, database)(
    'two versions run on one database: the new one adds a field, and the old one goes on writing',
    async () => {
      const newer = defineResource('parcels', {
        ...options,
        fields: { ...first.fields, state: text({ required: true, default: 'new' }) },
      })
      const old = await start(first)
      const parts = [...modules, defineModule({ name: 'post', about: 'The post.', resources: [newer] })]
      const young = await startService(database, { modules: parts, settings: kept.settings })
      const [one, other] = [old.as('staff'), young.as('staff')]
      const made = await make(one, 'parcels', { name: 'by the old one' })
      expect((await other.get(`/api/rest/parcels/${made.pk}`)).body.state).toBe('new')
      const changed = await other.patch(`/api/rest/parcels/${made.pk}`, { state: 'sent' })
      expect(changed.status).toBe(200)
      expect((await one.patch(`/api/rest/parcels/${made.pk}`, { sender: 'Ann' })).status).toBe(200)
      expect((await other.get(`/api/rest/parcels/${made.pk}`)).body).toMatchObject({ state: 'sent', sender: 'Ann' })
      await young.stop()
      await old.stop()
    },
  )
})
