// A model that a newer one has replaced does not start on the database: it would hide what was stored since.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { type KeptDatabase, keepDatabase } from '@plinth/test-kit/kept-database'
import { make } from '@plinth/test-kit/library'
import { createApp, modules } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { defineResource, type ResourceDefinition } from '../../src/core/model/define.ts'
import type { Field } from '../../src/core/model/field.ts'
import { choice, ref, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

const customers = (fields: Record<string, Field>): ResourceDefinition =>
  defineResource('customers', {
    about: 'People who buy.',
    label: 'name',
    fields: { name: text(), ...fields },
    access: { read: 'true', write: 'caller.signedIn' },
  })

const first = customers({ phone: text() })
const second = customers({ telephone: text({ renamedFrom: 'phone' }) })

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let kept: KeptDatabase
  beforeEach(async () => {
    kept = await keepDatabase(database)
  })
  afterEach(() => kept.remove())

  const start = (resource: ResourceDefinition, allowsOlder = false): Promise<TestService> =>
    startService(database, {
      modules: [...modules, defineModule({ name: 'shop', about: 'A shop.', resources: [resource] })],
      settings: kept.settings,
      allowsOlder,
    })

  const startAndStop = async (...[resource, allowsOlder]: Parameters<typeof start>): Promise<void> =>
    (await start(resource, allowsOlder)).stop()

  test('an older model is refused with what it does not know, until its operator allows it', async () => {
    await startAndStop(first)
    await startAndStop(second)
    await startAndStop(second)
    await expect(start(first)).rejects.toThrow(
      /a newer model has used the database since .*does not know customers\.telephone.*--allow-older/,
    )
    await startAndStop(first, true)
    // From now on both may start: the operator has gone back, and can go forward again.
    await startAndStop(first)
    await startAndStop(second)
    await startAndStop(customers({ telephone: text({ renamedFrom: 'phone' }), city: text() }))
    await expect(start(second)).rejects.toThrow(/does not know customers\.city/)
  })

  testAll('a module that is turned off and on again is no older model', async () => {
    const withOther = [
      ...modules,
      defineModule({ name: 'shop', about: 'A shop.', resources: [first] }),
      defineModule({
        name: 'post',
        about: 'Letters.',
        resources: [defineResource('letters', { about: 'Letters.', label: 'to', fields: { to: text() }, access: {} })],
      }),
    ]
    const startBoth = () => startService(database, { modules: withOther, settings: kept.settings })
    await (await startBoth()).stop()
    await startAndStop(first)
    await (await startBoth()).stop()
    const service = await start(first)
    expect((await service.as('staff').get('/api/rest/customers')).status).toBe(200)
    await service.stop()
  })

  testAll('a choice that records still have is not taken away', async () => {
    const service = await start(customers({ locale: text() }))
    const { pk } = await make(service.as('staff'), 'customers', { name: 'Zoé', locale: 'fr' })
    await service.stop()
    const narrow = customers({ locale: choice(['en', 'de']) })
    await expect(start(narrow)).rejects.toThrow(
      new RegExp(`customers\\.locale takes only en, de, but 1 record has another value, such as '${pk}'`),
    )
    const renamed = defineResource('buyers', {
      ...{ about: 'People who buy.', label: 'name', renamedFrom: 'customers', access: { read: 'true' } },
      fields: { name: text(), language: choice(['en', 'de'], { renamedFrom: 'locale' }) },
    })
    await expect(start(renamed)).rejects.toThrow('buyers.language takes only en, de, but 1 record has another value')
    const wide = await start(customers({ locale: choice(['en', 'de', 'fr', 'it']) }))
    await wide.as('staff').patch(`/api/rest/customers/${pk}`, { locale: 'de' })
    await wide.stop()
    await startAndStop(narrow)
  })
})

testAll('the plan marks the steps that break running instances', async () => {
  const kept = await keepDatabase('postgres')
  onTestFinished(() => kept.remove())
  const post = (resource: ResourceDefinition) => ({
    modules: [...modules, defineModule({ name: 'shop', about: 'A shop.', resources: [resource] })],
    settings: kept.settings,
  })
  const before = await startService('postgres', post(customers({ city: text(), street: text(), code: text() })))
  await before.stop()
  const changed = customers({
    city: text({ required: true }),
    street: text({ unique: true, max: 100 }),
    code: ref('countries'),
    since: text({ required: true }),
    rank: text({ required: true, default: 'none' }),
    note: text(),
  })
  const app = await createApp(configOn(dataOf(kept), {}), post(changed))
  onTestFinished(() => app.close())
  const broken = (await app.planMigration()).split('\n\n').filter(step => step.includes('BREAKS running instances'))
  expect(broken.map(step => /\d+\. (.*)/.exec(step)?.[1])).toEqual([
    'customers.since: new',
    'customers.city: now required',
    'customers.code: refers to countries',
    'customers: unique by street',
  ])
})

const dataOf = ({ settings }: KeptDatabase) => ({
  folder: settings['app.dataDir'] ?? '',
  url: settings['app.database.url'] ?? '',
})
