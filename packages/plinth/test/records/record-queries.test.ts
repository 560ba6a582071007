// Queries of code: conditions along relations, order, related rows and chosen fields.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { people } from '@plinth/test-kit/rental-store'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { boolean, counted, integer, links, many, ref, text, textList } from '../../src/core/model/fields.ts'
import type { Records } from '../../src/core/model/records.ts'
import { defineModule } from '../../src/core/module.ts'
import { recordsFor } from '../../src/core/records/records.ts'
import { contextFor } from '../../src/core/rest/context.ts'

const staff = "caller.has('ROLE_STAFF')"

const owners = defineResource('owners', {
  about: 'Who brings devices.',
  label: 'name',
  fields: {
    name: text({ required: true }),
    isSecret: boolean({ required: true, default: false }),
    devices: many('devices', { by: 'owner' }),
    deviceCount: counted('devices'),
  },
  access: { read: `!record.isSecret || ${staff}`, write: staff },
})

const skills = defineResource('skills', {
  about: 'What repairs need.',
  label: 'name',
  fields: { name: text({ required: true }) },
  access: { read: staff, write: staff },
})

const devices = defineResource('devices', {
  about: 'What is repaired.',
  label: 'serial',
  fields: {
    serial: text({ required: true }),
    owner: ref(owners, { required: true }),
    age: integer(),
    tags: textList(),
    repairs: many('repairs', { by: 'device' }),
    skills: links(skills),
  },
  access: { read: 'caller.signedIn', write: staff },
})

const repairs = defineResource('repairs', {
  about: 'Repairs.',
  fields: {
    title: text({ required: true }),
    price: integer({ required: true }),
    device: ref(devices, { required: true }),
    previous: ref('repairs'),
  },
  access: { read: 'caller.signedIn', write: staff },
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let own: Records
  let limited: Records
  beforeAll(async () => {
    const workshop = defineModule({ name: 'shop', about: 'Repairs.', resources: [owners, skills, devices, repairs] })
    service = await startService(database, { modules: [...modules, workshop] })
    const { platform } = service.app
    own = platform.records
    limited = recordsFor(contextFor(platform, { pk: people.client, username: 'c', roles: new Set(['ROLE_USER']) }))
    await own.create(owners, { pk: ids.mary, name: 'Mary' })
    await own.create(owners, { pk: ids.spy, name: 'Mata', isSecret: true })
    await own.create(skills, { pk: ids.solder, name: 'Soldering' })
    await own.create(devices, { pk: ids.radio, serial: 'R*1', owner: ids.mary, age: 30, tags: ['old', 'loud'] })
    await own.create(devices, { pk: ids.bug, serial: 'R21', owner: ids.spy, skills: [ids.solder] })
    await own.create(repairs, { pk: ids.first, title: 'Dial', price: 10, device: ids.radio })
    await own.create(repairs, { pk: ids.second, title: 'Lamp', price: 20, device: ids.radio, previous: ids.first })
    await own.create(repairs, { pk: ids.third, title: 'Battery', price: 30, device: ids.bug })
  })
  afterAll(() => service.stop())

  type Query = Parameters<typeof own.find<typeof repairs>>[1]
  const titles = async (where: NonNullable<Query>['where'], records = own) =>
    (await records.find(repairs, { sort: 'title', ...(where && { where }) })).map(({ title }) => title).join()
  const serials = async (where: NonNullable<Parameters<typeof own.find<typeof devices>>[1]>['where'], records = own) =>
    (await records.find(devices, { sort: 'serial', ...(where && { where }) })).map(({ serial }) => serial).join()

  test('conditions follow references, and the references behind them', async () => {
    expect(await titles({ device: { owner: { name: { ilike: 'MAR*' } } } })).toBe('Dial,Lamp')
    expect(await titles({ device: { owner: ids.spy } })).toBe('Battery')
    expect(await titles({ device: { owner: { in: [ids.spy] }, age: null } })).toBe('Battery')
    expect(await titles({ device: ids.radio, price: { gt: 10 } })).toBe('Lamp')
    expect(await titles({ previous: null })).toBe('Battery,Dial')
    expect(await titles({ previous: { title: 'Dial' } })).toBe('Lamp')
  })

  test('conditions follow relations to many', async () => {
    expect(await serials({ repairs: { title: { like: 'L*' } } })).toBe('R*1')
    expect(await serials({ repairs: { price: { between: [11, 19] } } })).toBe('')
    expect(await serials({ repairs: { price: { between: [11, 20] } } })).toBe('R*1')
    expect(await serials({ skills: ids.solder })).toBe('R21')
    expect(await serials({ skills: { name: 'Soldering' } })).toBe('R21')
    expect(await serials({ skills: null })).toBe('R*1')
    expect(await serials({ skills: {} })).toBe('R21')
  })

  test('values are compared by every operator', async () => {
    expect(await titles({ price: { between: [10, 20] } })).toBe('Dial,Lamp')
    expect(await titles({ price: { ge: 10, lt: 30, notIn: [20] } })).toBe('Dial')
    expect(await titles({ title: { like: 'l*' } })).toBe('')
    expect(await titles({ title: { ilike: 'l%' } })).toBe('Lamp')
    expect(await serials({ serial: { like: 'R\\*1' } })).toBe('R*1')
    expect(await serials({ serial: { like: 'R*1' } })).toBe('R*1,R21')
    expect(await serials({ serial: 'R*' })).toBe('')
    expect(await serials({ age: { isNull: true } })).toBe('R21')
    expect(await serials({ age: { ne: null } })).toBe('R*1')
    expect(await serials({ tags: 'loud' })).toBe('R*1')
    expect((await own.find(owners, { where: { deviceCount: 1 } })).length).toBe(2)
  })

  test('alternatives, conjunctions and negations nest', async () => {
    expect(await titles({ or: [{ title: 'Dial' }, { device: { owner: { isSecret: true } } }] })).toBe('Battery,Dial')
    expect(await titles({ not: { device: { age: { gt: 10 } } } })).toBe('Battery')
    expect(await titles({ and: [{ not: { title: 'Dial' } }, { price: { le: 20 } }] })).toBe('Lamp')
    expect(await serials({ not: { repairs: { price: { gt: 20 } } } })).toBe('R*1')
    expect(await titles({ device: { or: [{ age: 30 }, { serial: 'R21' }], not: { age: null } } })).toBe('Dial,Lamp')
  })

  test('records that the caller may not read match nothing, on the way as at the end', async () => {
    const spy = { owner: { name: 'Mata' } }
    expect(await serials(spy)).toBe('R21')
    expect(await serials(spy, limited)).toBe('')
    expect(await titles({ device: { owner: { name: { ilike: 'm*' } } } }, limited)).toBe('Dial,Lamp')
    expect(await serials({ skills: { name: 'Soldering' } }, limited)).toBe('')
    expect(await serials({ skills: ids.solder }, limited)).toBe('')
    expect(await serials({ not: { skills: { name: 'Soldering' } } }, limited)).toBe('R*1,R21')
    const sorted = await limited.find(devices, { sort: ['-owner.name'] })
    expect(sorted.map(({ serial }) => serial)).toEqual(['R*1', 'R21'])
    expect(await limited.count(devices, { where: spy })).toBe(0)
    expect(await limited.asService.count(devices, { where: spy })).toBe(1)
  })

  test('related rows come along, through several relations and without a condition on their number', async () => {
    const [lamp] = await own.find(repairs, { where: { title: 'Lamp' }, include: ['device.owner', 'previous'] })
    expect(lamp).toMatchObject({
      title: 'Lamp',
      previous: { pk: ids.first, title: 'Dial', previous: null },
      device: { serial: 'R*1', age: 30, owner: { name: 'Mary', isSecret: false } },
    })
    const radio = await own.get(devices, ids.radio, { include: ['repairs', 'skills'] })
    expect([radio.skills, radio.repairs.map(({ title }) => title).sort()]).toEqual([[], ['Dial', 'Lamp']])
    for await (const batch of own.stream(devices, { include: ['owner'], sort: 'serial', batchSize: 1 }))
      for (const device of batch) expect(device.owner.name).toMatch(/^Ma/)
    const bug = await limited.get(devices, ids.bug, { include: ['owner', 'skills'] })
    expect([bug.owner, bug.skills]).toEqual([{ pk: ids.spy, label: null }, []])
  })

  test('rows hold the chosen fields alone', async () => {
    const rows = await own.find(repairs, { fields: ['title', 'device'], include: ['device'], sort: 'price', limit: 1 })
    expect(rows).toEqual([{ pk: ids.first, title: 'Dial', device: expect.objectContaining({ serial: 'R*1' }) }])
  })

  test('order follows references, and a page begins anywhere', async () => {
    const page = async (query: Query) => (await own.find(repairs, query)).map(({ title }) => title).join()
    expect(await page({ sort: ['device.owner.name', '-price'] })).toBe('Lamp,Dial,Battery')
    expect(await page({ sort: '-price', offset: 1 })).toBe('Lamp,Dial')
    expect(await page({ sort: '-price', offset: 1, limit: 1 })).toBe('Lamp')
    const [first] = await own.find(repairs, { sort: '-price', limit: 1 })
    expect(first && (await page({ sort: '-price', after: first }))).toBe('Lamp,Dial')
  })

  test('names that the compiler does not know are checked, with a suggestion', async () => {
    const wrong = (where: object) =>
      own.find(owners, { where: { devices: where as { readonly [name: string]: unknown } } })
    await expect(wrong({ seriel: 'A' })).rejects.toThrow("devices has no field 'seriel'; did you mean 'serial'?")
    await expect(wrong({ serial: { ilik: 'a' } })).rejects.toThrow(
      "there is no comparison 'ilik'; did you mean 'ilike'?",
    )
    await expect(wrong({ age: { like: 'a' } })).rejects.toThrow('devices.age cannot be compared by =like=')
  })

  test('conditions beside the options of a query are refused, and change nothing', async () => {
    const beside: object = { name: 'Mary' }
    const before = await own.count(owners)
    const message = "unknown option 'name' of a query; conditions go into 'where': { where: { name: … } }"
    await expect(own.count(owners, beside)).rejects.toThrow(message)
    await expect(own.find(owners, beside)).rejects.toThrow(message)
    await expect(own.first(owners, beside)).rejects.toThrow(message)
    await expect(own.removeMany(owners, { where: {}, ...beside })).rejects.toThrow(message)
    await expect(own.updateMany(owners, { where: {}, ...beside }, { name: 'All' })).rejects.toThrow(message)
    expect(await own.count(owners)).toBe(before)
  })
})

const id = (digit: number) => `0190a000-0000-7000-8000-00000000000${digit}`

const ids = {
  ...{ mary: id(1), spy: id(2), radio: id(3), bug: id(4) },
  ...{ first: id(5), second: id(6), third: id(7), solder: id(8) },
}
