// What a request costs, in statements: labels, counts, includes and totals never cost one for each record.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, freshCopy, make, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let anonymous: Client
  let staff: Client
  let book: string
  beforeAll(async () => {
    service = await startLibrary(database)
    anonymous = service.as('anonymous')
    staff = service.as('staff')
    const shelf = await make(staff, 'shelves', { name: fresh('S') })
    const authors = [await make(staff, 'authors', { name: 'A' }), await make(staff, 'authors', { name: 'B' })]
    const list = Array.from({ length: 60 }, () => ({
      title: fresh('T'),
      shelf: shelf.pk,
      authors: authors.map(one => one.pk),
    }))
    const made = (await staff.post('/api/rest/books', list)).body.content
    book = made[0].pk
    await staff.post(
      '/api/rest/copies',
      made.map((one: { pk: string }) => ({ pk: freshCopy(), book: one.pk })),
    )
  })
  afterAll(() => service.stop())

  /**
   * Statements that the request sends. Background work sometimes sends some too, so the minimum of several requests counts. It is
   * known as soon as one of them costs no more than `expected`.
   */
  const cost = async (path: string, { client = anonymous, expected = 0, requests = 20 } = {}): Promise<number> => {
    const { store } = service.app.platform
    let least = Number.POSITIVE_INFINITY
    for (let request = 0; request < requests && least > expected; request++) {
      const before = store.statements
      expect([path, (await client.get(`/api/rest/${path}`)).status]).toEqual([path, 200])
      least = Math.min(least, store.statements - before)
    }
    return least
  }

  test.each([
    ['books/PK', 1],
    ['books/PK/shelf', 2],
    ['books/PK/authors', 2],
    ['books?_ps=50', 2],
    ['books?_ps=500', 1],
    ['books?_ps=50&_total=none', 1],
    ['books?_ps=50&sort=shelf.name,-copyCount&filter=authors.name==A;shelf.bookCount>1', 2],
    ['books?_ps=50&_total=none&include=shelf', 2],
    ['books?_ps=50&_total=none&include=authors', 3],
    ['books?_ps=2&_total=none&include=shelf.books', 4],
    ['books/PK?include=shelf', 2],
    ['books/PK?include=authors.books', 5],
    ['books/jsonschema', 0],
  ])('GET %s costs %i', async (path, expected) => {
    expect(await cost(path.replace('PK', book), { expected })).toBe(expected)
  })

  test('more records cost no more statements', async () => {
    for (const query of ['', '&include=shelf,authors,copies', '&sort=shelf.name', '&filter=copies.available==true']) {
      const few = await cost(`books?_ps=2${query}`, { client: staff, requests: 5 })
      const many = await cost(`books?_ps=50${query}`, { client: staff, expected: few })
      expect([query, many]).toEqual([query, few])
    }
  })

  test('a change without hooks costs two statements on PostgreSQL: it needs no transaction around it', async () => {
    if (database === 'sqlite') return
    const { store } = service.app.platform
    const { pk } = await make(staff, 'authors', { name: fresh('A') })
    const counts: number[] = []
    for (let change = 0; change < 20; change++) {
      const before = store.statements
      expect((await staff.patch(`/api/rest/authors/${pk}`, { name: fresh('A') })).status).toBe(200)
      counts.push(store.statements - before)
    }
    // Credentials are checked by one of their own, and the service may number changes in the meantime.
    expect(Math.min(...counts)).toBeLessThanOrEqual(4)
  })

  test('a change is numbered among the events of all instances by one statement on PostgreSQL', async () => {
    if (database === 'sqlite') return
    const { store } = service.app.platform
    const { pk } = await make(staff, 'authors', { name: fresh('A') })
    const counts: number[] = []
    for (let change = 0; change < 20; change++) {
      const before = store.statements
      expect((await staff.patch(`/api/rest/authors/${pk}`, { name: fresh('A') })).status).toBe(200)
      await store.events.arrange()
      counts.push(store.statements - before)
    }
    // The change itself takes three, and the service numbers changes by itself too.
    expect(Math.min(...counts)).toBeLessThanOrEqual(5)
  })
})
