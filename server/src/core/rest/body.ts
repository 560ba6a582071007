// A request's bytes → what the caller sent, in the terms of its format.

import { isUtf8 } from 'node:buffer'
import { fault } from '../fault.ts'
import type { Format, RecordInput } from '../formats/format.ts'
import { bodyTypes, formatOfBody } from '../formats/negotiate.ts'
import type { Request } from '../http/exchange.ts'
import { JsonTooDeep, maxJsonDepth, parseJson } from '../model/json.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'

export interface Body {
  readonly format: Format
  /** RFC 7396: null clears a member. */
  readonly mergePatch: boolean
  readonly json: unknown
}

/** Reads the JSON of a body; `fallback` is the format of a body that does not say. */
export const readBody = (request: Request, fallback: Format): Body => {
  const kind = formatOfBody(request.headers['content-type'], fallback)
  if (!kind) throw new Problem('unsupported_media_type', `Send ${anyOf.format(bodyTypes)}.`)
  return { format: kind.format, mergePatch: kind.mergePatch, json: readJson(request.body) }
}

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

export const readJson = (body: Buffer | null): unknown => {
  if (!body || body.length === 0) throw new Problem('bad_request', 'The body is empty.')
  if (!isUtf8(body)) throw new Problem('bad_request', 'The body is not UTF-8.')
  try {
    return parseJson(body.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonTooDeep) throw tooDeep()
    throw new Problem('bad_request', { detail: `The body is not JSON: ${whereIn(error)}`, cause: error })
  }
}

const tooDeep = () => {
  const reason = fault('max_depth', { max: maxJsonDepth })
  return new Problem('bad_request', {
    detail: `The body ${reason.message}.`,
    errors: [{ pointer: '', ...reason }],
  })
}

/** The parser's message quotes the body; only the position is passed on. */
const whereIn = (error: unknown): string => {
  const position = /position (\d+)/.exec(String(error))?.[1]
  if (position) return `it breaks at position ${position}.`
  return /end of JSON/.test(String(error)) ? 'it ends too early.' : 'it cannot be read.'
}

/** One record. */
export const readInput = ({ format, json }: Body, resource: Resource): RecordInput => {
  if (!format.read) throw new Problem('unsupported_media_type')
  return format.read(json, resource)
}
