// Every kind of JSON:API answer is held against the text of the standard.

import { featureDatabases } from '@plinth/test-kit/databases'
import { jsonApiFaults } from '@plinth/test-kit/json-api-schema'
import { fresh, freshCopy, jsonApi, make, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Answer, Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe('the judge itself', () => {
  const good = { data: { type: 'books', id: '1', attributes: { title: 'T' }, links: { self: 'http://x/1' } } }
  test.each<[string, unknown]>([
    ['nothing at all', {}],
    ['data and errors', { ...good, errors: [{ status: '400' }] }],
    ['a number as status', { errors: [{ status: 400 }] }],
    ['no errors', { errors: [] }],
    ['a resource without an id', { data: { type: 'books' } }],
    ['an attribute named id', { data: { type: 'books', id: '1', attributes: { id: '1' } } }],
    ['a foreign member', { ...good, page: {} }],
    ['an empty relationship', { data: { ...good.data, relationships: { shelf: {} } } }],
    ['an included record that nothing leads to', { ...good, included: [{ type: 'shelves', id: '1' }] }],
    ['the same record twice', { ...good, included: [{ type: 'books', id: '1' }] }],
    ['included without data', { meta: {}, included: [] }],
  ])('refuses %s', (_, document) => {
    expect(jsonApiFaults(document)).not.toEqual([])
  })
  test('lets a good document pass', () => {
    expect(jsonApiFaults(good)).toEqual([])
  })
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let book: string
  let bare: string
  let shelf: string
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
    shelf = (await make(staff, 'shelves', { name: 'S', parent: (await make(staff, 'shelves', { name: 'R' })).pk })).pk
    const authors = [await make(staff, 'authors', { name: 'A' }), await make(staff, 'authors', { name: 'B' })]
    const whole = { title: 'T "<&>\u0001', tags: ['a'], notes: { 'a b': 'c' }, price: 1.5, acquired: 0 }
    book = (await make(staff, 'books', { ...whole, shelf, authors: authors.map(one => one.pk) })).pk
    bare = (await make(staff, 'books', { title: 'bare' })).pk
    await make(staff, 'copies', { pk: freshCopy(), book })
    const linkage = { data: [{ type: 'books', id: bare }] }
    await staff.post(`/api/rest/books/${book}/relationships/seeAlso`, linkage, speaking)
  })
  afterAll(() => service.stop())

  const good = (answer: Answer, status: number) => {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, jsonApi])
    expect(jsonApiFaults(answer.body)).toEqual([])
  }

  test.each([
    'books/BOOK',
    'books/BARE',
    'books/BOOK?fields[books]=title',
    'books/BOOK?include=shelf',
    'books/BOOK?include=shelf.parent.children.books,authors.books.authors,copies.book,seeAlso,mentionedBy,createdBy',
    'books/BARE?include=mentionedBy.seeAlso.mentionedBy',
    'books/BARE?include=shelf,authors,copies',
    'books',
    'books?include=shelf,authors,copies,seeAlso,mentionedBy',
    'books?page[size]=1&include=authors.books',
    'books?page[number]=5',
    'books?page[size]=1&page[total]=none',
    'books?pks=BOOK,BARE,none',
    'books?page=no&include=authors,seeAlso',
    'books?filter=title==none',
    'books/BOOK/shelf',
    'books/BARE/shelf',
    'books/BOOK/relationships/shelf',
    'books/BOOK/authors?include=books',
    'books/BOOK/relationships/authors',
    'shelves?include=children.children,parent,books',
    'shelves/SHELF?include=books.shelf.books',
    'users?include=roles',
    'countries?include=parent&page[size]=3',
    'journal?include=book',
  ])('GET %s', async path => {
    const address = path.replaceAll('BOOK', book).replaceAll('BARE', bare).replaceAll('SHELF', shelf)
    good(await staff.get(`/api/rest/${address}`, speaking), 200)
  })

  test('what is written is answered by good documents', async () => {
    const relationships = { shelf: { data: { type: 'shelves', id: shelf } } }
    const data = { type: 'books', attributes: { title: fresh('T') }, relationships }
    const made = await staff.post('/api/rest/books?include=shelf', { data }, speaking)
    good(made, 201)
    const { id } = made.body.data
    good(
      await staff.patch(`/api/rest/books/${id}`, { data: { type: 'books', id, attributes: { pages: 3 } } }, speaking),
      200,
    )
    good(
      await staff.put(`/api/rest/books/${id}`, { data: { type: 'books', id, attributes: { title: 'U' } } }, speaking),
      200,
    )
    good(await staff.post('/api/rest/books', [{ data }, { data }], speaking), 201)
  })

  test.each<[number, string, string, unknown]>([
    [400, 'GET', 'books?filter=a==1&sort=b&include=c', undefined],
    [400, 'POST', 'books', { data: { type: 'books', attributes: { title: 5, colour: 1 } } }],
    [400, 'POST', 'books', { data: [] }],
    [409, 'POST', 'books', { data: { type: 'shelves' } }],
    [409, 'POST', 'books', { data: { type: 'books', attributes: { title: 'refused' } } }],
    [
      422,
      'POST',
      'books',
      {
        data: {
          type: 'books',
          attributes: { title: 'T' },
          relationships: { shelf: { data: { type: 'shelves', id: 'none' } } },
        },
      },
    ],
    [405, 'DELETE', 'books', undefined],
    [409, 'PATCH', 'books/BOOK', { data: { type: 'books', id: 'BOOK', attributes: { pages: 1, version: 99 } } }],
  ])('a refusal with %i of %s %s', async (status, method, path, body) => {
    const sent = body === undefined ? undefined : JSON.stringify(body).replaceAll('BOOK', book)
    const headers = method === 'GET' || method === 'DELETE' ? { Accept: jsonApi } : speaking
    good(await staff(`/api/rest/${path.replace('BOOK', book)}`, { method, headers, body: sent }), status)
  })

  test('the parameters of the media type are minded as the standard says', async () => {
    const address = `/api/rest/books/${book}`
    const types: [string, number][] = [
      ['application/vnd.api+json;charset=utf-8', 200],
      ['application/vnd.api+json;profile="https://example.org/p"', 200],
      ['application/vnd.api+json;foo=bar', 406],
      ['application/vnd.api+json;ext="https://example.org/e"', 406],
      ['application/vnd.api+json;foo=bar, application/vnd.api+json', 200],
    ]
    for (const [Accept, status] of types) {
      const answer = await staff.get(address, { Accept })
      expect([Accept, answer.status]).toEqual([Accept, status])
      if (status === 200) expect(answer.headers.get('content-type')).toBe(jsonApi)
    }
    const body = { data: { type: 'books', id: book, attributes: {} } }
    for (const [type, status] of [
      ['application/vnd.api+json;foo=bar', 415],
      ['application/vnd.api+json;ext="https://example.org/e"', 415],
      ['application/vnd.api+json;charset=utf-8', 204],
    ] as const) {
      expect([type, (await staff.patch(address, body, { 'Content-Type': type })).status]).toEqual([type, status])
    }
  })
})
