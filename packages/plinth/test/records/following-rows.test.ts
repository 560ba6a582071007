// Rows of another resource that follow from a record are written with it, and again when the fields change that they follow from.

import { randomUUID } from 'node:crypto'
import { databases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { counted, defineModule, defineResource, followingRows, many, ref, text, textList } from 'plinth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRegistry } from '../../src/core/model/registry.ts'

const access = { read: 'true', write: "caller.has('ROLE_STAFF')" }

const parcelMarks = defineResource('parcelMarks', {
  about: 'The marks of parcels, to find parcels by.',
  fields: {
    mark: text({ required: true, indexed: true }),
    kind: text({ required: true, default: 'plain' }),
    parcel: ref('parcels', { required: true, onDelete: 'cascade' }),
  },
  access,
})

const marksIn = ({ marks }: { readonly marks?: readonly string[] | null }) => (marks ?? []).map(mark => ({ mark }))

const parcels = defineResource('parcels', {
  about: 'What is sent.',
  history: true,
  fields: { name: text({ required: true, unique: true }), marks: textList(), note: text() },
  hooks: {
    fields: ['marks'],
    follow: [followingRows(parcelMarks, 'parcel', marksIn)],
  },
  access,
})

const crateMarks = defineResource('crateMarks', {
  about: 'The marks of crates.',
  fields: { mark: text({ required: true }), crate: ref('crates', { required: true, onDelete: 'cascade' }) },
  access,
})

const crates = defineResource('crates', {
  about: 'What parcels are sent in.',
  fields: {
    marks: textList(),
    crateMarks: many('crateMarks', { by: 'crate' }),
    markCount: counted('crateMarks'),
  },
  hooks: {
    follow: [followingRows(crateMarks, 'crate', marksIn)],
  },
  access,
})

const post = defineModule({ name: 'post', about: 'Parcels.', resources: [parcels, parcelMarks, crates, crateMarks] })

describe.each(databases)('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, post] })
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const rowsOf = async (parcel: string) => {
    const found = await staff.get(`/api/rest/parcelMarks?filter=parcel==${parcel}&sort=mark`)
    return found.body.content as { pk: string; mark: string; kind: string; version: number }[]
  }
  const marksOf = async (parcel: string) => (await rowsOf(parcel)).map(({ mark }) => mark)
  const create = (name: string, marks?: readonly string[]) => staff.post('/api/rest/parcels', { name, marks })

  test('they are there with the record, follow its changes, and go with it', async () => {
    const made = await create('A book', ['fragile', 'red'])
    expect(made).toHaveStatus(201)
    const { pk } = made.body
    const rows = await rowsOf(pk)
    expect(rows).toMatchObject([
      { mark: 'fragile', kind: 'plain', version: 1 },
      { mark: 'red', kind: 'plain', version: 1 },
    ])
    expect(await staff.patch(`/api/rest/parcels/${pk}`, { note: 'Late' })).toHaveStatus(200)
    expect(await rowsOf(pk)).toEqual(rows)
    expect(await staff.patch(`/api/rest/parcels/${pk}`, { marks: ['red', 'blue'] })).toHaveStatus(200)
    expect(await marksOf(pk)).toEqual(['blue', 'red'])
    expect(await staff.delete(`/api/rest/parcels/${pk}`)).toHaveStatus(204)
    expect(await rowsOf(pk)).toEqual([])
  })

  test('of records that are created together each has its own, and one that is refused has none', async () => {
    expect(await create('Taken', [])).toHaveStatus(201)
    const names = Array.from({ length: 20 }, (_, at) => (at === 7 ? 'Taken' : `Together ${at}`))
    const made = await Promise.all(names.map((name, at) => create(name, [`m${at}`, `n${at}`].slice(0, at % 3))))
    for (const [at, { status, body }] of made.entries())
      if (at === 7) expect([status, body.code]).toEqual([409, 'taken'])
      else expect([status, await marksOf(body.pk)]).toEqual([201, [`m${at}`, `n${at}`].slice(0, at % 3)])
    const lost = await staff.get('/api/rest/parcelMarks?filter=mark==m7')
    expect(lost.body.content).toEqual([])
  })

  test('code that creates records creates them as well', async () => {
    const { records } = service.app.platform
    const pks: string[] = []
    const values = (name: string) => {
      const pk = randomUUID()
      pks.push(pk)
      return { pk, name, marks: [name] }
    }
    await records.createMany(parcels, [values('many'), values('more')])
    await records.ensure(parcels, values('ensured'))
    const upserted = values('upserted')
    await records.upsert(parcels, upserted)
    await records.upsert(parcels, { ...upserted, marks: ['again'] })
    await records.transaction(inTransaction => inTransaction.create(parcels, values('inside')))
    expect(await Promise.all(pks.map(marksOf))).toEqual([['many'], ['more'], ['ensured'], ['again'], ['inside']])
  })

  test('a record that counts them shows how many there are at once', async () => {
    const made = await staff.post('/api/rest/crates', { marks: ['a', 'b', 'c'] })
    expect([made.status, made.body.markCount]).toEqual([201, 3])
    const changed = await staff.patch(`/api/rest/crates/${made.body.pk}`, { marks: ['d'] })
    expect([changed.status, changed.body.markCount]).toEqual([200, 1])
  })

  test('a change of them is published as well', async () => {
    const { events } = service.app.platform.store
    await events.arrange()
    const { latest } = await events.window()
    const { body } = await create('Published', ['one'])
    await events.arrange()
    const published = await events.read({ after: latest, upTo: Number.MAX_SAFE_INTEGER, limit: 100 })
    const [row] = await rowsOf(body.pk)
    expect(published.map(({ type, resource, pk }) => [type, resource, pk]).sort()).toEqual([
      ['created', 'parcelMarks', row?.pk],
      ['created', 'parcels', body.pk],
    ])
  })
})

test('rows that cannot be written with their record stop the start', () => {
  const marks = defineResource('marks', {
    about: 'Marks.',
    history: true,
    fields: { mark: text(), of: ref('things') },
    access,
  })
  const things = defineResource('things', {
    about: 'Things.',
    fields: { name: text() },
    hooks: {
      follow: [
        followingRows(marks, 'mark', () => []),
        followingRows(marks, 'of', () => []),
        followingRows(crateMarks, 'crate', () => []),
      ],
    },
    access,
  })
  expect(() => createRegistry([marks, things])).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /'mark' must be a reference to 'things'.*'marks' must have no hooks, history.*'crateMarks' is no resource/s,
      ),
    }),
  )
})
