// The headers of one answer, gathered into the flat list that Node writes fastest.

import type { Request, Response } from './exchange.ts'
import type { HeaderSet } from './headers.ts'

/** Name, value, name, value; names in lower case. */
export type HeaderList = (string | string[])[]

export interface Gathering {
  readonly security: HeaderSet
  /** Further headers of an answer, such as those of CORS. */
  readonly decorate: ((request: Request, response: Response) => HeaderSet | undefined) | undefined
  /** While the service ends, no connection is kept. */
  readonly isDraining: () => boolean
}

const traceShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

export const createGather = ({ security, decorate, isDraining }: Gathering) => {
  const always: HeaderList = Object.entries(security).flat()
  return (request: Request, response: Response): HeaderList => {
    const list = always.slice()
    list.push('x-request-id', request.id)
    const trace = request.headers.traceparent
    if (typeof trace === 'string' && traceShape.test(trace)) list.push('traceparent', trace)
    if (isDraining()) list.push('connection', 'close')
    if (response.headers) addAll(list, response.headers)
    const more = decorate?.(request, response)
    if (more) addAll(list, more)
    return list
  }
}

/** Of no use without a body, and misleading with 304 (RFC 9110, 15.4.5). */
const contentHeaders = ['content-type', 'content-length', 'content-encoding', 'content-range', 'content-disposition']

export const dropContentHeaders = (list: HeaderList): void => {
  for (const name of contentHeaders) dropHeader(list, name)
}

const addAll = (list: HeaderList, headers: NonNullable<Response['headers']>): void => {
  for (const given in headers) {
    const value = headers[given]
    if (value !== undefined) putHeader(list, given.toLowerCase(), value)
  }
}

export const headerIn = (list: HeaderList, name: string): string | string[] | undefined => {
  for (let at = 0; at < list.length; at += 2) if (list[at] === name) return list[at + 1]
}

export const dropHeader = (list: HeaderList, name: string): void => {
  const at = list.findIndex((text, index) => index % 2 === 0 && text === name)
  if (at !== -1) list.splice(at, 2)
}

/** A later value takes the place of an earlier one, except in `vary`, where both count. */
export const putHeader = (list: HeaderList, name: string, value: string | string[]): void => {
  for (let at = 0; at < list.length; at += 2) {
    if (list[at] !== name) continue
    list[at + 1] = name === 'vary' ? joinNames(`${list[at + 1]},${value}`) : value
    return
  }
  list.push(name, value)
}

/** The names come from the code, so there are few combinations. */
const joined = new Map<string, string>()

const joinNames = (names: string): string => {
  const known = joined.get(names)
  if (known !== undefined) return known
  const text = [...new Set(names.split(',').map(name => name.trim()))].join(', ')
  joined.set(names, text)
  return text
}
