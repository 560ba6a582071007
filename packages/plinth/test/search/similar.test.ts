// Records that are like another one: which these are, in which order, and what a caller learns of others by them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articles, press } from './articles-module.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  const pks = new Map<string, string>()
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, press] })
    staff = service.as('staff')
    simple = service.as('simple')
    const add = async (values: { readonly title: string; readonly [field: string]: unknown }) =>
      pks.set(values.title, (await make(staff, 'articles', values)).pk)
    const lock = 'The lock on the canal was rebuilt after the flood, and barges pass it again.'
    await add({ title: 'Canal lock rebuilt', description: lock })
    await add({ title: 'Canal lock rebuilt, again', description: lock })
    await add({ title: 'Barges on the canal', description: 'Barges carry gravel. A flood had closed the lock.' })
    await add({ title: 'A recipe for rye bread', description: 'Flour, water and time.' })
    await add({ title: 'Bread for beginners', description: 'Of flour and water.', remarks: 'embargoed canal' })
    await add({ title: 'Canal lock, unpublished', description: lock, secret: true })
  })
  afterAll(() => service.stop())

  const pkOf = (title: string): string => pks.get(title) ?? ''
  const like = async (client: Client, title: string, more = '') => {
    const { status, body } = await client.get(`/api/rest/articles?similar=${pkOf(title)}${more}`)
    expect([status, body.detail]).toEqual([200, undefined])
    return body.content.map((record: { readonly title: string }) => record.title)
  }

  test('the most similar records come first, and what has little in common is none of them', async () => {
    expect(await like(simple, 'Canal lock rebuilt')).toEqual(['Canal lock rebuilt, again', 'Barges on the canal'])
    expect(await like(simple, 'Bread for beginners')).toEqual(['A recipe for rye bread'])
    const { body } = await simple.get(`/api/rest/articles?similar=${pkOf('Canal lock rebuilt')}&_matches=true&_ps=1`)
    expect(body.page).toMatchObject({ totalElements: 2, size: 1 })
    expect(body.matches).toMatchObject([{ snippet: expect.stringContaining('lock'), score: expect.any(Number) }])
  })

  test('it goes together with filters, orders, pages and formats', async () => {
    const title = 'Canal lock rebuilt'
    expect(await like(simple, title, '&sort=title')).toEqual(['Barges on the canal', 'Canal lock rebuilt, again'])
    expect(await like(simple, title, '&filter=title==B*')).toEqual(['Barges on the canal'])
    expect(await like(simple, title, '&_ps=1&_pn=1')).toEqual(['Barges on the canal'])
    const jsonApi = await simple.get(`/api/rest/articles?similar=${pkOf(title)}`, {
      Accept: 'application/vnd.api+json',
    })
    expect(jsonApi.body.data).toHaveLength(2)
    const csv = await simple.get(`/api/rest/articles?similar=${pkOf(title)}&_export=csv`)
    expect([csv.status, csv.text.trim().split('\n').length]).toEqual([200, 3])
    const cost = await service.as('admin').get(`/api/rest/articles?similar=${pkOf(title)}&explain=cost`)
    expect(cost.status).toBe(200)
  })

  test('packed records are compared as those that were written a moment ago', async () => {
    const before = await like(simple, 'Canal lock rebuilt')
    await service.app.platform.records.createMany(
      articles,
      Array.from({ length: 400 }, (_, at) => ({
        title: `Page ${at}`,
        description: `${'filler text '.repeat(20)}${at}`,
      })),
    )
    await service.app.platform.store.packSearch(new AbortController().signal)
    expect(await like(simple, 'Canal lock rebuilt')).toEqual(before)
  })

  test('hidden records and fields neither show nor count, and a hidden record is as none', async () => {
    expect(await like(staff, 'Canal lock rebuilt')).toHaveLength(3)
    // The remark is of the staff.
    expect(await like(simple, 'Bread for beginners')).toEqual(['A recipe for rye bread'])
    const [hidden, missing] = await Promise.all(
      [pkOf('Canal lock, unpublished'), 'nothing'].map(pk => simple.get(`/api/rest/articles?similar=${pk}`)),
    )
    expect([hidden?.status, hidden?.body.errors]).toEqual([400, missing?.body.errors])
    expect(missing?.body.errors).toMatchObject([{ parameter: 'similar', code: 'missing' }])
    for (const other of ['search=canal', 'pks=a', 'asOf=2020-01-01T00:00:00Z'])
      expect([
        other,
        (await service.as('admin').get(`/api/rest/articles?similar=${pkOf('Canal lock rebuilt')}&${other}`)).status,
      ]).toEqual([other, 400])
  })

  test('code finds similar records as callers do', async () => {
    const { records } = service.app.platform
    const found = await records.find(articles, {
      similar: pkOf('Canal lock rebuilt'),
      where: { secret: false },
      limit: 1,
    })
    expect(found.map(({ title }) => title)).toEqual(['Canal lock rebuilt, again'])
    await expect(records.find(articles, { similar: 'nothing' })).rejects.toThrow('Not found: articles nothing')
    await expect(records.find(articles, { similar: 'a', search: 'b' })).rejects.toThrow('choose one')
  })
})
