// Pagination: which page the caller asks for. Both styles, `_pn` and `page[number]`, are understood everywhere.

import { fault } from '../fault.ts'
import type { PageWindow, Query, SortKey } from '../model/query.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { Fault } from '../problem.ts'
import { readCursor } from './cursor.ts'
import { type Parameters, single } from './parameters.ts'
import { badParameter, badValue, excerpt, note } from './query-faults.ts'

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
  /** The style of callers who give no paging parameter; plain unless the family of the answer has its own. */
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
  const parameter = start ?? size ?? total
  const style = parameter ? styleOf(parameter) : (limits.style ?? 'plain')
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
  parameter: PageParameter<(typeof startNames)[number]> | null,
  firstPage: number,
  faults: Fault[],
): PageRequest['start'] => {
  if (!parameter) return { by: 'number', number: 0 }
  const { name, text } = parameter
  switch (name) {
    case '_after':
    case 'page[after]':
      return { by: 'cursor', cursor: text, side: 'after', parameter: name }
    case '_before':
    case 'page[before]':
      return { by: 'cursor', cursor: text, side: 'before', parameter: name }
    case 'page[offset]':
      return { by: 'offset', offset: readWhole(parameter, { from: 0, to: maxNumber }, faults) }
    default:
      return { by: 'number', number: readWhole(parameter, { from: firstPage, to: maxNumber }, faults) - firstPage }
  }
}

const readTotal = (parameter: PageParameter | null, faults: Fault[]): Query['total'] => {
  if (!parameter) return 'exact'
  const total = totals.find(word => word === parameter.text)
  if (total) return total
  note(faults, badParameter(parameter.name, parameter.text, fault('choice', { choices: totals })))
  return 'exact'
}

/** The cursor before which the last records come. A cursor of a record is longer. */
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
