// Queries and headers that are refused.

import { type Bad, patch, post, put } from './bad-request.ts'

const get = (query: string) => `GET /api/rest/books?${query}`

export const badQueries: Readonly<Record<string, Bad>> = {
  'an unknown field everywhere': {
    ask: get('filter=x==1&sort=y&include=z&fields=w'),
    status: 400,
    code: 'bad_parameter',
    faults: ['include', 'fields', 'sort', 'filter'],
  },
  'an unknown parameter': { ask: get('colour=red'), status: 400, code: 'bad_parameter', faults: ['colour'] },
  'a hidden field': {
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
  'an operator without a value': {
    ask: get('filter=title=='),
    status: 400,
    code: 'bad_filter',
    faults: ['filter'],
  },
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

export const badHeaders: Readonly<Record<string, Bad>> = {
  'a media type that is not supported': {
    ask: 'GET /api/rest/books',
    accept: 'text/calendar',
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
  'a key with an invalid body': {
    ask: post,
    headers: { 'Idempotency-Key': 'once' },
    body: { pages: 1 },
    status: 400,
    code: 'invalid',
    faults: ['/title'],
  },
  'credentials of an unknown user': {
    ask: post,
    as: 'anonymous',
    headers: { Authorization: 'Basic eDp5' },
    body: { title: 'new' },
    status: 401,
  },
  'no credentials': { ask: post, as: 'anonymous', body: { title: 'new' }, status: 401 },
  'a right that one has not': { ask: ({ book }) => `DELETE /api/rest/books/${book}`, as: 'simple', status: 403 },
  'a method that the path has not': { ask: 'DELETE /api/rest/books', status: 405, code: 'method_not_allowed' },
  'a resource that does not exist': { ask: 'POST /api/rest/nothing', body: { title: 'new' }, status: 404 },
  'a table of the service itself': { ask: 'POST /api/rest/idempotencyKeys', body: { fingerprint: 'x' }, status: 404 },
}
