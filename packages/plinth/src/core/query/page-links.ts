// The links of a page. Everything that is not about the place of the page is kept as the caller sent it.

import type { FoundPage } from '../model/transaction.ts'
import type { PageLinks, Paging } from '../model/view.ts'
import { toCursor } from './cursor.ts'
import { endCursor, type PageRequest, type PagingStyle, startNames } from './paging.ts'
import type { Parameters } from './parameters.ts'
import type { Search } from './read-query.ts'

const parameterNames = {
  plain: { number: '_pn', after: '_after', before: '_before' },
  bracket: { number: 'page[number]', after: 'page[after]', before: 'page[before]' },
} as const satisfies Record<PagingStyle, unknown>

const isStart: ReadonlySet<string> = new Set(startNames)

/** A longer cursor (a sort by long texts) might not fit into a request line. */
const maxCursor = 4000

/** Returns null for searches that have no pages. */
export const toPaging = (
  { kind, paging }: Pick<Search, 'kind' | 'paging'>,
  { total, estimated }: Pick<FoundPage, 'total' | 'estimated'>,
): Paging | null => {
  if (kind !== 'page') return null
  const { start, size, firstPage } = paging
  const at = start.by === 'number' ? start.number : start.by === 'offset' ? Math.floor(start.offset / size) : null
  const number = at === null ? null : firstPage + at
  const totalPages = total === null ? null : Math.ceil(total / size)
  return { size, number, totalElements: total, totalPages, ...(estimated && { estimated }) }
}

/** `next` and `prev` use cursors, so that a page costs the same wherever it is; `last` has a number or an offset if the total is exact. */
export const pageLinks = (
  search: Search,
  parameters: Parameters,
  found: Omit<FoundPage, 'records'>,
  path: string,
): PageLinks => {
  const { all, kept } = pairsOf(parameters)
  const self = toAddress(path, all)
  if (search.kind !== 'page') return { self }
  // The number of the last page is not known where the total is estimated; its records are.
  const places = toPlaces(search.paging, found.estimated ? null : found.total)
  const prev = toCursorPair(search, 'before', found.prev) ?? places.prev
  const next = toCursorPair(search, 'after', found.next) ?? (found.next && places.next)
  const last = places.last ?? (found.estimated ? toEnd(search) : null)
  return {
    self,
    first: toAddress(path, kept),
    ...(prev && { prev: toAddress(path, [...kept, prev]) }),
    ...(next && { next: toAddress(path, [...kept, next]) }),
    ...(last && { last: toAddress(path, [...kept, last]) }),
  }
}

/** The links of pages that have numbers alone. */
export const numberedLinks = (
  paging: PageRequest,
  parameters: Parameters,
  { total, hasMore, path }: { readonly total: number | null; readonly hasMore: boolean; readonly path: string },
): PageLinks => {
  const { all, kept } = pairsOf(parameters)
  const { prev, next, last } = toPlaces(paging, total)
  return {
    self: toAddress(path, all),
    first: toAddress(path, kept),
    ...(prev && { prev: toAddress(path, [...kept, prev]) }),
    ...(hasMore && next && { next: toAddress(path, [...kept, next]) }),
    ...(last && { last: toAddress(path, [...kept, last]) }),
  }
}

/** The parameters as they were sent, and those that are not about the place of the page. */
const pairsOf = (parameters: Parameters): { readonly all: readonly string[]; readonly kept: readonly string[] } => {
  const all: string[] = []
  const kept: string[] = []
  for (const [name, values] of parameters) {
    for (const value of values) {
      const pair = toPair(name, value)
      all.push(pair)
      if (!isStart.has(name)) kept.push(pair)
    }
  }
  return { all, kept }
}

const toPair = (name: string, value: string | number): string => `${encode(name)}=${encode(String(value))}`

/** Encodes a name or value. Most need no encoding, and to see that is cheaper than to do it. */
const encode = (text: string): string => (/^[\w.-]*$/.test(text) ? text : encodeURIComponent(text))

const toAddress = (path: string, pairs: readonly string[]): string =>
  pairs.length === 0 ? path : `${path}?${pairs.join('&')}`

/** Returns null without a record to start from, and for a cursor that is too long where there is another way. */
const toCursorPair = (
  { paging, query }: Search,
  side: 'after' | 'before',
  values: readonly unknown[] | null,
): string | null => {
  if (!values) return null
  const cursor = toCursor(query.sort, values)
  const fits = cursor.length <= maxCursor || paging.start.by === 'cursor'
  return fits ? toPair(parameterNames[paging.style][side], cursor) : null
}

const toEnd = ({ paging }: Search): string => toPair(parameterNames[paging.style].before, endCursor)

interface Places {
  readonly prev: string | null
  readonly next: string | null
  readonly last: string | null
}

/** Neighbours and the last page by number or offset. After a cursor, only the last page has a number. */
const toPlaces = ({ start, size, style, firstPage }: PageRequest, total: number | null): Places => {
  const lastNumber = total === null ? null : Math.max(0, Math.ceil(total / size) - 1)
  if (start.by !== 'offset') {
    const at = (number: number) => toPair(parameterNames[style].number, firstPage + number)
    const last = lastNumber === null ? null : at(lastNumber)
    if (start.by === 'cursor') return { prev: null, next: null, last }
    return {
      prev: start.number > 0 ? at(Math.min(start.number - 1, lastNumber ?? start.number)) : null,
      next: at(start.number + 1),
      last,
    }
  }
  const at = (offset: number) => toPair('page[offset]', offset)
  const lastOffset = lastNumber === null ? null : lastNumber * size
  return {
    prev: start.offset > 0 ? at(Math.max(0, Math.min(start.offset - size, lastOffset ?? start.offset))) : null,
    next: at(start.offset + size),
    last: lastOffset === null ? null : at(lastOffset),
  }
}
