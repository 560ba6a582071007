// Relations: reading along them, changing them by linkage documents, and what deleting a record does to those around it.

import { featureDatabases, featureTest } from '@plinth/test-kit/databases'
import { accountOf, column, fresh, freshCopy, make, pointers, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const nowhere = 'a0000000-0000-4000-8000-000000000001'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const testOnce = featureTest(import.meta.url, database)
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const newShelf = () => make(staff, 'shelves', { name: fresh('shelf') })
  const newAuthor = (name = fresh('author')) => make(staff, 'authors', { name })
  const newBook = (fields: object = {}) => make(staff, 'books', { title: fresh('book'), ...fields })
  const newCopy = (book: { pk: string }) => make(staff, 'copies', { pk: freshCopy(), book: book.pk })
  const newReader = async () =>
    make(staff, 'readers', { name: fresh('reader'), account: await accountOf(service, 'simple') })
  const pks = async (path: string): Promise<unknown[]> => column(await staff.get(`/api/rest/${path}`), 'pk').sort()

  test('a to-one relation takes a pk, or any object with a pk or an id, and shows a compact object', async () => {
    const shelf = await newShelf()
    for (const sent of [shelf.pk, { pk: shelf.pk }, { id: shelf.pk, name: 'ignored' }, shelf]) {
      expect((await newBook({ shelf: sent })).shelf).toEqual({ pk: shelf.pk, name: shelf.name })
    }
    const missing = await staff.post('/api/rest/books', { title: 'B', shelf: nowhere })
    expect([missing.status, missing.body.code, pointers(missing)]).toEqual([422, 'unprocessable', ['/shelf']])
    const relationships = { shelf: { data: { type: 'shelves', id: nowhere } } }
    const body = { data: { type: 'books', attributes: { title: 'B' }, relationships } }
    const inDocument = await staff.post('/api/rest/books', body, speaking)
    expect([inDocument.status, pointers(inDocument)]).toEqual([422, ['/data/relationships/shelf']])
  })

  test('an embedded relation to many takes the same, each record once, and shows compact objects', async () => {
    const [first, second] = [await newAuthor(), await newAuthor()]
    const book = await newBook({ authors: [second.pk, { pk: first.pk }, first] })
    const compact = [first, second].map(({ pk, name }) => ({ pk, name })).sort((a, b) => (a.pk < b.pk ? -1 : 1))
    expect(book.authors).toEqual(compact)
    expect((await staff.patch(`/api/rest/books/${book.pk}`, { authors: [first.pk] })).body.authors).toHaveLength(1)
    expect((await staff.patch(`/api/rest/books/${book.pk}`, { authors: [] })).body.authors).toEqual([])
    const missing = await staff.post('/api/rest/books', { title: 'B', authors: [first.pk, nowhere] })
    expect([missing.status, pointers(missing)]).toEqual([422, ['/authors']])
  })

  test('relations lead both ways, on both addresses, by page, filter and sort', async () => {
    const author = await newAuthor()
    const [first, second] = [await newBook({ authors: [author.pk] }), await newBook({ authors: [author.pk] })]
    for (const way of ['books', 'relationships/books']) {
      const path = `authors/${author.pk}/${way}`
      expect(await pks(path)).toEqual([first.pk, second.pk].sort())
      expect(column(await staff.get(`/api/rest/${path}?sort=-pk&_ps=1`), 'pk')).toEqual([second.pk])
      expect(await pks(`${path}?filter=title==${first.title}`)).toEqual([first.pk])
      expect(await pks(`${path}?title=${second.title}`)).toEqual([second.pk])
    }
    expect(await pks(`books/${first.pk}/authors`)).toEqual([author.pk])
    expect(await pks(`authors?filter=books.title==${second.title}`)).toEqual([author.pk])
    const paged = await staff.get(`/api/rest/authors/${author.pk}/books?_ps=1`)
    expect(paged.body.page).toMatchObject({ totalElements: 2, totalPages: 2 })
    const next = paged.body.links.find((link: { rel: string }) => link.rel === 'next').href
    expect(column(await staff.get(next.slice(service.url.length)), 'pk')).toEqual([second.pk])
  })

  test('an empty relation is 204 in JSON, null in JSON:API, and an empty page where there are many', async () => {
    const book = await newBook()
    for (const way of ['shelf', 'relationships/shelf']) {
      const plain = await staff.get(`/api/rest/books/${book.pk}/${way}`)
      expect([plain.status, plain.text]).toEqual([204, ''])
      const inDocument = await staff.get(`/api/rest/books/${book.pk}/${way}`, speaking)
      expect([inDocument.status, inDocument.body.data]).toEqual([200, null])
    }
    expect(await pks(`books/${book.pk}/copies`)).toEqual([])
    for (const path of [`books/${book.pk}/nothing`, `books/${book.pk}/title`, `books/${nowhere}/copies`]) {
      expect([path, (await staff.get(`/api/rest/${path}`)).status]).toEqual([path, 404])
    }
  })

  test('include expands relations to full records, several steps deep', async () => {
    const [shelf, author] = [await newShelf(), await newAuthor()]
    const book = await newBook({ shelf: shelf.pk, authors: [author.pk] })
    const copy = await newCopy(book)
    const found = (await staff.get(`/api/rest/copies/${copy.pk}?include=book.shelf,book.authors.books`)).body
    expect(found.book).toMatchObject({ pk: book.pk, shelf: { pk: shelf.pk, path: shelf.name, bookCount: 1 } })
    expect(found.book.authors).toMatchObject([{ pk: author.pk, known: true, books: [{ pk: book.pk }] }])
    const inDocument = (await staff.get(`/api/rest/copies/${copy.pk}?include=book.shelf,book.authors`, speaking)).body
    const included = inDocument.included.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`)
    expect(included.sort()).toEqual([`authors ${author.pk}`, `books ${book.pk}`, `shelves ${shelf.pk}`].sort())
    const pages = await staff.get(`/api/rest/shelves?filter=pk==${shelf.pk}&include=books.copies`)
    expect(pages.body.content[0].books[0].copies).toMatchObject([{ pk: copy.pk, available: true }])
    const narrow = await staff.get(`/api/rest/copies/${copy.pk}?include=book&fields[books]=title&fields[copies]=book`)
    expect(Object.keys(narrow.body)).toEqual(['pk', 'book', 'links'])
    expect(Object.keys(narrow.body.book)).toEqual(['pk', 'id', 'title', 'links'])
  })

  test('counts are right after every change, and can be searched and sorted by', async () => {
    const shelf = await newShelf()
    const books = [
      await newBook({ shelf: shelf.pk }),
      await newBook({ shelf: shelf.pk }),
      await newBook({ shelf: shelf.pk }),
    ]
    for (const [at, book] of books.entries()) for (let count = 0; count < at; count++) await newCopy(book)
    const last = books[2]
    const [copy] = (await staff.get(`/api/rest/books/${last.pk}/copies`)).body.content
    await staff.patch(`/api/rest/copies/${copy.pk}`, { available: false })
    const of = async (query: string) =>
      column(await staff.get(`/api/rest/shelves/${shelf.pk}/books?${query}`), 'copyCount')
    expect(await of('sort=-copyCount')).toEqual([2, 1, 0])
    expect(await of('sort=copyCount')).toEqual([0, 1, 2])
    expect(await of('filter=copyCount>=1&sort=copyCount')).toEqual([1, 2])
    expect(await of('copyCount=2')).toEqual([2])
    expect(await of('filter=copyCount==2;availableCount==1')).toEqual([2])
    expect((await staff.get(`/api/rest/books/${last.pk}`)).body).toMatchObject({ copyCount: 2, availableCount: 1 })
    expect((await staff.get(`/api/rest/shelves/${shelf.pk}`)).body.bookCount).toBe(3)
    expect(
      column(await staff.get(`/api/rest/copies?filter=book.copyCount==1;book==${books[1].pk}`), 'pk'),
    ).toHaveLength(1)
    await staff.delete(`/api/rest/books/${last.pk}`)
    expect((await staff.get(`/api/rest/shelves/${shelf.pk}`)).body.bookCount).toBe(2)
  })

  describe('what deleting does', () => {
    test('a reference that refuses keeps the record: 409, and all stays', async () => {
      const book = await newBook()
      await make(staff, 'ledgers', { name: 'L', book: book.pk })
      const copy = await newCopy(book)
      const refused = await staff.delete(`/api/rest/books/${book.pk}`)
      expect([refused.status, refused.body.code]).toEqual([409, 'referenced'])
      expect(refused.body.detail).toContain('ledgers')
      expect((await staff.get(`/api/rest/copies/${copy.pk}`)).status).toBe(200)
    })

    test('a reference that cascades goes along, one that clears becomes empty, links are gone', async () => {
      const [shelf, author] = [await newShelf(), await newAuthor()]
      const book = await newBook({ shelf: shelf.pk, authors: [author.pk] })
      const copy = await newCopy(book)
      expect((await staff.delete(`/api/rest/shelves/${shelf.pk}`)).status).toBe(204)
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body.shelf).toBeNull()
      expect((await staff.delete(`/api/rest/authors/${author.pk}`)).status).toBe(204)
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body.authors).toEqual([])
      expect((await staff.delete(`/api/rest/books/${book.pk}`)).status).toBe(204)
      expect((await staff.get(`/api/rest/copies/${copy.pk}`)).status).toBe(404)
    })

    test('a cascade that meets a refusal further on keeps everything', async () => {
      const copy = await newCopy(await newBook())
      const reader = await newReader()
      await make(staff, 'lendings', { copy: copy.pk, reader: reader.pk })
      const refused = await staff.delete(`/api/rest/books/${copy.book.pk}`)
      expect([refused.status, refused.body.code]).toEqual([409, 'referenced'])
      expect((await staff.get(`/api/rest/copies/${copy.pk}`)).status).toBe(200)
    })
  })

  describe('linkage documents', () => {
    const id = (type: string) => (record: { pk: string }) => ({ type, id: record.pk })
    const change = (method: string, path: string, data: unknown) =>
      staff(`/api/rest/${path}`, { method, body: { data }, headers: speaking })

    testOnce('PATCH sets and clears a to-one relation', async () => {
      const [book, shelf] = [await newBook(), await newShelf()]
      const path = `books/${book.pk}/relationships/shelf`
      expect((await change('PATCH', path, id('shelves')(shelf))).status).toBe(204)
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body).toMatchObject({
        shelf: { pk: shelf.pk },
        version: 2,
      })
      expect((await change('PATCH', path, null)).status).toBe(204)
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body).toMatchObject({ shelf: null, version: 3 })
      for (const method of ['POST', 'DELETE']) {
        const refused = await change(method, path, id('shelves')(shelf))
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, OPTIONS'])
      }
    })

    testOnce('POST adds, DELETE takes away, PATCH replaces; all may be repeated', async () => {
      const authors = [await newAuthor(), await newAuthor(), await newAuthor()]
      const [a, b, c] = authors.map(id('authors'))
      const book = await newBook()
      const path = `books/${book.pk}/relationships/authors`
      const steps: [string, unknown[], unknown[]][] = [
        ['POST', [a, b], [a, b]],
        ['POST', [b], [a, b]],
        ['DELETE', [a, c], [b]],
        ['DELETE', [a], [b]],
        ['PATCH', [c, a, c], [a, c]],
        ['PATCH', [], []],
      ]
      for (const [method, sent, expected] of steps) {
        expect((await change(method, path, sent)).status).toBe(204)
        const after = (await staff.get(`/api/rest/books/${book.pk}`, speaking)).body.data.relationships.authors.data
        const byId = (one: unknown) => String((one as { id: string }).id)
        expect(after).toEqual([...expected].sort((x, y) => (byId(x) < byId(y) ? -1 : 1)))
      }
      // Four of the six changed something, and each raised the version once.
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body.version).toBe(5)
    })

    testOnce('the other side of a link can be changed too, and both sides agree', async () => {
      const [author, first, second] = [await newAuthor(), await newBook(), await newBook()]
      const path = `authors/${author.pk}/relationships/books`
      await change('POST', path, [first, second].map(id('books')))
      expect(await pks(`authors/${author.pk}/books`)).toEqual([first.pk, second.pk].sort())
      expect((await staff.get(`/api/rest/books/${first.pk}`)).body).toMatchObject({
        authors: [{ pk: author.pk }],
        version: 2,
      })
      await change('PATCH', path, [id('books')(second)])
      expect((await staff.get(`/api/rest/books/${first.pk}`)).body.authors).toEqual([])
      await change('DELETE', path, [id('books')(second)])
      expect((await staff.get(`/api/rest/authors/${author.pk}`)).body.bookCount).toBe(0)
    })

    testOnce('links within one resource lead both ways', async () => {
      const [first, second] = [await newBook(), await newBook()]
      await change('POST', `books/${first.pk}/relationships/seeAlso`, [id('books')(second)])
      expect(await pks(`books/${second.pk}/mentionedBy`)).toEqual([first.pk])
      await change('DELETE', `books/${second.pk}/relationships/mentionedBy`, [id('books')(first)])
      expect(await pks(`books/${first.pk}/seeAlso`)).toEqual([])
    })

    testOnce('the other side of a to-one relation moves records, and lets them go where they may', async () => {
      const [here, there, book] = [await newShelf(), await newShelf(), await newBook()]
      await change('POST', `shelves/${here.pk}/relationships/books`, [id('books')(book)])
      await change('POST', `shelves/${there.pk}/relationships/books`, [id('books')(book)])
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body).toMatchObject({
        shelf: { pk: there.pk },
        version: 3,
      })
      await change('DELETE', `shelves/${here.pk}/relationships/books`, [id('books')(book)])
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body.shelf.pk).toBe(there.pk)
      await change('PATCH', `shelves/${there.pk}/relationships/books`, [])
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body.shelf).toBeNull()
      const journal = await staff.get(`/api/rest/journal?book=${book.pk}&_ps=50`)
      expect(column(journal, 'what')).toHaveLength(4)
    })

    testOnce('what cannot be without its reference is not let go', async () => {
      const copy = await newCopy(await newBook())
      const path = `books/${copy.book.pk}/relationships/copies`
      const refused = await change('DELETE', path, [id('copies')(copy)])
      expect([refused.status, refused.body.errors[0].code]).toEqual([409, 'conflict'])
      expect((await change('PATCH', path, [])).status).toBe(409)
      expect((await change('PATCH', `copies/${copy.pk}/relationships/book`, null)).status).toBe(400)
      const other = await newBook()
      expect((await change('POST', `books/${other.pk}/relationships/copies`, [id('copies')(copy)])).status).toBe(204)
      expect((await staff.get(`/api/rest/copies/${copy.pk}`)).body.book.pk).toBe(other.pk)
    })

    testOnce('references that an identifier is made of cannot be changed from either side', async () => {
      const [copy, other, reader] = [await newCopy(await newBook()), await newCopy(await newBook()), await newReader()]
      const lending = await make(staff, 'lendings', { copy: copy.pk, reader: reader.pk })
      const ways: [string, string, unknown][] = [
        ['PATCH', `lendings/${lending.pk}/relationships/copy`, id('copies')(other)],
        ['POST', `copies/${other.pk}/relationships/lendings`, [id('lendings')(lending)]],
        ['POST', `readers/${(await newReader()).pk}/relationships/lendings`, [id('lendings')(lending)]],
      ]
      for (const [method, path, data] of ways)
        expect([path, (await change(method, path, data)).status]).toEqual([path, 403])
      expect((await staff.get(`/api/rest/lendings/${lending.pk}`)).body.copy.pk).toBe(copy.pk)
    })

    testOnce('what cannot be read or found is refused where it stands, and nothing is changed', async () => {
      const [book, author] = [await newBook(), await newAuthor()]
      const known = id('authors')(author)
      const cases: [string, string, unknown, number, string?][] = [
        ['POST', 'authors', [known, { type: 'authors', id: nowhere }], 422, '/data'],
        ['POST', 'authors', [{ type: 'books', id: book.pk }], 422, '/data/0/type'],
        ['POST', 'authors', known, 400, '/data'],
        ['POST', 'authors', [{ id: author.pk }], 400, '/data/0'],
        ['PATCH', 'shelf', { type: 'shelves', id: nowhere }, 422, '/data'],
        ['PATCH', 'shelf', [], 400, '/data'],
        ['PATCH', 'shelf', undefined, 400, '/data'],
        ['PATCH', 'nothing', null, 404],
        ['PATCH', 'title', null, 404],
      ]
      for (const [method, relation, data, status, pointer] of cases) {
        const refused = await change(method, `books/${book.pk}/relationships/${relation}`, data)
        expect([relation, data, refused.status, pointers(refused)[0]]).toEqual([relation, data, status, pointer])
      }
      expect((await change('POST', `books/${nowhere}/relationships/authors`, [known])).status).toBe(404)
      expect((await staff.get(`/api/rest/books/${book.pk}`)).body).toMatchObject({ authors: [], version: 1 })
    })
  })
})
