// Kitsu, a JSON:API client that others wrote, at work on the service: what it sends is taken, what it is sent it understands.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, jsonApi, startLibrary, uuid } from '@plinth/test-kit/library'
import type { DemoUser, TestService } from '@plinth/test-kit/service'
import Kitsu from 'kitsu'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** What Kitsu throws: the refusal as the library below it tells it, with the errors of the document. */
interface Refusal {
  readonly response: { readonly status: number }
  readonly errors?: readonly { readonly code: string; readonly source?: object }[]
}

const refusalOf = async (request: Promise<unknown>): Promise<Refusal> => {
  const outcome = await request.then(
    answer => ({ answer }),
    (refusal: Refusal) => refusal,
  )
  if ('answer' in outcome) throw new Error(`not refused: ${JSON.stringify(outcome.answer)}`)
  return outcome
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startLibrary(database)
  })
  afterAll(() => service?.stop())

  // The types of the service are neither kebab-case nor always plurals that a program could guess.
  const kitsuOf = (user: DemoUser): Kitsu =>
    new Kitsu({
      baseURL: `${service.url}/api/rest`,
      camelCaseTypes: false,
      resourceCase: 'none',
      pluralize: false,
      headers: { Authorization: `Basic ${btoa(`${user}:${user}`)}` },
    })

  const made = async (kitsu: Kitsu, type: string, members: object) => (await kitsu.create(type, members)).data

  test('it creates a record with its relations and reads them back, included ones whole', async () => {
    const kitsu = kitsuOf('staff')
    const shelf = await made(kitsu, 'shelves', { name: 'Top' })
    const authors = [await made(kitsu, 'authors', { name: 'Ann' }), await made(kitsu, 'authors', { name: 'Bob' })]
    const created = await kitsu.create('books', {
      title: 'Two hands',
      tags: ['joint'],
      shelf: { data: { type: 'shelves', id: shelf.id } },
      authors: { data: authors.map(({ type, id }) => ({ type, id })) },
    })
    expect([created.status, created.headers.location]).toEqual([201, created.data.links.self])
    expect(created.data.id).toMatch(uuid)

    const { data } = await kitsu.get(`books/${created.data.id}`, { params: { include: 'shelf,authors.books' } })
    expect(data).toMatchObject({ type: 'books', id: created.data.id, title: 'Two hands', tags: ['joint'] })
    expect(data.shelf.data).toMatchObject({ type: 'shelves', id: shelf.id, name: 'Top' })
    expect(data.authors.data.map((one: { name: string }) => one.name).sort()).toEqual(['Ann', 'Bob'])
    expect(data.authors.data[0].books.data[0].id).toBe(data.id)
  })

  test('it asks for the members that it wants and gets no others', async () => {
    const kitsu = kitsuOf('staff')
    const shelf = await made(kitsu, 'shelves', { name: 'Low' })
    const { id } = await made(kitsu, 'books', { title: 'Thin', pages: 9, shelf: { data: shelf } })
    const params = { include: 'shelf', fields: { books: 'title,shelf', shelves: 'name' } }
    const { data } = await kitsu.get(`books/${id}`, { params })
    const { links: _links, shelf: related, ...members } = data
    expect(members).toEqual({ type: 'books', id, title: 'Thin' })
    expect(related.data).toMatchObject({ id: shelf.id, name: 'Low' })
    expect(related.data).not.toHaveProperty('path')
  })

  test('it pages, sorts and filters', async () => {
    const kitsu = kitsuOf('staff')
    const word = fresh('page')
    for (const pages of [3, 1, 2, 4]) await made(kitsu, 'books', { title: `${word} ${pages}`, blurb: word, pages })
    const pagesOf = (answer: { data: { pages: number }[] }) => answer.data.map(book => book.pages)
    const filter = { blurb: word }

    const first = await kitsu.get('books', { params: { filter, sort: '-pages', page: { size: 3, number: 0 } } })
    expect(pagesOf(first)).toEqual([4, 3, 2])
    expect(first.meta).toMatchObject({ total: 4, page: { size: 3, number: 0, totalElements: 4, totalPages: 2 } })
    expect(Object.keys(first.links).sort()).toEqual(['first', 'last', 'next', 'self'])
    expect(first.headers['x-total-count']).toBe('4')

    const next = await kitsu.request({ url: first.links.next, type: 'books' })
    expect([pagesOf(next), next.links.next]).toEqual([[1], undefined])

    const byOffset = await kitsu.get('books', { params: { filter, sort: 'pages', page: { limit: 2, offset: 1 } } })
    expect(pagesOf(byOffset)).toEqual([2, 3])
    const rsql = await kitsu.get('books', { params: { filter: `blurb==${word};pages=gt=2` as never, sort: 'pages' } })
    expect(pagesOf(rsql)).toEqual([3, 4])
  })

  test.each(['traditional', 'modern'])('it names several records at once, in the %s way', async query => {
    const kitsu = kitsuOf('staff')
    const ids = [await made(kitsu, 'books', { title: 'One' }), await made(kitsu, 'books', { title: 'Two' })].map(
      book => book.id,
    )
    await made(kitsu, 'books', { title: 'Three' })
    const asking = new Kitsu({ baseURL: `${service.url}/api/rest`, resourceCase: 'none', pluralize: false, query })
    const { data } = await asking.get('books', { params: { filter: { id: ids }, sort: 'title' } })
    expect(data.map((book: { id: string }) => book.id)).toEqual(ids)
  })

  test('it changes what is given and nothing else', async () => {
    const kitsu = kitsuOf('staff')
    const { id } = await made(kitsu, 'books', { title: 'Before', pages: 5 })
    const changed = await kitsu.patch('books', { id, title: 'After' })
    expect([changed.status, changed.data.title, changed.data.pages]).toEqual([200, 'After', 5])
    const unchanged = await kitsu.patch('books', { id, title: 'After' })
    expect([unchanged.status, unchanged.data.id]).toEqual([200, id])
  })

  test('it changes relations, in the record and at their own address', async () => {
    const kitsu = kitsuOf('staff')
    const [low, high] = [await made(kitsu, 'shelves', { name: 'L' }), await made(kitsu, 'shelves', { name: 'H' })]
    const ann = await made(kitsu, 'authors', { name: 'Ann' })
    const { id } = await made(kitsu, 'books', { title: 'Moving', shelf: { data: low } })
    await kitsu.patch('books', { id, shelf: { data: { type: 'shelves', id: high.id } } })
    expect((await kitsu.get(`books/${id}/shelf`)).data.id).toBe(high.id)
    expect((await kitsu.get(`books/${id}/relationships/shelf`)).data.id).toBe(high.id)

    await kitsu.patch('books', { id, authors: { data: [{ type: 'authors', id: ann.id }] } })
    expect((await kitsu.get(`books/${id}/authors`)).data).toMatchObject([{ type: 'authors', id: ann.id, name: 'Ann' }])

    const address = `books/${id}/relationships/shelf`
    const linked = await kitsu.request({ url: address, method: 'PATCH', type: 'shelves', body: { id: low.id } })
    expect([linked.status, (await kitsu.get(`books/${id}/shelf`)).data.id]).toEqual([204, low.id])
    await kitsu.patch('books', { id, authors: { data: [] } })
    expect((await kitsu.get(`books/${id}/authors`)).data).toEqual([])
  })

  test('it deletes with a body and a content type, as it always does', async () => {
    const kitsu = kitsuOf('staff')
    const { id } = await made(kitsu, 'books', { title: 'Gone' })
    let sent: unknown
    kitsu.interceptors.request.use(request => {
      if (request.method === 'delete') sent = [request.headers['Content-Type'], request.data]
      return request
    })
    expect((await kitsu.delete('books', id)).status).toBe(204)
    expect(sent).toEqual([jsonApi, { data: { type: 'books', id } }])
    expect((await refusalOf(kitsu.get(`books/${id}`))).response.status).toBe(404)
  })

  test('it shows the errors of a refusal', async () => {
    const kitsu = kitsuOf('staff')
    const refusal = await refusalOf(kitsu.create('books', { title: 5, colour: 'red' }))
    expect(refusal.response.status).toBe(400)
    expect(refusal.errors).toMatchObject([
      { status: '400', code: 'invalid', source: { pointer: '/data/attributes/title' } },
      { status: '400', code: 'invalid', source: { pointer: '/data/attributes/colour' } },
    ])
    const misspelt = await refusalOf(kitsu.get('books', { params: { sort: 'colour' } }))
    expect(misspelt.errors).toMatchObject([{ code: 'bad_parameter', source: { parameter: 'sort' } }])
    expect((await refusalOf(kitsuOf('simple').delete('shelves', 'any'))).response.status).toBe(403)
  })
})
