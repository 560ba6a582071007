// Records as the code of modules reads and writes them: one write path below routes, hooks and seeds.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { people } from '@plinth/test-kit/rental-store'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatsByName } from '../../src/core/formats/index.ts'
import { defineResource } from '../../src/core/model/define.ts'
import { computed, integer, ref, text, timestamp } from '../../src/core/model/fields.ts'
import { composedOf, hashOf } from '../../src/core/model/identifier.ts'
import type { Records } from '../../src/core/model/records.ts'
import type { RowChanges } from '../../src/core/model/row.ts'
import { defineModule, type Module } from '../../src/core/module.ts'
import { Problem } from '../../src/core/problem.ts'
import { recordsFor } from '../../src/core/records/records.ts'
import { contextFor } from '../../src/core/rest/context.ts'
import { respond } from '../../src/core/rest/pipeline.ts'

const staff = "caller.has('ROLE_STAFF')"

const volumes = defineResource('volumes', {
  about: 'Books that are lent.',
  label: 'title',
  stamps: 'people',
  fields: {
    title: text({ required: true, max: 50 }),
    copies: integer({ required: true, default: 2, min: 0 }),
    shelfMark: computed(
      text({ max: 60 }),
      ({ title, copies }: { readonly title: string; readonly copies?: number | null | undefined }) =>
        `${title} (${copies})`,
    ),
    price: integer({ writable: staff }),
    lastAsked: timestamp({ serverOwned: true, activity: true }),
  },
  access: { read: 'caller.signedIn', update: 'caller.signedIn', write: staff },
})

const lendings = defineResource('lendings', {
  about: 'Who has which book.',
  stamps: 'people',
  fields: {
    volume: ref('volumes', { required: true }),
    borrower: ref('users', { required: true, onDelete: 'cascade' }),
    due: timestamp({ required: true, serverOwned: true }),
    returned: timestamp({ serverOwned: true }),
  },
  hooks: {
    beforeCreate: async ({ values, records, now }) => {
      const volume = await records.get(volumes, values.volume)
      if (volume.copies === 0) throw new Problem('conflict', 'There is no copy left.')
      await records.asService.update(volumes, volume.pk, { copies: volume.copies - 1 })
      values.due = new Date(now.getTime() + 21 * 24 * 3600_000).toISOString()
    },
    afterUpdate: async ({ before, record, records }) => {
      if (!record.returned || before.returned) return
      const { pk, copies } = await records.get(volumes, record.volume.pk)
      await records.asService.update(volumes, pk, { copies: copies + 1 })
    },
  },
  access: { read: `record.borrower.pk == caller.pk || ${staff}`, create: 'caller.signedIn', update: staff },
})

const marks = defineResource('marks', {
  about: 'Which words stand in which book.',
  identifier: composedOf('volume', 'word'),
  stamps: 'dates',
  fields: {
    volume: ref('volumes', { required: true, onDelete: 'cascade' }),
    word: ref('words', { required: true }),
    times: integer({ required: true, default: 1 }),
  },
  access: { read: staff },
})

const words = defineResource('words', {
  about: 'Words.',
  identifier: hashOf('word'),
  stamps: 'none',
  fields: { word: text({ required: true, max: 20 }) },
  access: { read: staff },
})

interface SpineTexts {
  readonly title: string
  readonly author?: string | null | undefined
}

const spines = defineResource('spines', {
  about: 'What stands on the backs of books.',
  stamps: 'dates',
  fields: {
    title: text({ required: true }),
    author: text(),
    height: integer(),
    line: computed(text(), ({ title, author }: SpineTexts) => [author, title].filter(Boolean).join(': '), {
      from: ['title', 'author'],
    }),
  },
  access: { read: staff, write: staff },
})

const lending = (): Module =>
  defineModule({
    name: 'lending',
    about: 'Lends books.',
    resources: [volumes, lendings, marks, words, spines],
    routes: service => [
      {
        method: 'POST',
        path: '/api/lending/{pk}/return',
        handler: respond(service, {
          resource: null,
          format: formatsByName.json,
          takesBody: false,
          run: async (context, { request }) => {
            const records = recordsFor(context)
            const { pk } = await records.get(lendings, request.params.pk ?? '')
            await records.update(lendings, pk, { returned: context.platform.clock().toISOString() })
            return { kind: 'nothing', status: 204 }
          },
        }),
      },
    ],
  })

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let own: Records
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, lending()] })
    admin = service.as('admin')
    own = service.app.platform.records
  })
  afterAll(() => service.stop())

  const volume = async (title: string) => (await service.as('staff').post('/api/rest/volumes', { title })).body.pk

  test('a route returns a loan for those who may, and the hook gives the copy back', async () => {
    const pk = await volume('Emma')
    const lent = await service.as('client').post('/api/rest/lendings', { volume: pk, borrower: people.client })
    expect([lent.status, lent.body.due > lent.body.createdDate]).toEqual([201, true])
    const path = `/api/rest/volumes/${pk}`
    expect((await admin.get(path)).body).toMatchObject({
      copies: 1,
      shelfMark: 'Emma (1)',
      lastModifiedBy: { pk: people.client },
    })
    const back = `/api/lending/${lent.body.pk}/return`
    expect((await service.as('anonymous').post(back, {})).status).toBe(401)
    expect((await service.as('simple').post(back, {})).status).toBe(404)
    expect((await service.as('client').post(back, {})).status).toBe(403)
    expect((await service.as('staff').post(back, {})).status).toBe(204)
    expect((await admin.get(path)).body).toMatchObject({ copies: 2, lastModifiedBy: { pk: people.staff } })
    expect((await admin.get(`/api/rest/lendings/${lent.body.pk}`)).body.lastModifiedBy.pk).toBe(people.staff)
  })

  test('records of a caller keep the rules of the resource and of its fields', async () => {
    const pk = await volume('Ulysses')
    const { platform } = service.app
    const caller = { pk: people.client, username: 'client', roles: new Set(['ROLE_USER']) }
    const records = recordsFor(contextFor(platform, caller))
    expect((await records.get(volumes, pk)).title).toBe('Ulysses')
    expect((await records.update(volumes, pk, { copies: 5 })).lastModifiedBy?.pk).toBe(people.client)
    await expect(records.update(volumes, pk, { price: 1 })).rejects.toMatchObject({
      code: 'forbidden',
      details: { errors: [{ member: 'price' }] },
    })
    await expect(records.remove(volumes, pk)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(records.create(volumes, { title: 'Mine' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(records.find(words)).rejects.toMatchObject({ code: 'forbidden' })
    const { pk: lent } = await own.create(lendings, { volume: pk, borrower: people.staff })
    await expect(records.get(lendings, lent)).rejects.toMatchObject({ message: `Not found: lendings ${lent}` })
    expect(await records.first(lendings, { where: { pk: lent } })).toBeNull()
    expect(await records.count(lendings, { where: { volume: pk } })).toBe(0)
    expect(await records.asService.count(lendings, { where: { volume: pk } })).toBe(1)
  })

  test('a record that code writes has its defaults, computed fields and dates', async () => {
    const made = await own.create(volumes, { title: 'Middlemarch' })
    expect(made).toMatchObject({ copies: 2, shelfMark: 'Middlemarch (2)', version: 1, createdBy: null })
    const seen = (await admin.get(`/api/rest/volumes/${made.pk}`)).body
    expect([seen.shelfMark, seen.lastModifiedDate]).toEqual(['Middlemarch (2)', made.createdDate])
    const changed = await own.update(volumes, made.pk, { copies: 7 })
    expect([changed.shelfMark, changed.version]).toEqual(['Middlemarch (7)', 2])
    expect(changed.lastModifiedDate > made.lastModifiedDate).toBe(true)
    expect((await own.update(volumes, made.pk, { copies: 7 })).version).toBe(2)
  })

  test('a field that is computed from some fields follows these, and others are changed without reading the record', async () => {
    const { pk, line } = await own.create(spines, { title: 'Emma', author: 'Jane Austen' })
    expect(line).toBe('Jane Austen: Emma')
    expect((await own.update(spines, pk, { author: null })).line).toBe('Emma')
    const path = `/api/rest/spines/${pk}`
    expect((await admin.patch(path, { title: 'Persuasion' })).body.line).toBe('Persuasion')
    expect((await admin.patch(path, { height: 20 })).body).toMatchObject({ line: 'Persuasion', height: 20 })
    // Others send statements, too: the smallest number counts.
    const { store } = service.app.platform
    const statementsOf = async (changes: (round: number) => RowChanges<typeof spines>): Promise<number> => {
      const counts: number[] = []
      for (let round = 0; round < 5; round++)
        await own.transaction(async records => {
          const before = store.statements
          await records.update(spines, pk, changes(round))
          counts.push(store.statements - before)
        })
      return Math.min(...counts)
    }
    const [ofHeight, ofTitle] = [
      await statementsOf(round => ({ height: round })),
      await statementsOf(round => ({ title: `Emma, volume ${round}` })),
    ]
    expect(ofHeight).toBe(ofTitle - 1)
    expect((await own.get(spines, pk)).line).toBe('Emma, volume 4')
  })

  test('a note of mere use is no modification', async () => {
    const { pk, lastModifiedDate } = await own.create(volumes, { title: 'Dracula' })
    const updated = await own.update(volumes, pk, { lastAsked: '2030-01-01T00:00:00.000Z' })
    expect([updated.version, updated.lastModifiedDate]).toEqual([2, lastModifiedDate])
  })

  test('all faults of values that code gives are named', async () => {
    const faulty = { title: 'x'.repeat(51), copies: -1 }
    await expect(own.create(volumes, faulty)).rejects.toMatchObject({
      code: 'invalid',
      details: { errors: [{ member: 'title' }, { member: 'copies' }] },
    })
    const { pk } = await own.create(volumes, { title: 'Persuasion' })
    await expect(own.update(volumes, pk, { title: '' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(own.update(volumes, 'nothing', { title: 'A' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found: volumes nothing',
    })
    await expect(own.remove(volumes, 'nothing')).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found: volumes nothing',
    })
  })

  test('identifiers follow from the definition', async () => {
    const [{ pk }, word] = [await own.create(volumes, { title: 'Kim' }), await own.create(words, { word: 'lama' })]
    await own.transaction(async records => {
      expect(await records.ensure(words, { word: 'lama' })).toBe(false)
      await records.createMany(marks, [{ volume: pk, word: word.pk }])
      await records.upsert(marks, { volume: pk, word: word.pk, times: 5 })
    })
    const mark = await own.get(marks, `${pk}_${word.pk}`)
    expect([mark.times, mark.version]).toEqual([5, 2])
    expect(await own.first(words, { where: { word: 'lama' } })).toEqual(word)
  })

  test('of many new records, each hook sees those before it', async () => {
    const { pk } = await own.create(volumes, { title: 'Last copy', copies: 1 })
    const lending = { volume: pk, borrower: people.staff }
    const lendAll = (count: number) =>
      own.transaction(records =>
        records.createMany(
          lendings,
          Array.from({ length: count }, () => lending),
        ),
      )
    await expect(lendAll(2)).rejects.toMatchObject({ code: 'conflict' })
    await lendAll(1)
    expect((await own.get(volumes, pk)).copies).toBe(0)
  })

  test('conditions, order and limits find records', async () => {
    for (const [title, copies] of Object.entries({ 'Sort a': 1, 'Sort b': 2, 'Sort c': 3 }))
      await own.create(volumes, { title, copies })
    const titles = async (query: Parameters<typeof own.find<typeof volumes>>[1]) =>
      (await own.find(volumes, query)).map(({ title }) => title)
    const sorted = { title: { ge: 'Sort', lt: 'Sorta' } } as const
    expect(await titles({ where: sorted, sort: ['-copies'], limit: 2 })).toEqual(['Sort c', 'Sort b'])
    expect(await titles({ where: { ...sorted, copies: { in: [1, 3] } }, sort: ['title'] })).toEqual([
      'Sort a',
      'Sort c',
    ])
    expect(await titles({ where: { ...sorted, or: [{ copies: 1 }, { copies: 2, price: { ne: 5 } }] } })).toHaveLength(2)
    expect(await own.updateMany(volumes, { where: { ...sorted, copies: { ne: 1 } } }, { copies: 9 })).toBe(2)
    expect(await own.updateMany(volumes, { where: { pk: 'nothing' } }, { copies: 9 })).toBe(0)
    expect((await own.first(volumes, { where: { title: 'Sort b' } }))?.shelfMark).toBe('Sort b (9)')
    expect(await own.removeMany(volumes, { where: { ...sorted, copies: 9 } })).toBe(2)
    expect(await titles({ where: sorted })).toEqual(['Sort a'])
    await expect(own.find(volumes, { where: { title: undefined } })).rejects.toThrow("'title' is undefined")
  })

  test('numbers are added to, whatever others write at the same time', async () => {
    const { pk } = await own.create(volumes, { title: 'Stock', copies: 10 })
    await Promise.all(Array.from({ length: 8 }, () => own.increment(volumes, pk, { copies: -1 })))
    const left = await own.increment(volumes, pk, { copies: -1, price: 3 })
    expect(left).toMatchObject({ copies: 1, price: 3, shelfMark: 'Stock (1)', version: 10 })
    await own.transaction(transaction => transaction.increment(volumes, pk, { copies: -1 }))
    await expect(own.increment(volumes, pk, { copies: -1 })).rejects.toMatchObject({
      code: 'invalid',
      details: { errors: [{ member: 'copies' }] },
    })
    await expect(own.increment(volumes, 'nothing', { copies: 1 })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found: volumes nothing',
    })
    const caller = { pk: people.client, username: 'client', roles: new Set(['ROLE_USER']) }
    const limited = recordsFor(contextFor(service.app.platform, caller))
    expect((await limited.increment(volumes, pk, { copies: 2 })).lastModifiedBy?.pk).toBe(people.client)
    await expect(limited.increment(volumes, pk, { price: 1 })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('many records are created, ensured and replaced outside of a transaction as well', async () => {
    const titles = async () => (await own.find(volumes, { where: { title: { like: 'Many *' } } })).length
    await own.createMany(volumes, [{ title: 'Many a' }, { title: 'Many b' }])
    await expect(own.createMany(volumes, [{ title: 'Many c' }, { title: '' }])).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await titles()).toBe(2)
    expect([await own.ensure(words, { word: 'om' }), await own.ensure(words, { word: 'om' })]).toEqual([true, false])
    const [one] = await own.find(volumes, { where: { title: 'Many a' } })
    if (one) await own.upsert(volumes, { pk: one.pk, title: 'Many z', copies: 4 })
    expect((await own.first(volumes, { where: { title: 'Many z' } }))?.copies).toBe(4)
    const nothing = { where: undefined as unknown as { readonly pk: string } }
    await expect(own.removeMany(volumes, nothing)).rejects.toThrow('needs `where`')
    await expect(own.updateMany(volumes, nothing, { copies: 0 })).rejects.toThrow('needs `where`')
    expect(await own.removeMany(volumes, { where: { title: { like: 'Many *' } }, limit: 1 })).toBe(1)
    expect(await titles()).toBe(1)
  })

  test('a transaction knows who acts and when, and keeps all or nothing', async () => {
    const now = new Date('2001-02-03T04:05:06.789Z')
    const caller = { pk: people.staff, username: 'staff', roles: new Set<string>() }
    const old = await own.transaction(records => records.acting({ caller, now }).create(volumes, { title: 'Old' }))
    expect(old).toMatchObject({ createdDate: now.toISOString(), createdBy: { pk: people.staff } })
    const failing = own.transaction(async records => {
      const row = await records.lock(volumes, old.pk)
      await records.update(volumes, old.pk, { copies: (row?.copies ?? 0) + 1 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await own.get(volumes, old.pk)).version).toBe(1)
  })

  test('a resource that is not part of the service is refused, whatever its name', async () => {
    const other = defineResource('volumes', { about: 'Others.', fields: { title: text() }, access: {} })
    await expect(own.find(other)).rejects.toThrow("another resource 'volumes'")
  })
})
