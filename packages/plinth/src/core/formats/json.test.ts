import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
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
import { json } from './json.ts'

const item = (record: typeof alien, view = films) => json.item({ view, record, included: [] }, base)

const filmLinks = (pk: string) =>
  `"links":[{"rel":"self","href":"${base}/api/rest/films/${pk}"},` +
  ['shelf', 'actors', 'fans', 'copies']
    .map(rel => `{"rel":"${rel}","href":"${base}/api/rest/films/${pk}/${rel}"}`)
    .join(',') +
  ']'

describe('an item in JSON', () => {
  test('has its fields in order, compact relations and a link for each relation', () => {
    expect(item(alien)).toBe(
      '{"pk":"f1","title":"Alien","cost":19.99,"available":true,"tags":["space","cat"],"notes":{"seen":"twice"},' +
        `"shelf":{"pk":"s1","name":"Top"},"actors":[{"pk":"a1"}],"copyCount":2,"version":3,${filmLinks('f1')}}`,
    )
  })

  test('shows what has no value as null', () => {
    expect(item(blank)).toBe(
      '{"pk":"f2","title":null,"cost":null,"available":null,"tags":null,"notes":null,"shelf":null,"actors":[],' +
        `"copyCount":0,"version":0,${filmLinks('f2')}}`,
    )
  })

  test('shows only fields and relation links of the view', () => {
    expect(item(alien, viewOf('films', ['title', 'copies']))).toBe(
      `{"pk":"f1","title":"Alien","links":[{"rel":"self","href":"${base}/api/rest/films/f1"},` +
        `{"rel":"copies","href":"${base}/api/rest/films/f1/copies"}]}`,
    )
  })

  test('repeats the pk as id where the resource says so', () => {
    expect(item(firstCopy, viewOf('copies', ['code']))).toBe(
      `{"pk":"c1","id":"c1","code":"A-1","links":[{"rel":"self","href":"${base}/api/rest/copies/c1"}]}`,
    )
  })

  test('leaves out a label that the caller does not see', () => {
    expect(item({ ...alien, shelf: { pk: 's1', label: null } }, viewOf('films', ['shelf']))).toContain(
      '"shelf":{"pk":"s1"},',
    )
  })

  test('percent-encodes its pk in addresses', () => {
    expect(JSON.parse(item({ ...alien, pk: 'a/b?"ü\ud800' }, viewOf('films', [])))).toEqual({
      pk: 'a/b?"ü\ud800',
      links: [{ rel: 'self', href: `${base}/api/rest/films/a%2Fb%3F%22%C3%BC%EF%BF%BD` }],
    })
  })

  test('is null for an empty to-one relation', () => {
    expect(json.item({ view: films, record: null, included: [] }, base)).toBe('null')
  })

  test('cannot be broken by the address that it was reached at', () => {
    const text = json.item({ view: viewOf('actors', []), record: top, included: [] }, 'http://"evil\\')
    expect(JSON.parse(text).links[0].href).toBe('http://"evil\\/api/rest/actors/s1')
  })

  test.each(hostileTexts)('gives back the text %j', title => {
    const record = { ...alien, title, notes: { [title]: title }, shelf: { pk: title, label: title } }
    expect(JSON.parse(item(record))).toMatchObject({
      title,
      notes: Object.fromEntries([[title, title]]),
      shelf: { pk: title, name: title },
    })
  })

  test('gives back any text as JSON.stringify would', async () => {
    const view = viewOf('films', ['title'])
    await checkProperty(
      fc.property(fc.string({ unit: 'binary' }), title => {
        const expected = JSON.stringify({ pk: 'f1', title })
        expect(item({ pk: 'f1', version: 1, title }, view).startsWith(expected.slice(0, -1))).toBe(true)
      }),
    )
  })

  test('writes numbers that JSON does not have as null', () => {
    expect(item({ ...alien, copyCount: Number.NaN }, viewOf('films', ['copyCount']))).toContain('"copyCount":null')
  })
})

describe('an included relation in JSON', () => {
  const shelf = including({ relation: fieldOf('films', 'shelf'), records: { f1: [top] } })

  test('takes the place of the compact object', () => {
    const text = json.item({ view: viewOf('films', ['title', 'shelf']), record: alien, included: [shelf] }, base)
    expect(JSON.parse(text)).toMatchObject({
      pk: 'f1',
      shelf: { pk: 's1', name: 'Top', version: 1, links: [{ rel: 'self' }, { rel: 'films' }] },
    })
    expect(text.match(/"shelf":/g)).toHaveLength(1)
  })

  test('stays compact where nothing was fetched', () => {
    const text = json.item({ view: films, record: { ...alien, pk: 'f9' }, included: [shelf] }, base)
    expect(text).toContain('"shelf":{"pk":"s1","name":"Top"},')
  })

  test('becomes a list of full records when it is to-many, and goes deeper', () => {
    const film = including({ relation: fieldOf('copies', 'film'), records: { c1: [alien] }, deeper: [shelf] })
    const copies = including({ relation: fieldOf('films', 'copies'), records: { f1: [firstCopy] }, deeper: [film] })
    const answer = JSON.parse(json.item({ view: films, record: alien, included: [copies] }, base))
    expect(answer.copies).toHaveLength(1)
    expect(answer.copies[0]).toMatchObject({ pk: 'c1', id: 'c1', film: { title: 'Alien', shelf: { version: 1 } } })
  })

  test('is an empty list for a record that has none', () => {
    const copies = including({ relation: fieldOf('films', 'copies'), records: {} })
    const actors = including({ relation: fieldOf('films', 'actors'), records: {} })
    expect(JSON.parse(json.item({ view: films, record: blank, included: [copies, actors] }, base))).toMatchObject({
      copies: [],
      actors: [],
    })
  })

  test('is not shown when the view does not have it', () => {
    const text = json.item({ view: viewOf('films', ['title']), record: alien, included: [shelf] }, base)
    expect(text).not.toContain('shelf')
  })
})

describe('a page in JSON', () => {
  const record = (pk: string) =>
    `{"pk":"${pk}","name":"Top","links":[{"rel":"self","href":"${base}/api/rest/shelves/${pk}"}]}`

  test('has content, page and links', () => {
    expect(writePage(json, firstPage, [{ records: [top, { ...top, pk: 's2' }] }])).toBe(
      `{"content":[${record('s1')},${record('s2')}],` +
        '"page":{"size":2,"totalElements":3,"totalPages":2,"number":0},' +
        `"links":[{"rel":"self","href":"${base}/api/rest/shelves?_ps=2"},` +
        `{"rel":"next","href":"${base}/api/rest/shelves?_pn=1&_ps=2"},` +
        `{"rel":"last","href":"${base}/api/rest/shelves?_pn=1&_ps=2"}]}`,
    )
  })

  test('is the same in one batch and in several', () => {
    const records = ['s1', 's2', 's3'].map(pk => ({ ...top, pk }))
    const inBatches = records.map(one => ({ records: [one] }))
    expect(writePage(json, firstPage, [{ records: [] }, ...inBatches])).toBe(writePage(json, firstPage, [{ records }]))
  })

  test('without paging has content and links only', () => {
    expect(writePage(json, unpaged, [])).toBe(
      `{"content":[],"links":[{"rel":"self","href":"${base}/api/rest/shelves?page=no"}]}`,
    )
  })

  test('shows as null what is not known of it', () => {
    const paging = { size: 2, number: null, totalElements: null, totalPages: null }
    expect(JSON.parse(writePage(json, { ...firstPage, paging }, [])).page).toEqual(paging)
  })

  test('holds included records', () => {
    const included = [including({ relation: fieldOf('films', 'shelf'), records: { f1: [top] } })]
    const page = JSON.parse(writePage(json, { ...unpaged, view: films }, [{ records: [alien, blank], included }]))
    expect(page.content.map((film: { shelf: unknown }) => film.shelf)).toEqual([
      expect.objectContaining({ version: 1 }),
      null,
    ])
  })
})

test('a problem in JSON is its document', () => {
  const document = { type: 'about:blank', title: 'Bad request', status: 400, code: 'bad_request' } as const
  expect(JSON.parse(json.problem(document))).toEqual(document)
  expect(json.problemType).toBe('application/problem+json')
})
