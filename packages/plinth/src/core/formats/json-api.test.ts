import { describe, expect, test } from 'vitest'
import {
  alien,
  base,
  blank,
  fieldOf,
  films,
  firstCopy,
  firstPage,
  hostileTexts,
  including,
  top,
  unpaged,
  viewOf,
  writePage,
} from './example.fixture.ts'
import { type Document, faultsIn, type ListDocument } from './json-api.fixture.ts'
import { jsonApi } from './json-api.ts'

const own = `${base}/api/rest/films/f1`

const relationLinks = (relation: string) =>
  `"links":{"self":"${own}/relationships/${relation}","related":"${own}/${relation}"}`

const checked = <T = Document>(text: string): T => {
  expect(faultsIn(text)).toEqual([])
  return JSON.parse(text) as T
}

const item = (record: typeof alien | null, view = films) => jsonApi.item({ view, record, included: [] }, base)

describe('an item in JSON:API', () => {
  test('has attributes, relationships and links', () => {
    expect(item(alien)).toBe(
      '{"jsonapi":{"version":"1.1"},"data":{"type":"films","id":"f1","attributes":{"title":"Alien","cost":19.99,' +
        '"available":true,"tags":["space","cat"],"notes":{"seen":"twice"},"copyCount":2,"version":3},' +
        `"relationships":{"shelf":{"data":{"type":"shelves","id":"s1"},${relationLinks('shelf')}},` +
        `"actors":{"data":[{"type":"actors","id":"a1"}],${relationLinks('actors')}},` +
        `"fans":{${relationLinks('fans')}},"copies":{${relationLinks('copies')}}},` +
        `"links":{"self":"${own}"}},"links":{"self":"${own}"}}`,
    )
    checked(item(alien))
  })

  test('shows empty attributes as null and empty relations as empty linkage', () => {
    const { data } = checked(item(blank))
    expect(data.attributes).toEqual({
      title: null,
      cost: null,
      available: null,
      tags: null,
      notes: null,
      copyCount: 0,
      version: 0,
    })
    expect(data.relationships).toMatchObject({ shelf: { data: null }, actors: { data: [] } })
  })

  test('has no relationships member when the view has no relation', () => {
    expect(item(alien, viewOf('films', ['title']))).toBe(
      '{"jsonapi":{"version":"1.1"},"data":{"type":"films","id":"f1","attributes":{"title":"Alien"},' +
        `"links":{"self":"${own}"}},"links":{"self":"${own}"}}`,
    )
  })

  test('may consist of relations alone', () => {
    expect(checked(item(alien, viewOf('films', ['shelf']))).data.attributes).toEqual({})
  })

  test('does not repeat its identifier among the attributes', () => {
    expect(checked(item(firstCopy, viewOf('copies'))).data.attributes).toEqual({ code: 'A-1', version: 1 })
  })

  test('says where it was asked for when that is not its own address', () => {
    const document = { view: viewOf('shelves'), record: top, included: [], self: '/api/rest/films/f1/shelf' }
    const { data, links } = checked(jsonApi.item(document, base))
    expect(links.self).toBe(`${own}/shelf`)
    expect(data.links.self).toBe(`${base}/api/rest/shelves/s1`)
  })

  test('is null for an empty to-one relation', () => {
    expect(item(null)).toBe('{"jsonapi":{"version":"1.1"},"data":null}')
    expect(jsonApi.item({ view: films, record: null, included: [], self: '/x' }, base)).toBe(
      `{"jsonapi":{"version":"1.1"},"data":null,"links":{"self":"${base}/x"}}`,
    )
  })

  test.each(hostileTexts)('gives back the text %j', title => {
    const shelf = { pk: title, label: title }
    const { data } = checked(item({ ...alien, pk: `f${title}`, title, shelf, notes: { [title]: title } }))
    expect(data).toMatchObject({ id: `f${title}`, attributes: { title, notes: Object.fromEntries([[title, title]]) } })
    expect(data.relationships?.shelf?.data).toEqual({ type: 'shelves', id: title })
  })
})

const shelfOf = (...pks: string[]) =>
  including({ relation: fieldOf('films', 'shelf'), records: Object.fromEntries(pks.map(pk => [pk, [top]])) })

describe('a compound document', () => {
  test('holds each included record once', () => {
    const second = { ...alien, pk: 'f9' }
    const batches = [{ records: [alien, second], included: [shelfOf('f1', 'f9')] }]
    const page = checked<ListDocument>(writePage(jsonApi, { ...unpaged, view: films }, batches))
    expect(page.data.map(({ id }) => id)).toEqual(['f1', 'f9'])
    expect(page.included?.map(({ type, id }) => `${type} ${id}`)).toEqual(['shelves s1'])
  })

  test('is written in pieces, however many records it holds', () => {
    const writer = jsonApi.page({ ...unpaged, view: films }, base)
    const records = Array.from({ length: 1200 }, (_, at) => ({ ...alien, pk: `f${at}` }))
    expect(writer.records(records, [shelfOf('f1', 'f9')])).toBe('')
    const pieces = [...(writer.rest?.() ?? [])]
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(pieces.join('').length / 2)
    const page = JSON.parse(writer.open() + pieces.join('') + writer.close())
    expect([page.data.length, page.included.length]).toEqual([1200, 1])
  })

  test('gives the linkage of included to-many relations, however deep', () => {
    const film = including({ relation: fieldOf('copies', 'film'), records: { c1: [alien] } })
    const copies = including({ relation: fieldOf('films', 'copies'), records: { f1: [firstCopy] }, deeper: [film] })
    const document = checked(jsonApi.item({ view: films, record: alien, included: [copies] }, base))
    expect(document.data.relationships?.copies?.data).toEqual([{ type: 'copies', id: 'c1' }])
    expect(document.included?.map(({ id }) => id)).toEqual(['c1'])
  })

  test('joins the linkage of a record that is reached in two ways', () => {
    const films1 = including({ relation: fieldOf('shelves', 'films'), records: { s1: [alien, blank] } })
    const plainShelf = shelfOf('f1')
    const deepShelf = including({ relation: fieldOf('films', 'shelf'), records: { f9: [top] }, deeper: [films1] })
    const film = including({
      relation: fieldOf('copies', 'film'),
      records: { c1: [alien], c2: [{ ...alien, pk: 'f9' }] },
      deeper: [plainShelf, deepShelf],
    })
    const copies = [firstCopy, { ...firstCopy, pk: 'c2', film: { pk: 'f9', label: 'Alien' } }]
    const view = viewOf('copies')
    const page = checked<ListDocument>(
      writePage(jsonApi, { ...unpaged, view }, [{ records: copies, included: [film] }]),
    )
    const shelf = page.included?.find(({ type }) => type === 'shelves')
    expect(shelf?.relationships?.films?.data).toEqual([
      { type: 'films', id: 'f1' },
      { type: 'films', id: 'f2' },
    ])
  })

  test('does not repeat primary data that a later batch brings', () => {
    const onShelf = including({ relation: fieldOf('shelves', 'films'), records: { s1: [alien, blank] } })
    const shelf = including({ relation: fieldOf('films', 'shelf'), records: { f1: [top] }, deeper: [onShelf] })
    const batches = [
      { records: [alien], included: [shelf] },
      { records: [blank], included: [shelf] },
    ]
    const page = checked<ListDocument>(writePage(jsonApi, { ...unpaged, view: films }, batches))
    expect(page.data.map(({ id }) => id)).toEqual(['f1', 'f2'])
    expect(page.included?.map(({ id }) => id)).toEqual(['s1'])
  })

  test('says that nothing was found to include', () => {
    const document = checked(jsonApi.item({ view: films, record: blank, included: [shelfOf('f1')] }, base))
    expect(document.included).toEqual([])
  })

  test('names linkage as it was included where the record also shows a short list', () => {
    const records = { f1: [{ pk: 'a1', version: 1, firstName: 'S' }] }
    const actors = including({ relation: fieldOf('films', 'actors'), records })
    const document = checked(jsonApi.item({ view: films, record: alien, included: [actors] }, base))
    expect(document.data.relationships?.actors?.data).toEqual([{ type: 'actors', id: 'a1' }])
    expect(document.included?.[0]?.attributes).toEqual({ firstName: 'S', version: 1 })
  })
})

describe('a page in JSON:API', () => {
  test('has its data, links and counts', () => {
    const text = writePage(jsonApi, firstPage, [{ records: [top] }, { records: [{ ...top, pk: 's2' }] }])
    const record = (pk: string) =>
      `{"type":"shelves","id":"${pk}","attributes":{"name":"Top"},"links":{"self":"${base}/api/rest/shelves/${pk}"}}`
    expect(text).toBe(
      `{"jsonapi":{"version":"1.1"},"data":[${record('s1')},${record('s2')}],` +
        `"links":{"self":"${base}/api/rest/shelves?_ps=2","next":"${base}/api/rest/shelves?_pn=1&_ps=2",` +
        `"last":"${base}/api/rest/shelves?_pn=1&_ps=2"},` +
        '"meta":{"page":{"size":2,"totalElements":3,"totalPages":2,"number":0},"total":3}}',
    )
    checked(text)
  })

  test('leaves out a total that is not known', () => {
    const paging = { size: 2, number: null, totalElements: null, totalPages: null }
    expect(checked(writePage(jsonApi, { ...firstPage, paging }, [])).meta).toEqual({ page: paging })
  })

  test('has no counts when it is not paged', () => {
    expect(checked(writePage(jsonApi, unpaged, []))).not.toHaveProperty('meta')
  })
})

describe('a problem in JSON:API', () => {
  const document = { type: '/problems/invalid', title: 'Invalid fields', status: 400, code: 'invalid' } as const

  test('is one error when nothing more is known', () => {
    const text = jsonApi.problem({ ...document, detail: 'Two are wrong.', instance: '/x', errorLogId: 'e1' })
    expect(JSON.parse(text)).toEqual({
      jsonapi: { version: '1.1' },
      errors: [{ id: 'e1', status: '400', code: 'invalid', title: 'Invalid fields', detail: 'Two are wrong.' }],
    })
  })

  test('is one error for each fault, with its source', () => {
    const errors = [
      { message: 'is too long', code: 'max', pointer: '/data/attributes/title', member: 'title' },
      { message: 'is unknown', code: 'unknown', parameter: 'sort', position: 4 },
      { message: 'is odd', code: 'odd' },
    ]
    const common = { status: '400', code: 'invalid', title: 'Invalid fields' }
    expect(JSON.parse(jsonApi.problem({ ...document, errors })).errors).toEqual([
      {
        ...common,
        detail: 'is too long',
        source: { pointer: '/data/attributes/title' },
        meta: { fault: 'max', member: 'title' },
      },
      { ...common, detail: 'is unknown', source: { parameter: 'sort' }, meta: { fault: 'unknown', position: 4 } },
      { ...common, detail: 'is odd', meta: { fault: 'odd' } },
    ])
  })

  test('keeps further members of the problem as meta', () => {
    expect(JSON.parse(jsonApi.problem({ ...document, quote: { cost: 40 } })).errors[0].meta).toEqual({
      quote: { cost: 40 },
    })
  })
})
