// Each kind of bad input and what it gets: the status, the code, every fault by name. Nothing of it is ever written.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../src/core/model/query.ts'
import { freshCopy, jsonApi, make, startLibrary } from '../support/library.ts'
import { type Answer, type DemoUser, databases, type TestService } from '../support/service.ts'

interface Known {
  readonly book: string
  readonly shelf: string
  readonly copy: string
}

interface Bad {
  readonly ask: string | ((known: Known) => string)
  readonly as?: DemoUser | 'nobody'
  readonly type?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly code?: string
  /** The pointers or parameters of all faults. */
  readonly faults?: readonly string[]
}

const atomic = `${jsonApi};ext="https://jsonapi.org/ext/atomic"`
const post = 'POST /api/rest/books'
const patch = ({ book }: Known) => `PATCH /api/rest/books/${book}`
const put = ({ book }: Known) => `PUT /api/rest/books/${book}`
const document = (data: unknown) => ({ data })

const badBodies: Readonly<Record<string, Bad>> = {
  'no body': { ask: post, body: '', status: 400, code: 'bad_request' },
  'a body that is no JSON': { ask: post, body: '{"title":', status: 400, code: 'bad_request' },
  'a body that is no UTF-8': { ask: post, body: Buffer.from([0x22, 0xff, 0x22]), status: 400, code: 'bad_request' },
  'a body that is no object': { ask: post, body: '"title"', status: 400, code: 'bad_request', faults: [''] },
  'a body of null': { ask: post, body: 'null', status: 400, code: 'bad_request', faults: [''] },
  'an empty list': { ask: post, body: [], status: 400, code: 'bad_request' },
  XML: { ask: post, type: 'application/xml', body: '<book/>', status: 415, code: 'unsupported_media_type' },
  'a form': {
    ask: post,
    type: 'application/x-www-form-urlencoded',
    body: 'title=x',
    status: 415,
    code: 'unsupported_media_type',
  },
  'JSON in UTF-16': {
    ask: post,
    type: 'application/json; charset=utf-16',
    body: '{}',
    status: 415,
    code: 'unsupported_media_type',
  },
  'a body beyond the limit': {
    ask: post,
    body: JSON.stringify({ title: 'x'.repeat(1_100_000) }),
    status: 413,
    code: 'too_large',
  },
  'every member of the wrong type': {
    ask: post,
    body: {
      ...{ title: 1, isbn: [], blurb: {}, pages: '3', weight: 'heavy', price: true, inPrint: 'yes', published: 2024 },
      ...{ acquired: 'soon', binding: 'leather', tags: 'a', notes: [], doorCode: 5, shelf: [], authors: {}, stars: 9 },
    },
    as: 'admin',
    status: 400,
    code: 'invalid',
    faults: [
      ...['/title', '/isbn', '/blurb', '/pages', '/weight', '/price', '/inPrint', '/published', '/acquired'],
      ...['/binding', '/tags', '/notes', '/doorCode', '/shelf', '/authors', '/stars'],
    ],
  },
  'members beyond their bounds': {
    ask: post,
    body: {
      title: 'x'.repeat(201),
      pages: 0,
      weight: 1.2345,
      price: -1,
      tags: ['1', '2', '3', '4', '5', '6'],
      published: '2024-02-30',
      isbn: 'x',
    },
    status: 400,
    code: 'invalid',
    faults: ['/title', '/pages', '/weight', '/price', '/tags', '/published', '/isbn'],
  },
  'text that no database can keep': {
    ask: post,
    body: '{"title":"a\\u0000b","blurb":"\\ud800"}',
    status: 400,
    code: 'invalid',
    faults: ['/title', '/blurb'],
  },
  'a number beyond all bounds': {
    ask: post,
    body: '{"title":"x","pages":1e400}',
    status: 400,
    code: 'invalid',
    faults: ['/pages'],
  },
  'a required member left out': { ask: post, body: { pages: 3 }, status: 400, code: 'invalid', faults: ['/title'] },
  'a required member cleared': {
    ask: patch,
    type: 'application/merge-patch+json',
    body: { title: null },
    status: 400,
    code: 'invalid',
    faults: ['/title'],
  },
  'a fixed member changed': {
    ask: patch,
    body: { accession: 'other' },
    status: 400,
    code: 'invalid',
    faults: ['/accession'],
  },
  'another pk than that of the path': {
    ask: put,
    body: { pk: 'other', title: 'x' },
    status: 400,
    code: 'invalid',
    faults: ['/pk'],
  },
  'a pk and an id that differ': {
    ask: put,
    body: { pk: 'a', id: 'b', title: 'x' },
    status: 400,
    code: 'bad_request',
    faults: ['/id'],
  },
  'a pk of the wrong form': {
    ask: 'POST /api/rest/copies',
    body: ({ book }: Known) => ({ pk: 'no copy', book }),
    status: 400,
    code: 'invalid',
    faults: ['/pk'],
  },
  'references to nothing': {
    ask: post,
    body: { title: 'x', shelf: 'nowhere' },
    status: 422,
    code: 'unprocessable',
    faults: ['/shelf'],
  },
  'a list with two faults': {
    ask: post,
    body: [{ title: 'good' }, { pages: 1 }, { title: 'x', pages: 'y' }],
    status: 400,
    code: 'invalid',
    faults: ['/1/title', '/2/pages'],
  },
  'a list whose last record refers to nothing': {
    ask: post,
    body: [{ title: 'good' }, { title: 'x', shelf: 'nowhere' }],
    status: 422,
    code: 'unprocessable',
    faults: ['/1/shelf'],
  },
  'an identifier that is taken': {
    ask: 'POST /api/rest/copies',
    body: ({ copy, book }: Known) => ({ pk: copy, book }),
    status: 409,
    code: 'taken',
  },
  'a version that is not the present one': {
    ask: patch,
    body: { title: 'new', version: 99 },
    status: 409,
    code: 'stale',
  },
  'a version that is no number': {
    ask: patch,
    body: { title: 'new', version: '1' },
    status: 400,
    code: 'invalid',
    faults: ['/version'],
  },
  'a title that a hook refuses': { ask: patch, body: { title: 'refused' }, status: 409, code: 'conflict' },
  'a title that breaks what follows from it': {
    ask: post,
    body: { title: 'breaks afterwards' },
    status: 409,
    code: 'conflict',
  },
  'linkage without data': {
    ask: ({ shelf }) => `DELETE /api/rest/shelves/${shelf}/relationships/books`,
    type: jsonApi,
    body: {},
    status: 400,
    code: 'bad_request',
    faults: ['/data'],
  },
}

const badRemovals: Readonly<Record<string, Bad>> = {
  'a record that others refer to': { ask: 'DELETE /api/rest/continents/EU', status: 409, code: 'referenced' },
  'a record that does not exist': { ask: 'DELETE /api/rest/books/nowhere', status: 404 },
}

const badDocuments: Readonly<Record<string, Bad>> = {
  'a document without data': {
    ask: post,
    type: jsonApi,
    body: {},
    status: 400,
    code: 'bad_request',
    faults: ['/data'],
  },
  'a document of another type': {
    ask: post,
    type: jsonApi,
    body: document({ type: 'films', attributes: { title: 'x' } }),
    status: 409,
    code: 'conflict',
    faults: ['/data/type'],
  },
  'an unknown attribute': {
    ask: post,
    type: jsonApi,
    body: document({ type: 'books', attributes: { title: 'x', colour: 'red', __proto__x: 1 } }),
    status: 400,
    code: 'invalid',
    faults: ['/data/attributes/colour', '/data/attributes/__proto__x'],
  },
  'a relation among the attributes': {
    ask: post,
    type: jsonApi,
    body: document({ type: 'books', attributes: { title: 'x', shelf: 's' } }),
    status: 400,
    code: 'invalid',
    faults: ['/data/attributes/shelf'],
  },
  'a relation to another type': {
    ask: post,
    type: jsonApi,
    body: document({
      type: 'books',
      attributes: { title: 'x' },
      relationships: { shelf: { data: { type: 'books', id: 'x' } } },
    }),
    status: 422,
    code: 'unprocessable',
    faults: ['/data/relationships/shelf/data/type'],
  },
  'an identifier chosen by a reader': {
    ask: post,
    as: 'simple',
    type: jsonApi,
    body: document({ type: 'books', id: '00000000-0000-7000-8000-0000000000aa', attributes: { title: 'x' } }),
    status: 403,
  },
  'no operations': {
    ask: 'POST /api/rest/operations',
    type: atomic,
    accept: jsonApi,
    body: { 'atomic:operations': [] },
    status: 400,
    code: 'bad_request',
    faults: ['/atomic:operations'],
  },
  'operations without the extension': {
    ask: 'POST /api/rest/operations',
    type: jsonApi,
    accept: jsonApi,
    body: { 'atomic:operations': [{}] },
    status: 415,
    code: 'unsupported_media_type',
  },
  'a third operation that fails': {
    ask: 'POST /api/rest/operations',
    type: atomic,
    accept: jsonApi,
    body: {
      'atomic:operations': [
        { op: 'add', data: { type: 'shelves', lid: 'a', attributes: { name: 'new' } } },
        {
          op: 'add',
          data: {
            type: 'books',
            attributes: { title: 'new' },
            relationships: { shelf: { data: { type: 'shelves', lid: 'a' } } },
          },
        },
        { op: 'update', data: { type: 'books', id: 'nowhere', attributes: { title: 'x' } } },
      ],
    },
    status: 404,
  },
  'an operation that is none': {
    ask: 'POST /api/rest/operations',
    type: atomic,
    accept: jsonApi,
    body: { 'atomic:operations': [{ op: 'drop', ref: { type: 'books', id: 'x' } }] },
    status: 400,
    code: 'bad_request',
    faults: ['/atomic:operations/0/op'],
  },
  'an internal table': {
    ask: 'POST /api/rest/operations',
    type: atomic,
    accept: jsonApi,
    body: { 'atomic:operations': [{ op: 'add', data: { type: 'idempotencyKeys', attributes: {} } }] },
    status: 404,
  },
}

const get = (query: string) => `GET /api/rest/books?${query}`

const badQueries: Readonly<Record<string, Bad>> = {
  'an unknown member everywhere': {
    ask: get('filter=x==1&sort=y&include=z&fields=w'),
    status: 400,
    code: 'bad_parameter',
    faults: ['include', 'fields', 'sort', 'filter'],
  },
  'an unknown parameter': { ask: get('colour=red'), status: 400, code: 'bad_parameter', faults: ['colour'] },
  'a hidden member': {
    ask: get('filter=purchasePrice==1&sort=purchasePrice'),
    as: 'simple',
    status: 400,
    code: 'bad_parameter',
    faults: ['sort', 'filter'],
  },
  'a secret, even for those who may write it': {
    ask: get('filter=doorCode==1'),
    status: 400,
    code: 'bad_filter',
    faults: ['filter'],
  },
  'a name that every object has': {
    ask: get('__proto__=1&constructor=2&filter[toString]=3'),
    status: 400,
    code: 'bad_parameter',
    faults: ['filter[toString]', '__proto__', 'constructor'],
  },
  'a text that is no filter': { ask: get('filter=title=='), status: 200 },
  'parentheses that do not close': {
    ask: get('filter=(title==x'),
    status: 400,
    code: 'bad_filter',
    faults: ['filter'],
  },
  'an operator that does not exist': {
    ask: get('filter=title=foo=x'),
    status: 400,
    code: 'bad_filter',
    faults: ['filter'],
  },
  'an operator that does not fit': {
    ask: get('filter=inPrint=gt=true'),
    status: 400,
    code: 'bad_filter',
    faults: ['filter'],
  },
  'values of the wrong type': {
    ask: get('filter=pages==many;published==soon'),
    status: 400,
    code: 'bad_filter',
    faults: ['filter', 'filter'],
  },
  'a filter beyond 8 kB': { ask: get(`filter=title==${'x'.repeat(8200)}`), status: 400, code: 'too_costly' },
  '101 comparisons': { ask: get(`filter=${Array(101).fill('pages==1').join(';')}`), status: 400, code: 'too_costly' },
  '21 parentheses': { ask: get(`filter=${'('.repeat(21)}pages==1${')'.repeat(21)}`), status: 400, code: 'too_costly' },
  'six relations on the way': {
    ask: get('filter=shelf.parent.parent.parent.parent.parent.name==x'),
    status: 400,
    code: 'bad_filter',
  },
  '501 identifiers': {
    ask: get(`pks=${Array.from({ length: 501 }, (_, at) => at).join()}`),
    status: 400,
    code: 'too_costly',
  },
  'a page of nothing': { ask: get('_ps=0'), status: 400, code: 'bad_parameter', faults: ['_ps'] },
  'a page beyond the limit': { ask: get('page[size]=501'), status: 400, code: 'bad_parameter', faults: ['page[size]'] },
  'a page before the first': { ask: get('_pn=-1'), status: 400, code: 'bad_parameter', faults: ['_pn'] },
  'two pages at once': {
    ask: get('_pn=1&page[number]=2'),
    status: 400,
    code: 'bad_parameter',
    faults: ['page[number]'],
  },
  'a parameter given twice': {
    ask: get('sort=title&sort=pages'),
    status: 400,
    code: 'bad_parameter',
    faults: ['sort'],
  },
  'a cursor that is none': { ask: get('_after=x'), status: 400, code: 'bad_parameter', faults: ['_after'] },
  'a percent sign that encodes nothing': {
    ask: get('title=100%'),
    status: 400,
    code: 'bad_parameter',
    faults: ['title'],
  },
  'NUL in a value': { ask: get('title=a%00b'), status: 400, code: 'bad_parameter', faults: ['title'] },
}

const badHeaders: Readonly<Record<string, Bad>> = {
  'a media type that nobody produces': {
    ask: 'GET /api/rest/books',
    accept: 'text/csv',
    status: 406,
    code: 'not_acceptable',
  },
  'an entity tag of another version': {
    ask: patch,
    headers: { 'If-Match': '"99-x"' },
    body: { title: 'new' },
    status: 412,
    code: 'precondition_failed',
  },
  'a condition that nothing is there': {
    ask: put,
    headers: { 'If-None-Match': '*' },
    body: { title: 'new' },
    status: 412,
    code: 'precondition_failed',
  },
  'a condition on what is not there': {
    ask: 'PATCH /api/rest/books/nowhere',
    headers: { 'If-Match': '*' },
    body: { title: 'new' },
    status: 412,
    code: 'precondition_failed',
  },
  'a key that is too long': {
    ask: post,
    headers: { 'Idempotency-Key': 'x'.repeat(256) },
    body: { title: 'new' },
    status: 400,
    code: 'bad_request',
  },
  'a key with a body at fault': {
    ask: post,
    headers: { 'Idempotency-Key': 'once' },
    body: { pages: 1 },
    status: 400,
    code: 'invalid',
    faults: ['/title'],
  },
  'credentials of nobody': {
    ask: post,
    as: 'nobody',
    headers: { Authorization: 'Basic eDp5' },
    body: { title: 'new' },
    status: 401,
  },
  'no credentials': { ask: post, as: 'nobody', body: { title: 'new' }, status: 401 },
  'a right that one has not': { ask: ({ book }) => `DELETE /api/rest/books/${book}`, as: 'simple', status: 403 },
  'a method that the path has not': { ask: 'DELETE /api/rest/books', status: 405, code: 'method_not_allowed' },
  'a resource that does not exist': { ask: 'POST /api/rest/nothing', body: { title: 'new' }, status: 404 },
  'a table of the service itself': { ask: 'POST /api/rest/idempotencyKeys', body: { fingerprint: 'x' }, status: 404 },
}

/** In JSON:API every error object carries the code of the problem (that of the fault is in its `meta`). */
const codeOf = ({ body }: Answer): string | undefined => {
  const codes = new Set<string | undefined>(body?.errors?.map((fault: { code?: string }) => fault.code))
  return body?.code ?? (codes.size > 0 ? [...codes].join(' and ') : undefined)
}

const faultsOf = ({ body }: Answer): string[] =>
  (body?.errors ?? []).map((fault: { pointer?: string; parameter?: string; source?: { pointer?: string } }) =>
    String(fault.pointer ?? fault.parameter ?? fault.source?.pointer),
  )

describe.each(databases)('on %s', database => {
  let service: TestService
  let known: Known
  beforeAll(async () => {
    service = await startLibrary(database)
    const admin = service.as('admin')
    // Signing in for the first time is written down.
    await service.as('simple').get('/api/rest/books')
    const shelf = await make(admin, 'shelves', { name: 'A' })
    const book = await make(admin, 'books', { title: 'First', shelf: shelf.pk, accession: 'a-1' })
    const copy = freshCopy()
    await make(admin, 'copies', { pk: copy, book: book.pk })
    known = { book: book.pk, shelf: shelf.pk, copy }
  })
  afterAll(() => service?.stop())

  /** All that is kept: every record of every resource, and the keys of repeated requests. */
  const contents = async (): Promise<string> => {
    const { registry, store } = service.app.platform
    const lines: string[] = []
    for (const resource of registry.resources) {
      if (resource.definition.internal && resource.name !== 'idempotencyKeys') continue
      for await (const batch of store.stream(resource, everything(resource))) lines.push(JSON.stringify(batch))
    }
    return lines.join('\n')
  }

  const send = ({ ask, as = 'admin', type = 'application/json', accept = 'application/json', headers, body }: Bad) => {
    const [method = '', path = ''] = (typeof ask === 'string' ? ask : ask(known)).split(' ')
    const content = typeof body === 'function' ? body(known) : body
    return service.as(as)(path, {
      method,
      headers: { Accept: accept, ...(body !== undefined && { 'Content-Type': type }), ...headers },
      ...(content !== undefined && { body: content }),
    })
  }

  describe.each([
    ['bodies', badBodies],
    ['removals', badRemovals],
    ['documents', badDocuments],
    ['queries', badQueries],
    ['headers', badHeaders],
  ])('%s', (_, table) => {
    test.each(Object.entries(table))('%s', async (_title, bad) => {
      const before = await contents()
      const answer = await send(bad)
      expect([answer.status, codeOf(answer), answer.text]).toEqual([bad.status, bad.code, answer.text])
      if (bad.faults) expect(faultsOf(answer).sort()).toEqual([...bad.faults].sort())
      expect(await contents()).toBe(before)
    })
  })
})
