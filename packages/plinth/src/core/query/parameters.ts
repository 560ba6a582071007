// The parameters of a query, decoded.

import { fault } from '../fault.ts'
import { type Fault, Problem } from '../problem.ts'
import { excerpt, note, tooCostly } from './query-faults.ts'

/** Parameters by name in the order of first appearance; a Map, so that no name can reach a prototype. */
export type Parameters = ReadonlyMap<string, readonly string[]>

const maxParameters = 1000
const none: Parameters = new Map()
const needsDecoding = /[%+\u0080-\uffff]/

/** Decodes the query as sent, without its question mark (application/x-www-form-urlencoded: a plus is a blank). */
export const readParameters = (search: string): Parameters => {
  if (search === '') return none
  const parameters = new Map<string, string[]>()
  let count = 0
  for (const piece of search.split('&')) {
    if (piece === '') continue
    count++
    if (count > maxParameters) throw tooCostly(`A query can have at most ${maxParameters} parameters.`)
    const equals = piece.indexOf('=')
    const rawName = equals < 0 ? piece : piece.slice(0, equals)
    const name = decode(rawName, rawName)
    const value = equals < 0 ? '' : decode(piece.slice(equals + 1), name)
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

const decode = (raw: string, parameter: string): string => {
  if (!needsDecoding.test(raw)) return raw
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' ').replace(/[\u0080-\u00ff]/g, toPercent))
    if (text.isWellFormed()) return text
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  const reason = fault('encoding', { parameter: excerpt(parameter) })
  throw new Problem('bad_parameter', { detail: reason.message, errors: [{ parameter, ...reason }] })
}

/** Encodes a character that some clients send as UTF-8: the HTTP parser hands each such byte over as one. */
const toPercent = (byte: string): string => `%${byte.charCodeAt(0).toString(16)}`

/** The value of a parameter that may be given once. */
export const single = (parameters: Parameters, name: string, faults: Fault[]): string | undefined => {
  const values = parameters.get(name)
  if (values && values.length > 1) {
    note(faults, { parameter: name, ...fault('repeated', { parameter: name, count: values.length }) })
  }
  return values?.[0]
}
