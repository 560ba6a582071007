// Jsona, a JSON:API serializer that others wrote: what it read, it can send back.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, jsonApi, make, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { Jsona } from 'jsona'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const read = async (path: string) => {
    const { body } = await staff.get(path, { Accept: jsonApi })
    return new Jsona().deserialize(body)
  }

  test('a record is taken back as it was read, and with a change', async () => {
    const shelf = await make(staff, 'shelves', { name: fresh('shelf') })
    const book = await make(staff, 'books', { title: fresh('jsona'), shelf: shelf.pk })
    const path = `/api/rest/books/${book.pk}`
    const model = await read(path)
    if (Array.isArray(model)) throw new Error('not one record')
    const send = (stuff: typeof model) =>
      staff.patch(path, new Jsona().serialize({ stuff, includeNames: stuff.relationshipNames ?? [] }), speaking)

    const same = await send(model)
    expect([same.status, same.body.data.id]).toEqual([200, book.pk])
    const changed = await send({ ...model, title: 'Changed', version: undefined })
    expect([changed.status, changed.body.data.attributes.title]).toEqual([200, 'Changed'])
    expect(changed.body.data.relationships.shelf.data.id).toBe(shelf.pk)
  })

  test('a relationship that was read as links is ignored when it is sent back', async () => {
    const book = await make(staff, 'books', { title: fresh('links') })
    const path = `/api/rest/books/${book.pk}`
    const { data } = (await staff.get(path, { Accept: jsonApi })).body
    expect(data.relationships.copies).toEqual({ links: expect.anything() })
    const { version: _version, ...attributes } = data.attributes
    const answer = await staff.patch(path, { data: { ...data, attributes: { ...attributes, pages: 7 } } }, speaking)
    expect([answer.status, answer.body.data.attributes.pages]).toEqual([200, 7])
  })

  test('a patch that changes nothing answers with the document in JSON:API, and with 204 in JSON', async () => {
    const book = await make(staff, 'books', { title: 'Same', pages: 3 })
    const path = `/api/rest/books/${book.pk}`
    const document = { data: { type: 'books', id: book.pk, attributes: { pages: 3 } } }
    const answer = await staff.patch(path, document, speaking)
    expect([answer.status, answer.body.data.id, answer.body.data.attributes.version]).toEqual([200, book.pk, 1])
    expect((await staff.patch(path, { pages: 3 })).status).toBe(204)
    const minimal = await staff.patch(path, document, { ...speaking, Prefer: 'return=minimal' })
    expect([minimal.status, minimal.text]).toEqual([204, ''])
  })

  test('all records that are named by identifier come on one page', async () => {
    const pks: string[] = []
    for (let count = 0; count < 15; count++) pks.push((await make(staff, 'shelves', { name: fresh('many') })).pk)
    const listed = pks.map(pk => `filter[id][]=${pk}`).join('&')
    for (const query of [listed, `filter[id]=${pks.join()}`, `filter[pk]=${pks.join()}`]) {
      const { body } = await staff.get(`/api/rest/shelves?${query}`, { Accept: jsonApi })
      expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual([...pks].sort())
      expect(body.meta.page.size).toBe(15)
    }
    const { body } = await staff.get(`/api/rest/shelves?${listed}&page[size]=4`, { Accept: jsonApi })
    expect(body.data).toHaveLength(4)
  })

  test.each([
    [undefined, 200, 'application/json'],
    ['application/json', 200, 'application/json'],
    ['application/schema+json', 200, 'application/schema+json'],
    ['application/schema+json, application/json;q=0.5', 200, 'application/schema+json'],
    ['application/xml', 406, 'application/problem+xml'],
    ['text/html', 406, 'application/problem+json'],
  ])('the JSON Schema for %s is %i in %s', async (accept, status, type) => {
    const answer = await staff.get('/api/rest/books/jsonschema', accept === undefined ? {} : { Accept: accept })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type])
  })
})
