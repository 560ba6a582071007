// A resource that changes between two starts: the data stays, and what cannot be done safely stops the start in words.

import { featureDatabases, featureTest, itemsOn, testOn } from '@plinth/test-kit/databases'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineResource, type ResourceDefinition } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { boolean, integer, links, ref, text, timestamp } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

const access = { read: 'true', write: 'caller.signedIn' }

const parcels = (fields: Record<string, Field>): ResourceDefinition =>
  defineResource('parcels', { about: 'Things on their way.', label: 'name', fields, access })

const first = parcels({
  name: text({ required: true, max: 100 }),
  sender: text(),
  weight: integer(),
  country: ref('countries'),
})

const refused: readonly (readonly [string, Record<string, Field>, RegExp])[] = [
  ['a required field without a default', { kind: text({ required: true }) }, /kind/],
  ['a field that becomes required where values are missing', { sender: text({ required: true }) }, /sender/],
  ['a field of another type', { weight: text() }, /weight/],
  [
    'a field that becomes unique where values repeat',
    { name: text({ required: true, max: 100, unique: true }) },
    /name/,
  ],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let kept: KeptDatabase
  beforeEach(async () => {
    kept = await keepDatabase(database)
  })
  afterEach(() => kept.remove())

  const start = (...resources: ResourceDefinition[]) =>
    startService(database, {
      modules: [...modules, defineModule({ name: 'post', about: 'The post.', resources })],
      settings: kept.settings,
    })

  /** Starts with the first version, makes the records, stops. */
  const beginWith = async (...records: Record<string, unknown>[]): Promise<string[]> => {
    const service = await start(first)
    const pks: string[] = []
    for (const record of records) pks.push((await make(service.as('staff'), 'parcels', record)).pk)
    await service.stop()
    return pks
  }

  test('the next start keeps the data: a field renamed, others added, a resource beside it, relations between them', async () => {
    const [pk] = await beginWith({ name: 'box', sender: 'Ann', weight: 5, country: 'GR' }, { name: 'bag' })
    const changed = parcels({
      name: text({ required: true, max: 500, indexed: true }),
      origin: text({ renamedFrom: 'sender' }),
      weight: integer(),
      country: ref('countries'),
      fragile: boolean({ required: true, default: false }),
      kind: text({ required: true, default: 'parcel' }),
      sent: timestamp(),
      depot: ref('depots', { onDelete: 'clear' }),
      stops: links('depots', { embed: true }),
    })
    const depots = defineResource('depots', { about: 'On the way.', label: 'name', fields: { name: text() }, access })
    const service = await start(changed, depots)
    try {
      const staff = service.as('staff')
      const found = (await staff.get(`/api/rest/parcels/${pk}`)).body
      expect(found).toMatchObject({ name: 'box', origin: 'Ann', weight: 5, country: { pk: 'GR' }, version: 1 })
      expect(found).toMatchObject({ fragile: false, kind: 'parcel', sent: null, depot: null, stops: [] })
      const depot = await make(staff, 'depots', { name: 'Hub' })
      const moved = await staff.patch(`/api/rest/parcels/${pk}`, { depot: depot.pk, stops: [depot.pk], fragile: true })
      expect(moved.body).toMatchObject({ depot: { name: 'Hub' }, stops: [{ name: 'Hub' }], fragile: true })
      expect((await staff.get('/api/rest/parcels?filter=origin==Ann')).body.page.totalElements).toBe(1)
      expect((await staff.get('/api/rest/parcels?sender=Ann')).status).toBe(400)
    } finally {
      await service.stop()
    }
  })

  // The tests of the store compare models with both databases.
  testOn('sqlite', database)('the same model again is nothing to do, and the data is there', async () => {
    const [pk] = await beginWith({ name: 'box' })
    const service = await start(first)
    try {
      expect((await service.as('staff').get(`/api/rest/parcels/${pk}`)).body.name).toBe('box')
      expect(await service.app.planMigration()).not.toContain('parcels')
    } finally {
      await service.stop()
    }
  })

  featureTest(import.meta.url, database)(
    'changes that cannot be made stop the start, in words that name them, and nothing is changed',
    async () => {
      await beginWith({ name: 'twice', weight: 5 }, { name: 'twice' })
      for (const [change, fields, named] of itemsOn(database, refused)) {
        const failure: Error = await start(parcels({ ...first.fields, ...fields })).catch(error => error)
        expect(failure, change).toBeInstanceOf(Error)
        expect(failure.message).toMatch(/parcels/)
        expect(failure.message).toMatch(named)
      }
      const service = await start(first)
      try {
        expect((await service.as('staff').get('/api/rest/parcels')).body.page.totalElements).toBe(2)
        expect(await service.app.planMigration()).not.toContain('parcels')
      } finally {
        await service.stop()
      }
    },
  )

  testOn('sqlite', database)(
    'a field that is gone from the model keeps its column, and comes back with its values',
    async () => {
      const [pk] = await beginWith({ name: 'box', weight: 5 })
      const { weight: _weight, ...rest } = first.fields
      const without = await start(parcels(rest))
      const record = (await without.as('staff').get(`/api/rest/parcels/${pk}`)).body
      expect(record).not.toHaveProperty('weight')
      await make(without.as('staff'), 'parcels', { name: 'new' })
      await without.stop()
      const again = await start(first)
      try {
        expect((await again.as('staff').get(`/api/rest/parcels/${pk}`)).body.weight).toBe(5)
      } finally {
        await again.stop()
      }
    },
  )
})
