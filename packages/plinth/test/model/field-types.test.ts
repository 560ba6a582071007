// Every field type: what it accepts, what it returns, and that all errors are reported at once.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { column, fresh, make, pointers, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The values sent and, where they differ, those given back. */
const good: readonly [string, unknown, unknown?][] = [
  ['title', 'x'],
  ['title', 'ñ'.repeat(200)],
  ['title', '📚'.repeat(200)],
  ['title', `quotes " ' \` \\ / < > & % * _ ; , ( ) = ! ~`],
  ['title', "'; DROP TABLE books; --"],
  ['title', 'control \u0001\u001f\u007f\u0085\u2028\u2029 tab\t line\n return\r'],
  ['title', 'Ω≈ç√ العربية 日本語 👩‍👩‍👧 e\u0301 \ufeff'],
  ['title', '\u{10ffff}\ufffd'],
  ['isbn', '978-3-16-148410-0'],
  ['blurb', ''],
  ['blurb', 'y'.repeat(2000)],
  ['pages', 1],
  ['pages', 10_000],
  ['pages', 1e3],
  ['weight', 0],
  ['weight', 0.001],
  ['weight', 0.3],
  ['weight', 1.005],
  ['weight', 8_007_199_254_740.99],
  ['price', 19.99],
  ['price', 0.1],
  ['price', 0.29],
  ['price', 1.1],
  ['price', 999_999.99],
  ['price', 1_000_000],
  ['inPrint', false],
  ['published', '2024-02-29'],
  ['published', '0001-01-01'],
  ['published', '9999-12-31'],
  ['acquired', '2024-05-06T07:08:09.123Z'],
  ['acquired', '2024-05-06T07:08Z', '2024-05-06T07:08:00.000Z'],
  ['acquired', '2024-05-06T07:08:09+02:00', '2024-05-06T05:08:09.000Z'],
  ['acquired', '2024-05-06T07:08:09.123456789-0330', '2024-05-06T10:38:09.123Z'],
  ['acquired', 0, '1970-01-01T00:00:00.000Z'],
  ['acquired', -1, '1969-12-31T23:59:59.999Z'],
  ['acquired', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['acquired', '9999-12-31T23:59:59.999Z'],
  ['binding', 'e-book'],
  ['binding', 'HardCover', 'hardcover'],
  ['binding', 'PB', 'paperback'],
  ['tags', []],
  ['tags', ['a', 'A', 'ä', 'with "quotes", commas', '🏷']],
  ['notes', {}],
  ['notes', { plain: 'x', 'with "quotes" and 🏷': '', toString: 'a name like any other' }],
]

const bad: readonly [string, unknown, string][] = [
  ['title', 1, 'text'],
  ['title', ['x'], 'text'],
  ['title', null, 'required'],
  ['title', '', 'not_empty'],
  ['title', 'x'.repeat(201), 'max_length'],
  ['title', '📚'.repeat(201), 'max_length'],
  ['title', 'NUL \0', 'characters'],
  ['title', 'half a pair \ud800', 'characters'],
  ['isbn', 'none', 'pattern'],
  ['isbn', '978-3-16-148410-0\n', 'pattern'],
  ['blurb', 'y'.repeat(2001), 'max_length'],
  ['pages', 0, 'min'],
  ['pages', 10_001, 'max'],
  ['pages', 1.5, 'whole_number'],
  ['pages', '12', 'whole_number'],
  ['pages', 9_007_199_254_740_992, 'too_large'],
  ['pages', true, 'whole_number'],
  ['weight', -0.001, 'min'],
  ['weight', 0.0001, 'max_decimals'],
  ['weight', 0.1 + 0.2, 'max_decimals'],
  ['weight', 1e15, 'too_large'],
  ['weight', '1', 'number'],
  ['price', -0.01, 'min'],
  ['price', 0.1 + 0.2, 'max_decimals'],
  ['price', 19.999, 'max_decimals'],
  ['price', 1_000_000.01, 'max'],
  ['price', 1e300, 'too_large'],
  ['price', '19.99', 'number'],
  ['inPrint', 'true', 'boolean'],
  ['inPrint', 1, 'boolean'],
  ['published', '2023-02-29', 'no_such_day'],
  ['published', '2024-13-01', 'no_such_day'],
  ['published', '0000-01-01', 'date'],
  ['published', '2024-1-1', 'date'],
  ['published', '2024-01-01T00:00:00Z', 'date'],
  ['published', 20240101, 'date'],
  ['acquired', '2024-05-06', 'timestamp'],
  ['acquired', '2024-05-06T07:08:09', 'timestamp'],
  ['acquired', '2024-02-30T07:08:09Z', 'no_such_day'],
  ['acquired', '2024-05-06T25:08:09Z', 'timestamp'],
  ['acquired', '2024-05-06T07:08:60Z', 'timestamp'],
  ['acquired', '0001-01-01T00:00:00+01:00', 'years'],
  ['acquired', 1e17, 'years'],
  ['acquired', 1.5, 'timestamp'],
  ['binding', 'vellum', 'choice'],
  ['binding', '', 'choice'],
  ['binding', 1, 'choice'],
  ['tags', 'a', 'list_of_text'],
  ['tags', ['a', 1], 'text'],
  ['tags', [''], 'not_empty'],
  ['tags', ['x'.repeat(41)], 'max_length'],
  ['tags', ['1', '2', '3', '4', '5', '6'], 'max_entries'],
  ['tags', [null], 'text'],
  ['notes', [], 'map'],
  ['notes', { a: 1 }, 'text'],
  ['notes', { a: null }, 'text'],
  ['notes', { a: '1', b: '2', c: '3', d: '4' }, 'max_entries'],
  ['notes', { '': 'x' }, 'name'],
  ['notes', JSON.parse('{"__proto__": "x"}'), 'name'],
  ['doorCode', 5, 'text'],
  ['doorCode', 'x'.repeat(101), 'max_length'],
  ['shelf', 5, 'reference'],
  ['shelf', {}, 'reference'],
  ['shelf', '', 'reference'],
  ['shelf', ['x'], 'reference'],
  ['authors', 'x', 'list_of_references'],
  ['authors', [5], 'reference'],
  ['stars', 6, 'max'],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  test.each(everyThird(good))(
    '%s takes %j and gives it back in every way of reading',
    async (field, sent, output = sent) => {
      const made = await make(staff, 'books', { title: 'B', [field]: sent })
      expect(made[field]).toEqual(output)
      const found = await staff.get(`/api/rest/books/${made.pk}`)
      expect(found.body[field]).toEqual(output)
      const inDocument = await staff.get(`/api/rest/books/${made.pk}`, speaking)
      expect(inDocument.body.data.attributes[field]).toEqual(output)
      expect(column(await staff.get(`/api/rest/books?pks=${made.pk}`), field)).toEqual([output])
      // Written back as it was read, it is no change.
      expect((await staff.patch(`/api/rest/books/${made.pk}`, { [field]: output })).status).toBe(204)
    },
  )

  test.each(everyThird(bad))('%s refuses %j (%s) in JSON', async (field, sent, code) => {
    const refused = await staff.post('/api/rest/books', { title: 'B', [field]: sent })
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    expect(refused.body.errors).toMatchObject([{ pointer: `/${field}`, member: field, code }])
    expect(refused.body).toMatchObject({ code: 'invalid', status: 400, instance: '/api/rest/books' })
  })

  const values = bad.filter(([field]) => field !== 'shelf' && field !== 'authors')
  test.each(everyThird(values))('%s refuses %j (%s) in JSON:API', async (field, sent, code) => {
    const body = { data: { type: 'books', attributes: { title: 'B', [field]: sent } } }
    const refused = await staff.post('/api/rest/books', body, speaking)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/vnd.api+json'])
    expect(refused.body.errors).toMatchObject([
      { status: '400', code: 'invalid', source: { pointer: `/data/attributes/${field}` }, meta: { fault: code } },
    ])
  })

  test('a fault carries its code and its parameters in every format of problems', async () => {
    const refusal = (accept: string) => staff.post('/api/rest/books', { title: 'B', price: 19.999 }, { Accept: accept })
    const fault = { code: 'max_decimals', params: { max: 2 }, message: 'must have at most 2 decimal places' }
    expect((await refusal('application/problem+json')).body.errors).toMatchObject([fault])
    const [error] = (await refusal('application/vnd.api+json')).body.errors
    expect(error).toMatchObject({ detail: fault.message, meta: { fault: 'max_decimals', params: { max: 2 } } })
    const xml = (await refusal('application/problem+xml')).text
    expect(xml).toContain(
      '<code>max_decimals</code><message>must have at most 2 decimal places</message><params><max>2</max></params>',
    )
  })

  test('all errors of a body are reported at once, in any format, and nothing is written', async () => {
    const wrong: Record<string, unknown> = {}
    for (const [field, value] of bad) wrong[field] ??= value
    const { shelf, authors, ...attributes } = wrong
    const total = async () => (await staff.get('/api/rest/books?_ps=1')).headers.get('x-total-count')
    const before = await total()
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const address = method === 'POST' ? '/api/rest/books' : `/api/rest/books/${(await anyBook()).pk}`
      const plain = await staff(address, { method, body: { ...attributes, shelf, authors } })
      expect([plain.status, pointers(plain).sort()]).toEqual([
        400,
        Object.keys(wrong)
          .map(name => `/${name}`)
          .sort(),
      ])
      const body = { data: { type: 'books', attributes } }
      const inDocument = await staff(address, { method, body, headers: speaking })
      const expected = Object.keys(attributes).map(name => `/data/attributes/${name}`)
      expect([inDocument.status, pointers(inDocument).sort()]).toEqual([400, expected.sort()])
    }
    expect(await total()).toBe(before)
  })

  const anyBook = async () => (await staff.get('/api/rest/books?_ps=1')).body.content[0]

  test('money stays exact over many amounts', async () => {
    const amounts = [
      0.01, 0.07, 0.1, 0.2, 0.29, 0.57, 0.58, 1.15, 4.35, 8.2, 19.99, 64.1, 1019.37, 90_071.99, 999_999.97,
    ]
    const title = fresh('money')
    const made = await staff.post(
      '/api/rest/books',
      amounts.map(price => ({ title, price })),
    )
    expect(column({ ...made, status: 200 }, 'price')).toEqual(amounts)
    expect(column(await staff.get(`/api/rest/books?title=${title}&sort=price&_ps=50`), 'price')).toEqual(amounts)
    for (const price of amounts) {
      expect(column(await staff.get(`/api/rest/books?title=${title}&price=${price}`), 'price')).toEqual([price])
    }
    const between = await staff.get(`/api/rest/books?filter=title==${title};price=bt=(0.20,0.57)&sort=price`)
    expect(column(between, 'price')).toEqual([0.2, 0.29, 0.57])
    expect((await staff.get('/api/rest/books?price=0.001')).status).toBe(400)
  })

  test('a default stands where nothing is sent, and the service keeps what it owns', async () => {
    const made = await make(staff, 'books', {
      title: 'The Trial',
      popularity: 99,
      sortTitle: 'mine',
      copyCount: 7,
      version: 1,
    })
    expect(made).toMatchObject({ inPrint: true, binding: 'paperback', stars: 0, pages: null, tags: null, shelf: null })
    expect(made).toMatchObject({ popularity: 0, sortTitle: 'Trial', copyCount: 0, version: 1, authors: [] })
    const changed = await staff.patch(`/api/rest/books/${made.pk}`, {
      title: 'A Castle',
      createdDate: 0,
      popularity: 9,
    })
    expect(changed.body).toMatchObject({
      sortTitle: 'Castle',
      createdDate: made.createdDate,
      popularity: 0,
      version: 2,
    })
  })

  test('records say when and by whom they were made and changed', async () => {
    const made = await make(staff, 'books', { title: 'B' })
    expect(made.createdBy.username).toBe('staff')
    const changed = (await service.as('simple').patch(`/api/rest/books/${made.pk}`, { title: 'C' })).body
    expect([changed.createdBy.username, changed.lastModifiedBy.username]).toEqual(['staff', 'simple'])
    expect(changed.lastModifiedDate > made.lastModifiedDate).toBe(true)
  })

  test('a secret is taken and never seen again, in any format, schema value or search', async () => {
    const doorCode = fresh('s3cret')
    const made = await staff.post('/api/rest/books', { title: fresh('B'), doorCode })
    const { pk } = made.body
    const answers = [made, await staff.patch(`/api/rest/books/${pk}`, { doorCode, pages: 5 })]
    for (const Accept of ['application/json', 'application/hal+json', 'application/vnd.api+json', 'application/xml']) {
      answers.push(await staff.get(`/api/rest/books/${pk}`, { Accept }))
      answers.push(await service.as('admin').get(`/api/rest/books?pks=${pk}&include=authors`, { Accept }))
    }
    for (const answer of answers) {
      expect([200, 201]).toContain(answer.status)
      expect(answer.text).not.toContain(doorCode)
      expect(answer.text).not.toContain('doorCode')
    }
    for (const query of [`doorCode=${doorCode}`, `filter=doorCode==${doorCode}`, 'sort=doorCode', 'fields=doorCode']) {
      const refused = await service.as('admin').get(`/api/rest/books?${query}`)
      expect([query, refused.status, refused.body.errors[0].code]).toEqual([query, 400, 'unknown_member'])
    }
    const stored = await service.app.platform.store.get(service.app.platform.registry.resource('books'), pk)
    expect(stored).not.toHaveProperty('doorCode')
  })

  test('a fixed field is given once; the same value again is no change', async () => {
    const { pk } = await make(staff, 'books', { title: 'B', accession: 'A-1' })
    const refused = await staff.patch(`/api/rest/books/${pk}`, { accession: 'A-2' })
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/accession', code: 'fixed' }]])
    expect((await staff.patch(`/api/rest/books/${pk}`, { accession: 'A-1' })).status).toBe(204)
    expect((await staff.put(`/api/rest/books/${pk}`, { title: 'C' })).body.accession).toBe('A-1')
  })

  test.each([
    ['978-3-16-148410-X', '978-3-16-148410-x'],
    ['ABCDEFGHIJ'.replace(/./g, 'X'), 'xxxxxxxxxx'],
  ])('unique without regard to case: %s and %s are the same', async (first, second) => {
    const { pk } = await make(staff, 'books', { title: 'B', isbn: first })
    const plain = await staff.post('/api/rest/books', { title: 'C', isbn: second })
    expect([plain.status, plain.body.code, pointers(plain)]).toEqual([409, 'taken', ['/isbn']])
    const body = { data: { type: 'books', attributes: { title: 'C', isbn: second } } }
    const inDocument = await staff.post('/api/rest/books', body, speaking)
    expect([inDocument.status, pointers(inDocument)]).toEqual([409, ['/data/attributes/isbn']])
    expect((await staff.patch(`/api/rest/books/${pk}`, { isbn: second })).body.isbn).toBe(second)
  })

  test('hooks see each write, may change it, and may refuse it before or after', async () => {
    const made = await make(staff, 'books', { title: fresh('hooked'), blurb: '  trimmed  ' })
    expect(made.blurb).toBe('trimmed')
    const messageFor = async (title: string) =>
      column(await staff.get(`/api/rest/journal?what=${encodeURIComponent(`*${title}`)}&sort=what`), 'what')
    expect(await messageFor(made.title)).toEqual([`create ${made.title}`])
    expect((await staff.post('/api/rest/books', { title: 'refused' })).status).toBe(409)
    const title = `${fresh('it')} breaks afterwards`
    expect((await staff.post('/api/rest/books', { title })).status).toBe(409)
    expect(column(await staff.get(`/api/rest/books?title=${encodeURIComponent(title)}`), 'pk')).toEqual([])
    expect((await staff.patch(`/api/rest/books/${made.pk}`, { title })).status).toBe(409)
    expect((await staff.get(`/api/rest/books/${made.pk}`)).body).toMatchObject({ title: made.title, version: 1 })
    expect((await staff.delete(`/api/rest/books/${made.pk}`)).status).toBe(204)
    expect(await messageFor(made.title)).toEqual([`create ${made.title}`, `delete ${made.title}`])
  })
})
