// A client typed by the definitions themselves, in one repository with the service: nothing is generated.

import { fresh, startLibrary } from '@plinth/test-kit/library'
import { authors, books, library, shelves } from '@plinth/test-kit/library-module'
import type { TestService } from '@plinth/test-kit/service'
import {
  boolean,
  defineApp,
  defineEndpoint,
  defineModule,
  defineResource,
  defineShape,
  integer,
  type SchemaOf,
  text,
} from 'plinth'
import { contextFor, recordsFor } from 'plinth/module'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { createClient, type PlinthClient } from '../src/index.ts'

const hidden = defineResource('hidden', {
  about: 'A table without an address.',
  internal: true,
  fields: { name: text() },
  access: {},
})

const countPages = defineEndpoint({
  method: 'POST',
  path: '/api/rest/books/{pk}/count',
  id: 'countPages',
  summary: 'Count the pages',
  access: 'true',
  query: { slowly: boolean({ default: false }) },
  body: { from: integer({ required: true }), to: integer() },
  answers: { 200: defineShape('PageCount', { pages: integer({ required: true }) }) },
  run: () => ({ pages: 1 }),
})

const counting = defineModule({
  name: 'counting',
  about: 'Counts pages.',
  resources: [hidden],
  endpoints: [countPages],
})

const app = defineApp({ name: 'Library', modules: [library, counting] })

type LibrarySchema = SchemaOf<typeof app>

let service: TestService
let client: PlinthClient<LibrarySchema>

beforeAll(async () => {
  service = await startLibrary('sqlite')
  const headers = () => ({ Authorization: `Basic ${btoa('staff:staff')}` })
  client = createClient<LibrarySchema>({ url: service.url, headers })
})
afterAll(() => service.stop())

test('records have the fields and types of their definition', async () => {
  const shelf = await client.shelves.create({ name: fresh('shelf') })
  const made = await client.books.create({ title: fresh('typed'), weight: 1.25, shelf, tags: ['a'], doorCode: 'x' })
  const book = await client.books.get(made.pk, { include: ['shelf'] })
  expectTypeOf(book.title).toEqualTypeOf<string>()
  expectTypeOf(book.pages).toEqualTypeOf<number | null>()
  expectTypeOf(book.binding).toEqualTypeOf<'hardcover' | 'paperback' | 'e-book'>()
  expectTypeOf(book.tags).toEqualTypeOf<readonly string[] | null>()
  expectTypeOf(book.sortTitle).toEqualTypeOf<string>()
  expectTypeOf(book.copyCount).toEqualTypeOf<number>()
  expectTypeOf(book.remark).toEqualTypeOf<string | null | undefined>()
  expectTypeOf(book.createdDate).toEqualTypeOf<string>()
  expectTypeOf(book.createdBy?.username).toEqualTypeOf<string | undefined>()
  expectTypeOf(book.shelf?.bookCount).toEqualTypeOf<number | undefined>()
  expectTypeOf(book.authors[0]?.name).toEqualTypeOf<string | undefined>()
  expect(book).toMatchObject({ weight: 1.25, binding: 'paperback', shelf: { name: shelf.name, bookCount: 1 } })
  expectTypeOf((await client.users.get(book.createdBy?.pk ?? '')).locale).toEqualTypeOf<string>()
  expect((await client.books.find({ where: { shelf: { name: shelf.name } }, sort: '-shelf.name' })).total).toBe(1)
})

test('endpoints have the types of their declaration, and ids those of their resource', () => {
  const right = async (): Promise<void> => {
    const input = { params: { pk: '1' }, body: { from: 1, to: null }, query: { slowly: true } }
    expectTypeOf((await client.endpoints.countPages(input)).pages).toEqualTypeOf<number>()
    expectTypeOf((await client.call('POST /api/rest/books/{pk}/count', input)).pages).toEqualTypeOf<number>()
    expectTypeOf((await client.books.get('1')).id).toEqualTypeOf<string>()
    // @ts-expect-error
    ;(await client.shelves.get('1')).id
  }
  expect(right).toBeTypeOf('function')
})

test('a query means the same in code and in the client, for each caller', async () => {
  const { records } = service.app.platform
  const word = fresh('same')
  const shelf = await records.create(shelves, { name: `${word} shelf` })
  const known = await records.create(authors, { name: `${word} known` })
  const secret = await records.create(authors, { name: `${word} secret`, known: false })
  await records.create(books, { title: `${word} 1*`, pages: 10, shelf: shelf.pk, authors: [known.pk], tags: ['a'] })
  await records.create(books, { title: `${word} 2`, pages: 20, authors: [secret.pk], binding: 'hardcover' })
  await records.create(books, { title: `${word} 3` })
  const mine = { title: { like: `${word}*` } }
  const queries = [
    { where: { ...mine, shelf: { name: { ilike: `${word.toUpperCase()}*` } } } },
    { where: { ...mine, shelf: null }, sort: '-pages' },
    { where: { ...mine, shelf: { in: [shelf.pk] } } },
    { where: { ...mine, authors: { name: { like: '*secret' } } } },
    { where: { ...mine, not: { authors: { name: { like: '*secret' } } } }, sort: ['binding', '-title'] },
    { where: { ...mine, authors: null } },
    { where: { ...mine, or: [{ pages: { between: [5, 15] } }, { pages: { isNull: true } }] }, sort: 'title' },
    { where: { and: [mine, { title: { like: '*\\*' } }], tags: 'a' } },
    { where: { ...mine, binding: { notIn: ['paperback'] }, pages: { ne: null, ge: 20 } } },
    { where: { ...mine, shelf: { parent: {} } }, sort: 'shelf.name' },
    { where: mine, sort: ['title'], limit: 1, offset: 1, include: ['shelf'], fields: ['title', 'shelf'] },
  ] as const
  const visitor = createClient<LibrarySchema>({ url: service.url })
  const anonymous = { pk: null, username: null, roles: new Set<string>() }
  const limited = recordsFor(contextFor(service.app.platform, anonymous))
  const titlesOf = (found: readonly { readonly title: string }[]) => found.map(({ title }) => title)
  for (const query of queries) {
    expect(titlesOf((await client.books.find(query)).items)).toEqual(titlesOf(await records.find(books, query)))
    expect(titlesOf((await visitor.books.find(query)).items)).toEqual(titlesOf(await limited.find(books, query)))
  }
  const secretly = { where: { ...mine, authors: { name: { like: '*secret' } } } }
  expect([await records.count(books, secretly), await limited.count(books, secretly)]).toEqual([1, 0])
})

test('what the definitions do not have does not compile', () => {
  const wrong = async (): Promise<void> => {
    const book = await client.books.get('1')
    // @ts-expect-error
    book.doorCode
    // @ts-expect-error
    book.copies
    // @ts-expect-error
    await client.books.create({})
    // @ts-expect-error
    await client.books.create({ title: 'A', popularity: 3 })
    // @ts-expect-error
    await client.books.create({ title: 'A', sortTitle: 'A' })
    // @ts-expect-error
    await client.copies.create({ pk: 'C-1' })
    await client.countries.create({ pk: 'FR', name: 'France' })
    // @ts-expect-error: which country?
    await client.countries.create({ name: 'France' })
    // @ts-expect-error
    await client.books.find({ where: { doorCode: 'x' } })
    // @ts-expect-error
    await client.books.find({ where: { shelf: { title: 'x' } } })
    // @ts-expect-error
    await client.journals.find()
    // @ts-expect-error
    await client.hidden.find()
    // @ts-expect-error
    await client.endpoints.countPages({ params: { pk: '1' }, body: { to: 1 } })
    // @ts-expect-error
    await client.endpoints.countPages({ body: { from: 1 } })
    // @ts-expect-error
    await client.call('GET /api/rest/books/{pk}/count', { params: { pk: '1' }, body: { from: 1 } })
  }
  expect(wrong).toBeTypeOf('function')
})
