// Writing: replace, patch, merge; all or none; and what is said when nothing, too much or something stale is sent.

import { featureDatabases } from '@plinth/test-kit/databases'
import { column, fresh, freshCopy, make, pointers, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const merge = { 'Content-Type': 'application/merge-patch+json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let shelf: { pk: string }
  let author: { pk: string }
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
    shelf = await make(staff, 'shelves', { name: fresh('shelf') })
    author = await make(staff, 'authors', { name: fresh('author') })
  })
  afterAll(() => service.stop())

  const full = () => ({
    title: fresh('full'),
    blurb: 'b',
    pages: 9,
    price: 1.25,
    binding: 'hardcover',
    inPrint: false,
    tags: ['a'],
    notes: { a: 'b' },
    stars: 3,
    accession: 'A-1',
    doorCode: 'secret',
    shelf: shelf.pk,
    authors: [author.pk],
  })
  const total = async () => (await staff.get('/api/rest/books?_ps=1')).headers.get('x-total-count')

  describe('replacing', () => {
    test('empties or resets what is not sent, keeps relations, and leaves alone what the service owns', async () => {
      const made = await make(staff, 'books', full())
      const replaced = await staff.put(`/api/rest/books/${made.pk}`, {
        title: 'bare',
        popularity: 5,
        createdDate: 0,
        sortTitle: 'x',
      })
      expect(replaced.status).toBe(200)
      expect(replaced.body).toMatchObject({
        title: 'bare',
        blurb: null,
        pages: null,
        price: null,
        tags: null,
        notes: null,
      })
      expect(replaced.body).toMatchObject({ binding: 'paperback', inPrint: true, stars: 0 })
      expect(replaced.body).toMatchObject({ shelf: { pk: shelf.pk }, authors: [{ pk: author.pk }], accession: 'A-1' })
      expect(replaced.body).toMatchObject({
        popularity: 0,
        createdDate: made.createdDate,
        sortTitle: 'bare',
        version: 2,
      })
    })

    test('takes null for empty, except where a value is required', async () => {
      const { pk } = await make(staff, 'books', full())
      const emptied = await staff.put(`/api/rest/books/${pk}`, {
        title: 'T',
        shelf: null,
        authors: [],
        binding: null,
        pages: null,
      })
      expect(emptied.body).toMatchObject({ shelf: null, authors: [], binding: 'paperback', pages: null })
      const refused = await staff.put(`/api/rest/books/${pk}`, { title: null, pages: 'x' })
      expect([refused.status, pointers(refused).sort()]).toEqual([400, ['/pages', '/title']])
      const missing = await staff.put(`/api/rest/books/${pk}`, { pages: 4 })
      expect([missing.status, missing.body.errors]).toMatchObject([400, [{ pointer: '/title', code: 'required' }]])
    })

    test('with the record as it was read changes nothing and says 200', async () => {
      const made = await make(staff, 'books', full())
      const again = await staff.put(`/api/rest/books/${made.pk}`, made)
      expect([again.status, again.body]).toEqual([200, made])
      const document = (await staff.get(`/api/rest/books/${made.pk}`, speaking)).body
      const inDocument = await staff.put(
        `/api/rest/books/${made.pk}`,
        { data: { ...document.data, relationships: {} } },
        speaking,
      )
      expect([inDocument.status, inDocument.body.data.attributes.version]).toEqual([200, 1])
    })
  })

  describe('patching', () => {
    test('changes what is given and ignores null', async () => {
      const made = await make(staff, 'books', full())
      const patched = await staff.patch(`/api/rest/books/${made.pk}`, {
        pages: 10,
        blurb: null,
        shelf: null,
        title: null,
        tags: null,
      })
      expect(patched.status).toBe(200)
      expect(patched.body).toMatchObject({
        pages: 10,
        blurb: 'b',
        title: made.title,
        tags: ['a'],
        shelf: { pk: shelf.pk },
      })
      const document = {
        data: { type: 'books', attributes: { pages: 11, blurb: null }, relationships: { shelf: { data: null } } },
      }
      const inDocument = await staff.patch(`/api/rest/books/${made.pk}`, document, {
        ...speaking,
        Accept: 'application/json',
      })
      expect(inDocument.body).toMatchObject({ pages: 11, blurb: 'b', shelf: { pk: shelf.pk } })
    })

    test.each([
      ['nothing', {}],
      ['only nulls', { blurb: null, shelf: null }],
      ['only what is so already', { pages: 9, tags: ['a'], notes: { a: 'b' }, binding: 'HB' }],
      ['only what the service owns', { popularity: 5, createdDate: 0, version: 1 }],
      ['only unknown fields', { colour: 'red', links: [], _links: {}, _embedded: {} }],
    ])('with %s is 204, and the record is as it was', async (_, body) => {
      const made = await make(staff, 'books', full())
      const patched = await staff.patch(`/api/rest/books/${made.pk}`, body)
      expect([patched.status, patched.text]).toEqual([204, ''])
      expect((await staff.get(`/api/rest/books/${made.pk}`)).body).toEqual(made)
    })

    test('by merge clears with null, except where a value is required', async () => {
      const made = await make(staff, 'books', full())
      const cleared = await staff.patch(
        `/api/rest/books/${made.pk}`,
        { blurb: null, shelf: null, authors: null, binding: null, pages: 5 },
        merge,
      )
      expect([cleared.status, cleared.body]).toMatchObject([
        200,
        { blurb: null, shelf: null, authors: [], binding: null, pages: 5 },
      ])
      const refused = await staff.patch(`/api/rest/books/${made.pk}`, { title: null }, merge)
      expect([refused.status, pointers(refused)]).toEqual([400, ['/title']])
      expect((await staff.patch(`/api/rest/books/${made.pk}`, {}, merge)).status).toBe(204)
    })
  })

  test('a stale version in the body is 409, the present one is fine', async () => {
    const { pk } = await make(staff, 'books', { title: 'V' })
    expect((await staff.patch(`/api/rest/books/${pk}`, { pages: 1, version: 1 })).body.version).toBe(2)
    for (const method of ['put', 'patch'] as const) {
      const refused = await staff[method](`/api/rest/books/${pk}`, { title: 'V', pages: 2, version: 1 })
      expect([refused.status, refused.body.code]).toEqual([409, 'stale'])
      const odd = await staff[method](`/api/rest/books/${pk}`, { title: 'V', version: 'one' })
      expect([odd.status, pointers(odd)]).toEqual([400, ['/version']])
    }
    const document = { data: { type: 'books', id: pk, attributes: { pages: 2, version: 1 } } }
    const refused = await staff.patch(`/api/rest/books/${pk}`, document, speaking)
    expect([refused.status, refused.body.errors[0].code]).toEqual([409, 'stale'])
  })

  test.each([
    ['', 'The body is empty.'],
    ['{', 'position 1'],
    ['{"a":', 'is incomplete'],
    ['x', 'it is malformed'],
    ['{"title": "x",}', 'position'],
    ['null', 'must be an object'],
    ['"text"', 'must be an object'],
    ['7', 'must be an object'],
    ['[]', 'The list is empty.'],
    ['\ufeff{', 'not JSON'],
  ])('the body %j is refused in words', async (body, words) => {
    const refused = await staff.post('/api/rest/books', body, { 'Content-Type': 'application/json' })
    expect([refused.status, refused.body.code]).toEqual([400, 'bad_request'])
    expect(refused.body.detail).toContain(words)
  })

  describe('in JSON:API', () => {
    const post = (data: unknown) => staff.post('/api/rest/books', { data }, speaking)

    test('an unknown attribute or relation is refused, all of them at once, and nothing is written', async () => {
      const before = await total()
      const relationships = { planet: { data: null } }
      const refused = await post({
        type: 'books',
        attributes: { title: 'T', colour: 'red', 'a/b~c': 1, pages: 'x' },
        relationships,
      })
      expect(refused.status).toBe(400)
      expect(pointers(refused).sort()).toEqual([
        '/data/attributes/a~1b~0c',
        '/data/attributes/colour',
        '/data/attributes/pages',
        '/data/relationships/planet',
      ])
      expect(await total()).toBe(before)
      expect((await post({ type: 'books', attributes: { title: 'T', createdDate: 0, popularity: 7 } })).status).toBe(
        201,
      )
    })

    test('a relation among the attributes, or an attribute among the relations, is refused there', async () => {
      const refused = await post({
        type: 'books',
        attributes: { title: 'T', shelf: shelf.pk },
        relationships: { pages: { data: null } },
      })
      expect([refused.status, pointers(refused)]).toEqual([
        400,
        ['/data/attributes/shelf', '/data/relationships/pages'],
      ])
    })

    test('a foreign type is 409, a missing one 400', async () => {
      const foreign = await post({ type: 'shelves', attributes: { name: 'x' } })
      expect([foreign.status, pointers(foreign)]).toEqual([409, ['/data/type']])
      const { pk } = await make(staff, 'books', { title: 'T' })
      const patched = await staff.patch(`/api/rest/books/${pk}`, { data: { type: 'shelves', id: pk } }, speaking)
      expect([patched.status, pointers(patched)]).toEqual([409, ['/data/type']])
      for (const data of [undefined, null, [], {}, { type: 5 }]) expect((await post(data)).status).toBe(400)
    })

    test('relations to many that others hold are changed at their own address', async () => {
      const { pk } = await make(staff, 'books', { title: 'T' })
      const copy = await make(staff, 'copies', { pk: freshCopy(), book: pk })
      const relationships = { copies: { data: [{ type: 'copies', id: copy.pk }] } }
      const refused = await staff.patch(
        `/api/rest/books/${pk}`,
        { data: { type: 'books', id: pk, relationships } },
        speaking,
      )
      expect(refused.status).toBe(403)
    })
  })

  test('a list creates all or none, whatever goes wrong in its middle', async () => {
    const made = await staff.post('/api/rest/books?fields=title', [{ title: 'one' }, { title: 'two' }])
    expect([made.status, column({ ...made, status: 200 }, 'title')]).toEqual([201, ['one', 'two']])
    expect(Object.keys(made.body.content[0])).toEqual(['pk', 'id', 'title', 'links'])
    const before = await total()
    const isbn = '2222222222'
    await make(staff, 'books', { title: 'taken', isbn })
    const cases: [unknown[], number, string[]][] = [
      [[{ title: 'a' }, { title: 'b', isbn }, { title: 'c' }], 409, ['/1/isbn']],
      [
        [
          { title: 'a', isbn: '3333333333' },
          { title: 'b', isbn: '3333333333' },
        ],
        409,
        ['/1/isbn'],
      ],
      [[{ title: 'a' }, { title: 'b', shelf: 'nowhere' }], 422, ['/1/shelf']],
      [[{ title: 'a' }, { pages: 'x' }, { title: 5 }], 400, ['/1/pages', '/1/title', '/2/title']],
      [[{ title: 'a' }, { title: 'refused' }], 409, ['/1']],
      [[{ title: 'a' }, { title: 'breaks afterwards' }], 409, ['/1']],
      [[{ title: 'a' }, 'no object'], 400, ['/1']],
    ]
    for (const [list, status, expected] of cases) {
      const refused = await staff.post('/api/rest/books', list)
      expect([list, refused.status, pointers(refused).sort()]).toEqual([list, status, expected])
    }
    expect(Number(await total())).toBe(Number(before) + 1)
    const tooMany = await staff.post(
      '/api/rest/signatures',
      Array.from({ length: 1001 }, (_, at) => ({ words: `w${at}` })),
    )
    expect([tooMany.status, tooMany.body.code]).toEqual([400, 'too_costly'])
  })

  test.each(['POST', 'PUT', 'PATCH'])('%s with a parameter that cannot be read writes nothing', async method => {
    const { pk } = await make(staff, 'books', { title: 'before' })
    const before = await total()
    const address = method === 'POST' ? '/api/rest/books' : `/api/rest/books/${pk}`
    for (const query of ['include=nothing', 'fields=nothing']) {
      const refused = await staff(`${address}?${query}`, { method, body: { title: 'after' } })
      expect([refused.status, refused.body.code]).toEqual([400, 'bad_parameter'])
    }
    expect(await total()).toBe(before)
    expect((await staff.get(`/api/rest/books/${pk}`)).body).toMatchObject({ title: 'before', version: 1 })
  })

  test('the answer to a write shows what the question asks for', async () => {
    const made = await staff.post('/api/rest/books?include=shelf&fields=title,shelf', { title: 'T', shelf: shelf.pk })
    expect(Object.keys(made.body)).toEqual(['pk', 'id', 'title', 'shelf', 'links'])
    expect(made.body.shelf).toHaveProperty('path')
  })

  test('Prefer: return=minimal shortens answers', async () => {
    const minimal = { Prefer: 'respond-async, return=minimal' }
    const made = await staff.post('/api/rest/books', { title: 'T' }, minimal)
    expect([made.status, made.text, made.headers.get('preference-applied')]).toEqual([201, '', 'return=minimal'])
    const address = (made.headers.get('location') ?? '').slice(service.url.length)
    for (const method of ['put', 'patch'] as const) {
      const changed = await staff[method](address, { title: method }, minimal)
      expect([changed.status, changed.text, changed.headers.get('preference-applied')]).toEqual([
        204,
        '',
        'return=minimal',
      ])
      expect((await staff.get(address)).body.title).toBe(method)
    }
    expect((await staff.patch(address, { title: 'x' }, { Prefer: 'return=representation' })).body.title).toBe('x')
  })

  test.each<Record<string, string>>([
    {},
    { 'Content-Type': 'application/json' },
    { 'Content-Type': 'application/vnd.api+json' },
  ])('DELETE needs no body, whatever type it claims to have (%j)', async headers => {
    const { pk } = await make(staff, 'books', { title: 'T' })
    const gone = await staff.delete(`/api/rest/books/${pk}`, headers)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await staff.delete(`/api/rest/books/${pk}`, headers)).status).toBe(404)
    const again = await make(staff, 'books', { title: 'T' })
    const document = { method: 'DELETE', headers, body: { data: { type: 'books', id: again.pk } } }
    expect((await staff(`/api/rest/books/${again.pk}`, document)).status).toBe(204)
  })
})
