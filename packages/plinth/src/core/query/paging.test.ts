import { expect, test } from 'vitest'
import type { Fault } from '../problem.ts'
import { toCursor } from './cursor.ts'
import { all, films } from './film-store.fixture.ts'
import { readPaging, readWindow } from './paging.ts'
import { readParameters } from './parameters.ts'
import { createScope } from './scope.ts'
import { readSort } from './sort.ts'

const sort = readSort('', films, createScope(all))

const read = (search: string, limits: Parameters<typeof readPaging>[1] = { maxPageSize: 500 }) => {
  const faults: Fault[] = []
  const paging = readPaging(readParameters(search), limits, faults)
  return { paging, window: readWindow(paging, sort, faults), faults }
}

const cursor = toCursor(sort, ['p'])

test.each([
  ['', { kind: 'offset', offset: 0, limit: 10 }, 'plain', 'exact'],
  ['_pn=3', { kind: 'offset', offset: 30, limit: 10 }, 'plain', 'exact'],
  ['_pn=2&_ps=500', { kind: 'offset', offset: 1000, limit: 500 }, 'plain', 'exact'],
  ['page[number]=2&page[size]=5', { kind: 'offset', offset: 10, limit: 5 }, 'bracket', 'exact'],
  ['page[offset]=7&page[limit]=5', { kind: 'offset', offset: 7, limit: 5 }, 'bracket', 'exact'],
  ['page[offset]=7&page[size]=5', { kind: 'offset', offset: 7, limit: 5 }, 'bracket', 'exact'],
  ['page[limit]=5', { kind: 'offset', offset: 0, limit: 5 }, 'bracket', 'exact'],
  ['_pn=1&page[size]=5', { kind: 'offset', offset: 5, limit: 5 }, 'plain', 'exact'],
  ['_total=none', { kind: 'offset', offset: 0, limit: 10 }, 'plain', 'none'],
  ['page[total]=estimated', { kind: 'offset', offset: 0, limit: 10 }, 'bracket', 'estimated'],
  [`_after=${cursor}&_ps=3`, { kind: 'after', values: ['p'], limit: 3 }, 'plain', 'exact'],
  [`page[after]=${cursor}`, { kind: 'after', values: ['p'], limit: 10 }, 'bracket', 'exact'],
  [`_before=${cursor}&_ps=3`, { kind: 'before', values: ['p'], limit: 3 }, 'plain', 'exact'],
  [`page[before]=${cursor}`, { kind: 'before', values: ['p'], limit: 10 }, 'bracket', 'exact'],
  ['_pn=2147483647&_ps=500', { kind: 'offset', offset: 1073741823500, limit: 500 }, 'plain', 'exact'],
])('%s asks for a page', (search, window, style, total) => {
  const request = read(search)
  expect(request.faults).toEqual([])
  expect(request.window).toEqual(window)
  expect(request.paging).toMatchObject({ style, total })
})

test('without paging parameters the style of the family and a small page hold', () => {
  expect(read('', { maxPageSize: 5, style: 'bracket' }).paging).toMatchObject({ style: 'bracket', size: 5 })
  expect(read('_ps=2', { maxPageSize: 5, style: 'bracket' }).paging).toMatchObject({ style: 'plain', size: 2 })
})

test.each([
  ['_ps=0', '_ps', "'_ps' must be a whole number from 1 to 500, found '0'."],
  ['_ps=501', '_ps', "'_ps' must be a whole number from 1 to 500, found '501'."],
  ['page[size]=-1', 'page[size]', "'page[size]' must be a whole number from 1 to 500, found '-1'."],
  ['page[limit]=x', 'page[limit]', "'page[limit]' must be a whole number from 1 to 500, found 'x'."],
  ['_pn=-1', '_pn', "'_pn' must be a whole number from 0 to 2147483647, found '-1'."],
  ['_pn=1.5', '_pn', "'_pn' must be a whole number from 0 to 2147483647, found '1.5'."],
  ['_pn=1e3', '_pn', "'_pn' must be a whole number from 0 to 2147483647, found '1e3'."],
  ['_pn=', '_pn', "'_pn' must be a whole number from 0 to 2147483647, found ''."],
  ['_pn=2147483648', '_pn', "'_pn' must be a whole number from 0 to 2147483647, found '2147483648'."],
  [
    'page[offset]=99999999999',
    'page[offset]',
    "'page[offset]' must be a whole number from 0 to 2147483647, found '99999999999'.",
  ],
  ['_total=some', '_total', "'_total' must be one of exact, estimated, none, found 'some'."],
  ['_pn=1&_pn=2', '_pn', "'_pn' is given 2 times; it must be given once."],
  ['_pn=1&page[number]=1', 'page[number]', "'_pn' and 'page[number]' cannot be combined; use one of them."],
  ['_ps=1&page[limit]=1', 'page[limit]', "'_ps' and 'page[limit]' cannot be combined; use one of them."],
  [`_pn=1&_after=${cursor}`, '_after', "'_pn' and '_after' cannot be combined; use one of them."],
  ['_after=x', '_after', "The value of '_after' is not a valid cursor; use a next or prev link."],
  ['_before=x', '_before', "The value of '_before' is not a valid cursor; use a next or prev link."],
  [`_after=${cursor}&_before=${cursor}`, '_before', "'_after' and '_before' cannot be combined; use one of them."],
  [
    'page[foo]=1',
    'page[foo]',
    "Unknown parameter 'page[foo]'; known parameters are page[number], page[offset], page[after], page[before], page[size], page[limit], page[total].",
  ],
])('%s is refused', (search, parameter, message) => {
  expect(read(search).faults).toMatchObject([{ parameter, message }])
})

test('page[number] may count from 1; _pn and offsets count from 0', () => {
  const limits = { maxPageSize: 500, firstPage: 1 }
  expect(read('page[number]=1', limits).window).toMatchObject({ offset: 0 })
  expect(read('page[number]=3', limits).window).toMatchObject({ offset: 20 })
  expect(read('_pn=3', limits).window).toMatchObject({ offset: 30 })
  expect(read('page[offset]=3', limits).window).toMatchObject({ offset: 3 })
  expect(read('page[number]=0', limits).faults).toMatchObject([
    { message: "'page[number]' must be a whole number from 1 to 2147483647, found '0'." },
  ])
})

test('every fault of the paging parameters is named at once', () => {
  expect(read('_pn=x&_ps=0&_total=1').faults.map(fault => fault.parameter)).toEqual(['_ps', '_pn', '_total'])
})
