// ETags and the conditions on them: what one has read may be kept, and what others have changed is not overwritten.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, freshCopy, make, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const etagOf = async (path: string, headers = {}) => (await staff.get(path, headers)).headers.get('etag') ?? ''
  const newBook = async (fields = {}) =>
    `/api/rest/books/${(await make(staff, 'books', { title: fresh('B'), ...fields })).pk}`

  test('a tag stands on every record, page and schema, and reading again with it is 304', async () => {
    const address = await newBook()
    for (const path of [
      address,
      '/api/rest/books',
      '/api/rest/books/jsonschema',
      `${address}/authors`,
      `${address}?include=authors`,
    ]) {
      const etag = await etagOf(path)
      expect([path, etag]).toEqual([path, expect.stringMatching(/^"[^"]+"$/)])
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const unchanged = await staff(path, { method, headers: { 'If-None-Match': header } })
          expect([path, unchanged.status, unchanged.text]).toEqual([path, 304, ''])
          expect([unchanged.headers.get('etag'), unchanged.headers.get('vary')]).toEqual([
            etag,
            expect.stringContaining('Accept'),
          ])
        }
      }
      expect((await staff.get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
    }
  })

  test('HEAD says what GET would, without the body', async () => {
    const address = await newBook()
    for (const path of [address, '/api/rest/books?_ps=1', `${address}/copies`]) {
      const [get, head] = [await staff.get(path), await staff(path, { method: 'HEAD' })]
      expect(head.text).toBe('')
      for (const name of ['etag', 'content-type', 'x-total-count', 'content-length', 'vary', 'cache-control']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
      }
    }
    expect((await staff('/api/rest/books/nothing', { method: 'HEAD' })).status).toBe(404)
  })

  test('the tag changes with the record, its format, its reader and whatever it shows of other records', async () => {
    const shelf = await make(staff, 'shelves', { name: fresh('S') })
    const author = await make(staff, 'authors', { name: fresh('A') })
    const address = await newBook({ shelf: shelf.pk, authors: [author.pk], purchasePrice: 5 })
    const seen = new Set([await etagOf(address)])
    const changes: (() => Promise<unknown>)[] = [
      () => staff.patch(address, { pages: 1 }),
      () => staff.patch(`/api/rest/shelves/${shelf.pk}`, { name: fresh('S') }),
      () => staff.patch(`/api/rest/authors/${author.pk}`, { name: fresh('A') }),
      () => make(staff, 'copies', { pk: freshCopy(), book: address.split('/').at(-1) }),
    ]
    for (const change of changes) {
      await change()
      const etag = await etagOf(address)
      expect(seen).not.toContain(etag)
      seen.add(etag)
    }
    seen.add(await etagOf(address, { Accept: 'application/hal+json' }))
    seen.add(await etagOf(`${address}?fields=title`))
    seen.add((await service.as('simple').get(address)).headers.get('etag') ?? '')
    expect(seen.size).toBe(1 + changes.length + 3)
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('%s happens only when If-Match names the present version', async method => {
    const address = await newBook()
    const stale = await etagOf(address)
    await staff.patch(address, { pages: 1 })
    const present = await etagOf(address)
    const ask = (header: string) => {
      const body = method === 'DELETE' ? undefined : { title: fresh('changed') }
      return staff(address, { method, body, headers: { 'If-Match': header } })
    }
    for (const header of [stale, '"other"', `W/${present}`, `${stale}, W/${present}`, 'nonsense', '""']) {
      const refused = await ask(header)
      expect([header, refused.status, refused.body.code]).toEqual([header, 412, 'precondition_failed'])
    }
    expect((await staff.get(address)).body.version).toBe(2)
    expect((await ask(`${stale}, ${present}`)).status).toBe(method === 'DELETE' ? 204 : 200)
  })

  test('If-Match: * asks for a record to be there, If-None-Match: * for none', async () => {
    const admin = service.as('admin')
    const address = await newBook()
    const missing = '/api/rest/books/b0000000-0000-4000-8000-000000000001'
    expect((await admin.put(missing, { title: 'T' }, { 'If-Match': '*' })).status).toBe(412)
    expect((await admin.put(address, { title: 'T' }, { 'If-None-Match': '*' })).status).toBe(412)
    expect((await admin.put(address, { title: 'T' }, { 'If-Match': '*' })).status).toBe(200)
    expect((await admin.put(missing, { title: 'T' }, { 'If-None-Match': '*' })).status).toBe(201)
    expect((await admin.patch(`${missing.slice(0, -1)}2`, { title: 'T' }, { 'If-Match': '*' })).status).toBe(412)
  })

  test('If-None-Match with tags refuses a write of just that version, weakly compared', async () => {
    const address = await newBook()
    const etag = await etagOf(address)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect([header, (await staff.patch(address, { pages: 5 }, { 'If-None-Match': header })).status]).toEqual([
        header,
        412,
      ])
    }
    expect((await staff.patch(address, { pages: 5 }, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('of many who change the same version one succeeds', async () => {
    const address = await newBook()
    const etag = await etagOf(address)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => staff.patch(address, { pages: at + 1 }, { 'If-Match': etag })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(19).fill(412)])
    expect((await staff.get(address)).body.version).toBe(2)
  })
})
