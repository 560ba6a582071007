// A field that the caller may not read behaves, wherever it is named, exactly like one that does not exist.

import { featureDatabases } from '@plinth/test-kit/databases'
import { column, fresh, make, pointers, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A name as long as `purchasePrice`, which no resource has as a field. */
const unknown = 'purchasePrixe'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let simple: Client
  let book: { pk: string; title: string }
  let shelf: { pk: string }
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
    simple = service.as('simple')
    shelf = await make(staff, 'shelves', { name: fresh('shelf') })
    book = await make(staff, 'books', { title: fresh('B'), purchasePrice: 12.5, remark: 'worn', shelf: shelf.pk })
    await make(staff, 'copies', { pk: `C-${Date.now() % 1e9}`, book: book.pk })
  })
  afterAll(() => service.stop())

  const queries = [
    'purchasePrice=12.5',
    'purchasePrice=12.5&purchasePrice=13',
    'filter=purchasePrice==12.5',
    'filter=purchasePrice=gt=10',
    'filter=purchasePrice=in=(12.5,13)',
    'filter=purchasePrice=isnull=false',
    'filter=purchasePrice=bt=(0,100)',
    "filter=title==x,(pk!='',purchasePrice==12.5)",
    'filter[purchasePrice]=12.5',
    'filter[purchasePrice][]=12.5',
    'sort=purchasePrice',
    'sort=title,-purchasePrice',
    'fields=purchasePrice',
    'fields[books]=title,purchasePrice',
    'include=purchasePrice',
    'include=copies.purchasePrice',
    'PURCHASEPRICE=1',
    'purchasePrice.pk=1',
    'filter=purchasePrice.x==1',
  ]

  test.each(queries)('?%s is refused as for a field that does not exist, to the letter', async query => {
    for (const Accept of ['application/json', 'application/vnd.api+json', 'application/xml']) {
      for (const path of ['books', `shelves/${shelf.pk}/books`]) {
        const ask = (text: string) => simple.get(`/api/rest/${path}?${text}`, { Accept, 'Accept-Encoding': 'identity' })
        const hidden = await ask(query)
        const missing = await ask(
          query.replace(/purchasePrice/gi, name => (name === 'purchasePrice' ? unknown : unknown.toUpperCase())),
        )
        expect([path, hidden.status, missing.status]).toEqual([path, 400, 400])
        const asMissing = hidden.text
          .replaceAll('purchasePrice', unknown)
          .replaceAll('PURCHASEPRICE', unknown.toUpperCase())
        expect(asMissing).toBe(missing.text)
        expect(hidden.headers.get('content-length')).toBe(missing.headers.get('content-length'))
      }
    }
  })

  test.each([
    'copies?filter=book.purchasePrice==12.5',
    'copies?book.purchasePrice=12.5',
    'copies?sort=book.purchasePrice',
    'shelves?filter=books.purchasePrice==12.5',
    'shelves?books.purchasePrice=12.5',
    'shelves?include=books.purchasePrice',
    'shelves?include=books&fields[books]=purchasePrice',
    'authors?filter=books.remark==worn',
  ])('%s, along a relation, is refused likewise', async query => {
    const hidden = await simple.get(`/api/rest/${query}`)
    const missing = await simple.get(`/api/rest/${query.replace('purchasePrice', unknown).replace('remark', 'remarq')}`)
    expect([hidden.status, hidden.body.errors[0].code]).toEqual([400, 'unknown_member'])
    expect(hidden.text.replaceAll('purchasePrice', unknown).replaceAll(/\bremark\b/g, 'remarq')).toBe(missing.text)
    expect((await staff.get(`/api/rest/${query}`)).status === 200 || query.includes('include=books.')).toBe(true)
  })

  test.each([
    'books?filter=purchasePrice=gt=10&sort=-purchasePrice',
    'copies?filter=book.purchasePrice=gt=10',
    'copies?sort=book.purchasePrice',
  ])('%s is refused also after others have asked the same, and theirs is answered as before', async query => {
    const path = `/api/rest/${query}`
    const ask = async (client: Client) => (await client.get(path)).status
    expect([await ask(staff), await ask(staff), await ask(simple)]).toEqual([200, 200, 400])
    expect([await ask(staff), await ask(simple)]).toEqual([200, 400])
  })

  test('it is shown only to those who may read it, in any format, schema or list of fields', async () => {
    const paths = [
      `books/${book.pk}`,
      `books?pks=${book.pk}`,
      'books/jsonschema',
      'books/uischema',
      `shelves/${shelf.pk}?include=books`,
    ]
    for (const path of paths) {
      for (const Accept of [
        'application/json',
        'application/hal+json',
        'application/vnd.api+json',
        'application/xml',
      ]) {
        const [visible, hidden] = [
          await staff.get(`/api/rest/${path}`, { Accept }),
          await simple.get(`/api/rest/${path}`, { Accept }),
        ]
        if (/schema/.test(path) && Accept !== 'application/json') continue
        expect([path, Accept, visible.status, hidden.status]).toEqual([path, Accept, 200, 200])
        expect([path, visible.text.includes('purchasePrice')]).toEqual([path, true])
        expect([path, /purchasePrice|worn|12\.5/.test(hidden.text)]).toEqual([path, false])
      }
    }
    expect(column(await staff.get('/api/rest/books?purchasePrice=12.5'), 'pk')).toEqual([book.pk])
  })

  test('no question that the caller may ask changes its answer with the hidden value', async () => {
    const answers = async () => {
      const questions = [
        'books?filter=title==*&_total=exact',
        `books?pks=${book.pk}&fields=title`,
        'books?sort=-title',
        'shelves?include=books&fields[books]=title',
      ]
      const texts: string[] = []
      for (const question of questions)
        texts.push(
          (await simple.get(`/api/rest/${question}`)).text.replace(/"version":\d+|"lastModifiedDate":"[^"]*"/g, ''),
        )
      return texts
    }
    const before = await answers()
    expect((await staff.patch(`/api/rest/books/${book.pk}`, { purchasePrice: 99, remark: 'new' })).status).toBe(200)
    expect(await answers()).toEqual(before)
    await staff.patch(`/api/rest/books/${book.pk}`, { purchasePrice: 12.5, remark: 'worn' })
  })

  test('writing what cannot be changed with your permissions is 403, and nothing is written', async () => {
    const own = await make(simple, 'books', { title: fresh('own') })
    const address = `/api/rest/books/${own.pk}`
    for (const field of ['stars', 'purchasePrice']) {
      expect((await simple.post('/api/rest/books', { title: 'B', [field]: 3 })).status).toBe(403)
      expect((await simple.patch(address, { title: 'changed', [field]: 3 })).status).toBe(403)
      expect((await simple.put(address, { title: 'changed', [field]: 3 })).status).toBe(403)
      const document = { data: { type: 'books', id: own.pk, attributes: { [field]: 3 } } }
      expect((await simple.patch(address, document, speaking)).status).toBe(403)
      expect(
        (await simple.patch(address, { [field]: null }, { 'Content-Type': 'application/merge-patch+json' })).status,
      ).toBe(403)
    }
    expect((await simple.get(address)).body).toMatchObject({ title: own.title, version: 1, stars: 0 })
    expect((await staff.patch(address, { stars: 3, purchasePrice: 3 })).body).toMatchObject({
      stars: 3,
      purchasePrice: 3,
    })
  })

  test('sending a record back as it was read keeps hidden and read-only fields', async () => {
    const own = await make(staff, 'books', { title: fresh('own'), stars: 4, purchasePrice: 7, remark: 'worn' })
    const address = `/api/rest/books/${own.pk}`
    const read = (await simple.get(address)).body
    expect((await simple.put(address, { ...read, pages: 10 })).body).toMatchObject({ stars: 4, pages: 10 })
    expect((await simple.patch(address, { stars: 4, pages: 11 })).status).toBe(200)
    const refused = await simple.patch(address, { stars: 'many' }, { Accept: 'application/problem+json' })
    expect([refused.status, pointers(refused)]).toEqual([403, ['/stars']])
    expect((await simple.put(address, { title: 'bare' })).body).toMatchObject({ stars: 4, pages: null })
    expect((await staff.get(address)).body).toMatchObject({ purchasePrice: 7, remark: 'worn', title: 'bare' })
  })
})
