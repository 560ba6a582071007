// JSON:API atomic operations: several writes in one transaction, all or none.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { column, fresh, make, pointers, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const headers = { 'Content-Type': atomic, Accept: atomic }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const perform = (operations: unknown, as = staff, more: Record<string, string> = {}) =>
    as.post('/api/rest/operations', { 'atomic:operations': operations }, { ...headers, ...more })
  const add = (type: string, attributes: object, more: object = {}) => ({
    op: 'add',
    data: { type, attributes, ...more },
  })

  test('adds, updates and removes in order, and answers each', async () => {
    const gone = await make(staff, 'books', { title: fresh('gone') })
    const kept = await make(staff, 'books', { title: fresh('kept'), blurb: 'b' })
    const done = await perform([
      add('books', { title: 'made' }),
      { op: 'update', data: { type: 'books', id: kept.pk, attributes: { pages: 7, blurb: null } } },
      {
        op: 'update',
        ref: { type: 'books', id: kept.pk },
        data: { type: 'books', id: kept.pk, attributes: { pages: 7 } },
      },
      { op: 'remove', ref: { type: 'books', id: gone.pk } },
    ])
    expect([done.status, done.headers.get('content-type')]).toEqual([200, atomic])
    const [made, updated, unchanged, removed] = done.body['atomic:results']
    expect(made.data).toMatchObject({ type: 'books', attributes: { title: 'made' } })
    expect(updated.data).toMatchObject({ id: kept.pk, attributes: { pages: 7, blurb: null, version: 2 } })
    expect([unchanged, removed]).toEqual([{}, {}])
    expect((await staff.get(`/api/rest/books/${gone.pk}`)).status).toBe(404)
    expect((await perform([{ op: 'remove', ref: { type: 'books', id: made.data.id } }])).status).toBe(204)
  })

  test('later operations refer to earlier ones by their local identifiers', async () => {
    const done = await perform([
      add('shelves', { name: 'S' }, { lid: 's' }),
      add('authors', { name: 'A' }, { lid: 'a' }),
      add(
        'books',
        { title: fresh('T') },
        {
          lid: 's',
          relationships: {
            shelf: { data: { type: 'shelves', lid: 's' } },
            authors: { data: [{ type: 'authors', lid: 'a' }] },
          },
        },
      ),
      { op: 'update', ref: { type: 'books', lid: 's' }, data: { type: 'books', lid: 's', attributes: { pages: 3 } } },
      {
        op: 'remove',
        ref: { type: 'books', lid: 's', relationship: 'authors' },
        data: [{ type: 'authors', lid: 'a' }],
      },
    ])
    expect(done).toHaveStatus(200)
    const [shelf, , book] = done.body['atomic:results']
    const found = (await staff.get(`/api/rest/books/${book.data.id}`)).body
    expect(found).toMatchObject({ shelf: { pk: shelf.data.id }, authors: [], pages: 3 })
  })

  testAll('relations are set, added to, replaced and taken from, by ref or by href', async () => {
    const book = await make(staff, 'books', { title: fresh('B') })
    const [a, b] = [
      await make(staff, 'authors', { name: fresh('A') }),
      await make(staff, 'authors', { name: fresh('A') }),
    ]
    const shelf = await make(staff, 'shelves', { name: fresh('S') })
    const ref = { type: 'books', id: book.pk, relationship: 'authors' }
    const id = (author: { pk: string }) => ({ type: 'authors', id: author.pk })
    const authors = async () => column(await staff.get(`/api/rest/books/${book.pk}/authors`), 'pk').sort()
    expect((await perform([{ op: 'add', ref, data: [id(a), id(b)] }])).status).toBe(204)
    expect(await authors()).toEqual([a.pk, b.pk].sort())
    await perform([{ op: 'update', ref, data: [id(b)] }])
    expect(await authors()).toEqual([b.pk])
    await perform([
      { op: 'remove', href: `/api/rest/books/${book.pk}/relationships/authors`, data: [id(b)] },
      {
        op: 'update',
        href: `${service.url}/api/rest/books/${book.pk}/relationships/shelf`,
        data: { type: 'shelves', id: shelf.pk },
      },
      {
        op: 'update',
        href: `/api/rest/books/${book.pk}`,
        data: { type: 'books', id: book.pk, attributes: { pages: 2 } },
      },
    ])
    expect((await staff.get(`/api/rest/books/${book.pk}`)).body).toMatchObject({
      authors: [],
      shelf: { pk: shelf.pk },
      pages: 2,
    })
  })

  test('when one fails, none is done, and the error points to it', async () => {
    const title = fresh('T')
    const isbn = '4444444444'
    await make(staff, 'books', { title: 'holder', isbn })
    const first = add('books', { title })
    const nowhere = 'a0000000-0000-4000-8000-000000000001'
    const cases: [object, number, string[]][] = [
      [
        add('books', { title: 5, pages: 'x' }),
        400,
        ['/atomic:operations/1/data/attributes/title', '/atomic:operations/1/data/attributes/pages'],
      ],
      [add('books', { title: 'x', colour: 'red' }), 400, ['/atomic:operations/1/data/attributes/colour']],
      [add('books', { title: 'x', isbn }), 409, ['/atomic:operations/1/data/attributes/isbn']],
      [add('books', { title: 'refused' }), 409, ['/atomic:operations/1']],
      [
        add('books', { title: 'x' }, { relationships: { shelf: { data: { type: 'shelves', id: nowhere } } } }),
        422,
        ['/atomic:operations/1/data/relationships/shelf'],
      ],
      [
        add('books', { title: 'x' }, { relationships: { shelf: { data: { type: 'shelves', lid: 'unknown' } } } }),
        400,
        ['/atomic:operations/1/data/relationships/shelf/data'],
      ],
      [{ op: 'remove', ref: { type: 'books', id: nowhere } }, 404, ['/atomic:operations/1']],
      [{ op: 'update', data: { type: 'books', id: nowhere, attributes: { pages: 1 } } }, 404, ['/atomic:operations/1']],
      [
        { op: 'update', ref: { type: 'books', lid: 'unknown' }, data: { type: 'books', attributes: {} } },
        422,
        ['/atomic:operations/1'],
      ],
      [add('planets', { name: 'x' }), 404, ['/atomic:operations/1']],
      [add('idempotencyKeys', { status: 1 }), 404, ['/atomic:operations/1']],
      [add('journal', { what: 'x' }), 403, ['/atomic:operations/1']],
      [add('books', { title: 'x' }, { id: nowhere }), 403, ['/atomic:operations/1']],
      [{ op: 'move', ref: { type: 'books' } }, 400, ['/atomic:operations/1/op']],
      [{ op: 'remove', ref: { type: 'books' } }, 400, ['/atomic:operations/1/ref']],
      [
        { op: 'remove', ref: { type: 'books', id: nowhere }, href: '/api/rest/books/x' },
        400,
        ['/atomic:operations/1/href'],
      ],
      [{ op: 'remove', href: '/elsewhere' }, 400, ['/atomic:operations/1/href']],
      [{ op: 'remove', href: '/api/rest/books/%zz' }, 400, ['/atomic:operations/1/href']],
      [[] as unknown as object, 400, ['/atomic:operations/1']],
    ]
    for (const [second, status, expected] of cases) {
      const refused = await perform([first, second])
      expect([second, refused.status, pointers(refused)]).toEqual([second, status, expected])
    }
    expect(column(await staff.get(`/api/rest/books?title=${title}`), 'pk')).toEqual([])
  })

  test('one local identifier cannot stand for two records', async () => {
    const refused = await perform([
      add('books', { title: 'a' }, { lid: 'x' }),
      add('books', { title: 'b' }, { lid: 'x' }),
    ])
    expect([refused.status, pointers(refused)]).toEqual([400, ['/atomic:operations/1/data/lid']])
  })

  test('each operation asks the rules', async () => {
    const book = await make(staff, 'books', { title: fresh('B') })
    expect((await perform([add('books', { title: 'x' })], service.as('anonymous'))).status).toBe(401)
    expect((await perform([{ op: 'remove', ref: { type: 'books', id: book.pk } }], service.as('simple'))).status).toBe(
      403,
    )
    expect((await perform([add('books', { title: 'x', stars: 5 })], service.as('simple'))).status).toBe(403)
    expect((await staff.get(`/api/rest/books/${book.pk}`)).status).toBe(200)
  })

  test.each([undefined, null, {}, [], 'x'])('%j is no list of operations', async operations => {
    const refused = await perform(operations)
    expect([refused.status, pointers(refused)]).toEqual([400, ['/atomic:operations']])
  })

  test('a hundred operations go together, one more does not', async () => {
    const list = (length: number) => Array.from({ length }, () => add('signatures', { words: fresh('w') }))
    expect((await perform(list(100))).status).toBe(200)
    const refused = await perform(list(101))
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'too_costly'])
  })

  test.each([
    ['application/json', atomic, 415],
    ['application/vnd.api+json', atomic, 415],
    ['application/vnd.api+json;ext="https://example.org/other"', atomic, 415],
    ['application/vnd.api+json;ext="https://jsonapi.org/ext/atomic https://example.org/other"', atomic, 415],
    ['application/xml', atomic, 415],
    [atomic, 'application/json', 406],
    [atomic, 'application/xml', 406],
    [atomic, 'application/vnd.api+json;ext="https://example.org/other"', 406],
    [atomic, 'application/vnd.api+json', 200],
    [atomic, '*/*', 200],
    [atomic, 'application/json;q=0.5, */*;q=0.1', 200],
    ['application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"; profile="https://example.org/p"', atomic, 200],
  ])('a body of %s for a caller who accepts %s is %i', async (type, accept, status) => {
    const words = fresh('w')
    const answer = await perform([add('signatures', { words })], staff, { 'Content-Type': type, Accept: accept })
    expect(answer.status).toBe(status)
    expect(column(await staff.get(`/api/rest/signatures?words=${words}`), 'pk')).toHaveLength(status === 200 ? 1 : 0)
  })
})
