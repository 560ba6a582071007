// Bad questions: each fault names its parameter, its field and its position; and what costs too much is refused.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A query, and what is said of it. */
const bad: readonly [string, Record<string, unknown>][] = [
  ['colour=red', { parameter: 'colour', member: 'colour', code: 'unknown_member' }],
  ['shelf.colour=red', { parameter: 'shelf.colour', member: 'shelf.colour', code: 'unknown_member' }],
  ['title.x=1', { parameter: 'title.x', code: 'unknown_member' }],
  [
    'pages=many',
    { parameter: 'pages', member: 'pages', code: 'bad_value', params: { value: 'many', reason: 'whole_number' } },
  ],
  ['pages=1.5', { parameter: 'pages', code: 'bad_value' }],
  ['pages=99999999999999999999', { parameter: 'pages', code: 'bad_value' }],
  ['price=1.999', { parameter: 'price', code: 'bad_value', params: { reason: 'decimal', max: 2 } }],
  ['inPrint=yes', { parameter: 'inPrint', code: 'bad_value' }],
  ['published=2020-02-30', { parameter: 'published', code: 'bad_value' }],
  ['acquired=yesterday', { parameter: 'acquired', code: 'bad_value' }],
  ['binding=vellum', { parameter: 'binding', code: 'bad_value' }],
  ['notes=x', { parameter: 'notes', code: 'unsearchable' }],
  ['title=%00', { parameter: 'title', code: 'bad_value' }],
  ['title=%ff', { parameter: 'title', code: 'encoding' }],
  ['title=%', { parameter: 'title', code: 'encoding' }],
  ['filter=colour==red', { parameter: 'filter', member: 'colour', position: 0, code: 'unknown_member' }],
  ['filter=title==x;colour==red', { parameter: 'filter', member: 'colour', position: 9, code: 'unknown_member' }],
  ['filter=shelf.colour==red', { parameter: 'filter', member: 'shelf.colour', position: 6, code: 'unknown_member' }],
  ['filter=pages==many', { parameter: 'filter', member: 'pages', position: 7, code: 'bad_value' }],
  ['filter=pages=in=(1,x)', { parameter: 'filter', member: 'pages', position: 12, code: 'bad_value' }],
  ['filter=pages=like=1', { parameter: 'filter', member: 'pages', position: 5, code: 'bad_operator' }],
  ['filter=inPrint>true', { parameter: 'filter', member: 'inPrint', position: 7, code: 'bad_operator' }],
  ['filter=tags>x', { parameter: 'filter', member: 'tags', code: 'bad_operator' }],
  ['filter=notes==x', { parameter: 'filter', member: 'notes', code: 'unsearchable' }],
  ['filter=pages=isnull=perhaps', { parameter: 'filter', member: 'pages', position: 13, code: 'bad_value' }],
  ['filter=pages=bt=(1)', { parameter: 'filter', member: 'pages', position: 10, code: 'syntax' }],
  ['filter=pages==(1,2)', { parameter: 'filter', member: 'pages', position: 10, code: 'syntax' }],
  ['filter=pk==', { parameter: 'filter', member: 'pk', position: 4, code: 'syntax' }],
  ['filter=pk=gt=', { parameter: 'filter', member: 'pk', position: 6, code: 'syntax' }],
  ['filter=title!=', { parameter: 'filter', member: 'title', position: 7, code: 'syntax' }],
  ['filter=title==;pages==1', { parameter: 'filter', member: 'title', position: 7, code: 'syntax' }],
  ['filter=(title==)', { parameter: 'filter', member: 'title', position: 8, code: 'syntax' }],
  ['filter=title', { parameter: 'filter', position: 5, code: 'syntax' }],
  ['filter=title=', { parameter: 'filter', code: 'syntax' }],
  ['filter=title=~x', { parameter: 'filter', position: 5, code: 'syntax' }],
  ['filter=title=foo=x', { parameter: 'filter', position: 5, code: 'syntax' }],
  ['filter===x', { parameter: 'filter', position: 0, code: 'syntax' }],
  ['filter=(title==x', { parameter: 'filter', position: 9, code: 'syntax' }],
  ['filter=title==x)', { parameter: 'filter', position: 8, code: 'syntax' }],
  ["filter=title=='x", { parameter: 'filter', position: 7, code: 'syntax' }],
  ['filter=title==x y', { parameter: 'filter', position: 9, code: 'syntax' }],
  ['filter=title==x;', { parameter: 'filter', position: 9, code: 'syntax' }],
  ['filter=title==x&filter=title==y', { parameter: 'filter', code: 'repeated' }],
  ['filter[title', { parameter: 'filter[title', code: 'unknown_filter' }],
  ['filter[title][gt]=x', { parameter: 'filter[title][gt]', code: 'unknown_filter' }],
  ['filter[colour]=x', { parameter: 'filter[colour]', member: 'colour', code: 'unknown_member' }],
  ['sort=colour', { parameter: 'sort', member: 'colour', position: 0, code: 'unknown_member' }],
  ['sort=title,-colour', { parameter: 'sort', member: 'colour', position: 7, code: 'unknown_member' }],
  ['sort=pk,colour', { parameter: 'sort', member: 'colour', position: 3, code: 'unknown_member' }],
  ['sort=copies.shelfMark', { parameter: 'sort', code: 'unsortable' }],
  ['sort=authors', { parameter: 'sort', code: 'unsortable' }],
  ['sort=tags', { parameter: 'sort', code: 'unsortable' }],
  ['sort=title&sort=pages', { parameter: 'sort', code: 'repeated' }],
  ['include=colour', { parameter: 'include', member: 'colour', position: 0, code: 'unknown_member' }],
  ['include=shelf,title', { parameter: 'include', member: 'title', position: 6, code: 'unknown_member' }],
  ['include=shelf.parent.parent.parent.parent.parent', { parameter: 'include', code: 'too_deep' }],
  ['filter=shelf.parent.parent.parent.parent.parent.name==x', { parameter: 'filter', code: 'too_deep' }],
  ['fields=title,colour', { parameter: 'fields', member: 'colour', position: 6, code: 'unknown_member' }],
  ['fields[planets]=name', { parameter: 'fields[planets]', code: 'unknown_type' }],
  ['fields[idempotencyKeys]=status', { parameter: 'fields[idempotencyKeys]', code: 'unknown_type' }],
  ['_pn=-1', { parameter: '_pn', code: 'bad_value' }],
  ['_pn=x', { parameter: '_pn', code: 'bad_value' }],
  ['_pn=2147483648', { parameter: '_pn', code: 'bad_value' }],
  ['_ps=0', { parameter: '_ps', code: 'bad_value' }],
  ['_ps=501', { parameter: '_ps', code: 'bad_value' }],
  ['_ps=', { parameter: '_ps', code: 'bad_value' }],
  ['page[size]=1e2', { parameter: 'page[size]', code: 'bad_value' }],
  ['page[nothing]=1', { parameter: 'page[nothing]', code: 'unknown_parameter' }],
  ['_pn=1&page[number]=1', { parameter: 'page[number]', code: 'contradiction' }],
  ['_pn=1&_after=x', { parameter: '_after', code: 'contradiction' }],
  ['_before=x', { parameter: '_before', code: 'bad_value' }],
  ['_after=x', { parameter: '_after', code: 'bad_value' }],
  ['_after=WyJib29rczpwayIsbnVsbF0', { parameter: '_after', code: 'bad_value' }],
  ['_total=maybe', { parameter: '_total', code: 'bad_value' }],
  ['page=yes', { parameter: 'page', code: 'bad_value' }],
  ['__proto__=x', { parameter: '__proto__', code: 'unknown_member' }],
  ['constructor=x', { parameter: 'constructor', code: 'unknown_member' }],
  ['filter=__proto__.x==1', { parameter: 'filter', code: 'unknown_member' }],
  ['sort=toString', { parameter: 'sort', code: 'unknown_member' }],
]

const many = (length: number, entry: (at: number) => string, between: string) =>
  Array.from({ length }, (_, at) => entry(at)).join(between)

const ways = ['shelf', 'copies.book', 'seeAlso', 'mentionedBy'].flatMap(way =>
  way === 'shelf'
    ? ['shelf', 'shelf.parent', 'shelf.children', 'shelf.books']
    : [way, ...['shelf', 'authors', 'copies', 'seeAlso', 'mentionedBy'].map(next => `${way}.${next}`)],
)

const costly: readonly [string, string][] = [
  ['8 kB of filter', `filter=${'x'.repeat(8193)}`],
  ['101 comparisons', `filter=${many(101, at => `pages==${at}`, ',')}`],
  ['21 levels', `filter=${'('.repeat(21)}pages==1${')'.repeat(21)}`],
  ['501 identifiers', `pks=${many(501, at => `p${at}`, ',')}`],
  ['501 values', many(501, at => `pages=${at}`, '&')],
  ['101 criteria', many(101, at => `title=a${at}*`, '&')],
  ['22 includes', `include=${ways.join()}`],
  [
    '11 sort keys',
    `sort=${['title', 'isbn', 'blurb', 'pages', 'weight', 'price', 'inPrint', 'published', 'acquired', 'binding', 'sortTitle'].join()}`,
  ],
  ['1001 parameters', many(1001, at => `a${at}=1`, '&')],
]

const fine: readonly [string, string][] = [
  ['100 comparisons', `filter=${many(100, at => `pages==${at}`, ',')}`],
  ['20 levels', `filter=${'('.repeat(20)}pages==1${')'.repeat(20)}`],
  ['500 identifiers', `pks=${many(500, at => `p${at}`, ',')}`],
  ['500 records', '_ps=500'],
  ['10 sort keys', 'sort=title,isbn,blurb,pages,weight,price,inPrint,published,acquired,binding'],
  ['the empty text in quotes', "filter=title!=''"],
  ['a path of five relations', 'filter=shelf.parent.parent.parent.parent.name==x'],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  test.each(everyThird(bad))('?%s', async (query, expected) => {
    const refused = await staff.get(`/api/rest/books?${query}`)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    expect(refused.body.errors).toMatchObject([expected])
    expect(refused.body.code).toBe(expected.parameter === 'filter' ? 'bad_filter' : 'bad_parameter')
    const { member: _field, position: _position, code, parameter } = expected
    const document = await staff.get(`/api/rest/books?${query}`, { Accept: 'application/vnd.api+json' })
    expect(document.body.errors).toMatchObject([{ status: '400', source: { parameter }, meta: { fault: code } }])
  })

  test('all errors of a query are reported at once', async () => {
    const refused = await staff.get('/api/rest/books?filter=a==1;pages==x&sort=b&include=c&fields=d&_ps=0&_total=e')
    const parameters = refused.body.errors.map((fault: { parameter: string }) => fault.parameter)
    expect([...parameters].sort()).toEqual(['_ps', '_total', 'fields', 'filter', 'filter', 'include', 'sort'])
  })

  test.each(everyThird(costly))('%s are too much', async (_, query) => {
    const refused = await staff.get(`/api/rest/books?${query}`)
    expect([refused.status, refused.body.code]).toEqual([400, 'too_costly'])
  })

  test.each(everyThird(fine))('%s are not too much', async (_, query) => {
    expect((await staff.get(`/api/rest/books?${query}`)).status).toBe(200)
  })
})
