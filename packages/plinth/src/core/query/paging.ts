// Pagination: which page the caller asks for, cursors, and the links of a page. Both styles, `_pn` and `page[number]`, are understood
// everywhere.

import { fault } from '../fault.ts'
import { ValueFault } from '../model/field.ts'
import { parseJson } from '../model/json-text.ts'
import type { PageWindow, Query, SortKey } from '../model/query.ts'
import type { Member } from '../model/resource.ts'
import type { FoundPage } from '../model/transaction.ts'
import type { PageLinks, Paging } from '../model/view.ts'
import type { Fault } from '../problem.ts'
import { badParameter, badValue, excerpt, note, type Parameters, single, toName, typeOf } from './parameters.ts'
import type { Search } from './read-query.ts'

export type PagingStyle = 'plain' | 'bracket'

export interface PageRequest {
  /** How the caller writes paging parameters; links are written alike. */
  readonly style: PagingStyle
  readonly size: number
  /** The number of the first page as the caller counts; `start` counts from 0. */
  readonly firstPage: number
  readonly start:
    | { readonly by: 'number'; readonly number: number }
    | { readonly by: 'offset'; readonly offset: number }
    | {
        readonly by: 'cursor'
        readonly cursor: string
        readonly side: 'after' | 'before'
        readonly parameter: string
      }
  readonly total: Query['total']
  /** See the query. */
  readonly exactUpTo: number | undefined
}

export interface PagingLimits {
  readonly maxPageSize: number
  /** The number of the first page in `page[number]`, 0 unless given. `_pn` counts from 0. */
  readonly firstPage?: number
  /** How many records a page has unless its size is given. */
  readonly usualSize?: number
  /** Totals are exact up to this many records, unless the caller says which kind of total is wanted. */
  readonly exactTotalLimit?: number
  /** For callers who give no paging parameter; plain unless the family of the answer has its own. */
  readonly style?: PagingStyle
}

export const defaultSize = 10
/** The interface says int32; with at most 500 to a page the offset stays an exact integer. */
const maxNumber = 2 ** 31 - 1
const totals: readonly Query['total'][] = ['exact', 'estimated', 'none']

export const startNames = [
  '_pn',
  'page[number]',
  'page[offset]',
  '_after',
  'page[after]',
  '_before',
  'page[before]',
] as const
const sizeNames = ['_ps', 'page[size]', 'page[limit]'] as const
const totalNames = ['_total', 'page[total]'] as const
const known: ReadonlySet<string> = new Set([...startNames, ...sizeNames, ...totalNames])

export const readPaging = (parameters: Parameters, limits: PagingLimits, faults: Fault[]): PageRequest => {
  refuseUnknown(parameters, faults)
  const start = readOneOf(startNames, parameters, faults)
  const size = readOneOf(sizeNames, parameters, faults)
  const total = readOneOf(totalNames, parameters, faults)
  const given = start ?? size ?? total
  const style = given ? styleOf(given) : (limits.style ?? 'plain')
  const firstPage = style === 'bracket' ? (limits.firstPage ?? 0) : 0
  return {
    style,
    firstPage,
    size: size
      ? readWhole(size, { from: 1, to: limits.maxPageSize }, faults)
      : Math.min(limits.usualSize ?? defaultSize, limits.maxPageSize),
    start: readStart(start, firstPage, faults),
    total: readTotal(total, faults),
    exactUpTo: total ? undefined : limits.exactTotalLimit,
  }
}

interface PageParameter<Name extends string = string> {
  readonly name: Name
  readonly text: string
}

const styleOf = ({ name }: PageParameter): PagingStyle => (name.startsWith('_') ? 'plain' : 'bracket')

const refuseUnknown = (parameters: Parameters, faults: Fault[]): void => {
  for (const parameter of parameters.keys()) {
    if (!parameter.startsWith('page[') || known.has(parameter)) continue
    const offered = [...known].filter(name => name.startsWith('page['))
    note(faults, { parameter, ...fault('unknown_parameter', { parameter: excerpt(parameter), known: offered }) })
  }
}

/** The one of several parameters with the same purpose that is given. */
const readOneOf = <Name extends string>(
  names: readonly Name[],
  parameters: Parameters,
  faults: Fault[],
): PageParameter<Name> | null => {
  const [first, second] = names.filter(name => parameters.has(name))
  if (first === undefined) return null
  if (second !== undefined) {
    note(faults, { parameter: second, ...fault('contradiction', { first, second }) })
  }
  return { name: first, text: single(parameters, first, faults) ?? '' }
}

const readWhole = (
  { name, text }: PageParameter,
  { from, to }: { from: number; to: number },
  faults: Fault[],
): number => {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= from && number <= to) return number
  note(faults, badParameter(name, text, fault('whole_number_between', { min: from, max: to })))
  return from
}

const readStart = (
  given: PageParameter<(typeof startNames)[number]> | null,
  firstPage: number,
  faults: Fault[],
): PageRequest['start'] => {
  if (!given) return { by: 'number', number: 0 }
  const { name, text } = given
  switch (name) {
    case '_after':
    case 'page[after]':
      return { by: 'cursor', cursor: text, side: 'after', parameter: name }
    case '_before':
    case 'page[before]':
      return { by: 'cursor', cursor: text, side: 'before', parameter: name }
    case 'page[offset]':
      return { by: 'offset', offset: readWhole(given, { from: 0, to: maxNumber }, faults) }
    default:
      return { by: 'number', number: readWhole(given, { from: firstPage, to: maxNumber }, faults) - firstPage }
  }
}

const readTotal = (given: PageParameter | null, faults: Fault[]): Query['total'] => {
  if (!given) return 'exact'
  const total = totals.find(word => word === given.text)
  if (total) return total
  note(faults, badParameter(given.name, given.text, fault('choice', { choices: totals })))
  return 'exact'
}

/** Before it come the last records. A cursor of a record is longer. */
export const endCursor = 'end'

export const readWindow = ({ start, size }: PageRequest, sort: readonly SortKey[], faults: Fault[]): PageWindow => {
  if (start.by === 'number') return { kind: 'offset', offset: start.number * size, limit: size }
  if (start.by === 'offset') return { kind: 'offset', offset: start.offset, limit: size }
  if (start.side === 'before' && start.cursor === endCursor) return { kind: 'end', limit: size }
  try {
    return { kind: start.side, values: readCursor(start.cursor, sort), limit: size }
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const [reason = fault('cursor')] = error.faults
    const message = `The value of '${start.parameter}' ${reason.message}.`
    note(faults, { parameter: start.parameter, ...badValue(start.cursor, reason, message) })
    return { kind: 'offset', offset: 0, limit: size }
  }
}

// A cursor names the record before or after a page: by the sort that it belongs to and that record's values. It comes back
// from the caller, so nothing in it is trusted.

type Sort = readonly SortKey[]

/** Which order of which resource: `films:-title,pk`. The last key is always the resource's own pk. */
const toSpec = (sort: Sort): string => {
  const keys = sort.map(({ path, descending }) => `${descending ? '-' : ''}${toName(path)}`)
  return `${sort.at(-1)?.path.member.owner.name}:${keys.join()}`
}

export const toCursor = (sort: Sort, values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([toSpec(sort), ...values])).toString('base64url')

/** The values of the sort keys in stored form; ValueFault when the text is not a cursor of this sort. */
export const readCursor = (text: string, sort: Sort): readonly unknown[] => {
  const content = parse(text)
  if (!Array.isArray(content) || typeof content[0] !== 'string') throw notOurs()
  const [spec, ...values] = content
  if (spec !== toSpec(sort)) {
    throw new ValueFault(fault('other_cursor'))
  }
  if (values.length !== sort.length || !sort.every((key, at) => isValueOf(key.path.member, values[at]))) throw notOurs()
  if (values.at(-1) === null) throw notOurs()
  return values
}

const notOurs = (): ValueFault => new ValueFault(fault('cursor'))

const utf8 = new TextDecoder('utf-8', { fatal: true })

const parse = (text: string): unknown => {
  if (!/^[\w-]+$/.test(text)) throw notOurs()
  try {
    return parseJson(utf8.decode(Buffer.from(text, 'base64url')))
  } catch {
    throw notOurs()
  }
}

const isValueOf = (member: Member, value: unknown): boolean => {
  if (value === null) return true
  const type = typeOf(member)
  if (type.column === 'integer') return Number.isSafeInteger(value)
  if (type.column === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && isStoredText(value, member)
}

/** Times, days and choices have one stored spelling; any text is its own. */
const isStoredText = (value: string, member: Member): boolean => {
  try {
    return typeOf(member).readText(value) === value
  } catch (error) {
    if (error instanceof ValueFault) return false
    throw error
  }
}

// The links of a page. Everything that is not about the place of the page is kept as the caller sent it.

const parameterNames = {
  plain: { number: '_pn', after: '_after', before: '_before' },
  bracket: { number: 'page[number]', after: 'page[after]', before: 'page[before]' },
} as const satisfies Record<PagingStyle, unknown>

const isStart: ReadonlySet<string> = new Set(startNames)

/** A longer cursor (a sort by long texts) might not fit into a request line. */
const maxCursor = 4000

/** Null for searches that have no pages. */
export const toPaging = (
  { kind, paging }: Search,
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
  const all: string[] = []
  const kept: string[] = []
  for (const [name, values] of parameters) {
    for (const value of values) {
      const pair = toPair(name, value)
      all.push(pair)
      if (!isStart.has(name)) kept.push(pair)
    }
  }
  const self = toAddress(path, all)
  if (search.kind !== 'page') return { self }
  // The number of the last page is not known where the total is estimated; its records are.
  const places = toPlaces(search, found.estimated ? null : found.total)
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

const toPair = (name: string, value: string | number): string => `${encode(name)}=${encode(String(value))}`

/** Most parameterNames and values need no encoding, and to see that is cheaper than to do it. */
const encode = (text: string): string => (/^[\w.-]*$/.test(text) ? text : encodeURIComponent(text))

const toAddress = (path: string, pairs: readonly string[]): string =>
  pairs.length === 0 ? path : `${path}?${pairs.join('&')}`

/** Null without a record to start from, and for a cursor that is too long where there is another way. */
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
const toPlaces = ({ paging }: Search, total: number | null): Places => {
  const { start, size, style, firstPage } = paging
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
