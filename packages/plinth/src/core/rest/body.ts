// A request's bytes → what the caller sent, in the terms of its format.

import { isUtf8 } from 'node:buffer'
import { fault } from '../fault.ts'
import type { Format, RecordInput } from '../formats/format.ts'
import { bodyTypes, formatOfBody, patchTypes } from '../formats/negotiate.ts'
import type { Request } from '../http/exchange.ts'
import { toToken } from '../model/json.ts'
import { DuplicateJsonKey, JsonTooDeep, maxJsonDepth, parseJson } from '../model/json-text.ts'
import type { Resource } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ValueField } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { unknownField } from '../records/unknown-field.ts'
import { type SentFiles, withFiles } from './sent-files.ts'
import { unknownNames, unknownParts } from './unknown-fields.ts'

export interface Body {
  readonly format: Format
  /** RFC 7396: null clears a field. */
  readonly mergePatch: boolean
  readonly json: unknown
  /** Unknown fields are faults. */
  readonly isStrict: boolean
  /** The files that came with the record, by field. */
  readonly files?: ReadonlyMap<string, SentFiles>
}

interface BodyOptions {
  /** The format of a body that does not say. */
  readonly fallback: Format
  readonly isStrict: boolean
}

/** What of a request its body is read from. */
type SentBody = Pick<Request, 'method' | 'headers' | 'body'>

/** Reads the JSON of a body. */
export const readBody = (request: SentBody, { fallback, isStrict }: BodyOptions): Body => {
  const kind = formatOfBody(request.headers['content-type'], fallback)
  if (!kind) throw unsupported(request)
  return { format: kind.format, mergePatch: kind.mergePatch, json: readJson(request.body), isStrict }
}

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** RFC 5789, section 3.1: what patches may be. */
export const acceptPatch = { 'Accept-Patch': patchTypes.join(', ') } as const

const unsupported = ({ method }: SentBody): Problem =>
  method === 'PATCH'
    ? new Problem('unsupported_media_type', { detail: `Send ${anyOf.format(patchTypes)}.`, headers: acceptPatch })
    : new Problem('unsupported_media_type', `Send ${anyOf.format(bodyTypes)}.`)

export const readJson = (body: Buffer | null): unknown => {
  if (!body || body.length === 0) throw new Problem('bad_request', 'The body is empty.')
  if (!isUtf8(body)) throw new Problem('bad_request', 'The body is not UTF-8.')
  try {
    return parseJson(body.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonTooDeep) throw tooDeep()
    if (error instanceof DuplicateJsonKey) throw duplicateKey(error)
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

const longestName = 100

const duplicateKey = ({ key, pointer, position }: DuplicateJsonKey): Problem => {
  const name = key.length > longestName ? `${key.slice(0, longestName)}…` : key
  return new Problem('bad_request', {
    detail: `The body has the key '${name}' twice in one object, the second time at position ${position}.`,
    errors: [{ pointer, position, ...fault('duplicate_key') }],
  })
}

/** The parser's message quotes the body; only the position is passed on. */
const whereIn = (error: unknown): string => {
  const position = /position (\d+)/.exec(String(error))?.[1]
  if (position) return `syntax error at position ${position}.`
  return /end of JSON/.test(String(error)) ? 'it is incomplete.' : 'it is malformed.'
}

/** One record. */
export const readInput = ({ format, json, isStrict, files }: Body, resource: Resource): RecordInput => {
  if (!format.read) throw new Problem('unsupported_media_type')
  const read = format.read(json, resource)
  const input = isStrict ? { ...read, isStrict } : read
  return files ? withFiles(input, files) : input
}

type Fields = Readonly<Record<string, ValueField>>
export type BodyValues<F extends Fields> = { readonly [K in keyof F]: F[K] extends ValueField<infer T> ? T : never }

/**
 * What is not named is ignored, unless the body is strict; null counts as absent. `further` finds what is wrong beyond the types, in those fields
 * that could be read.
 */
export const readFields = <const F extends Fields>(
  { json, isStrict }: Body,
  fields: F,
  further: (readable: Partial<BodyValues<F>>) => readonly Fault[] = () => [],
): BodyValues<F> => {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Problem('bad_request', 'The body must be an object.')
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined
    try {
      values[name] = readField(sent, field)
      if (isStrict) faults.push(...unknownParts(field.type, sent, { pointer: `/${name}`, member: name }))
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      faults.push(...error.at(`/${name}`, name))
    }
  }
  if (isStrict) faults.push(...unknownIn(json, Object.keys(fields)))
  faults.push(...further(values as Partial<BodyValues<F>>))
  if (faults.length > 0) throw invalid(faults)
  return values as BodyValues<F>
}

const readField = (sent: unknown, { type, options }: ValueField): unknown => {
  if (sent !== undefined && (sent !== null || type.nullIsValue)) return type.read(sent)
  if (options.required) throw new ValueFault(fault('required'))
  return options.default ?? null
}

const unknownIn = (json: object, known: readonly string[]): readonly Fault[] =>
  unknownNames(json, known).map(name => ({
    pointer: `/${toToken(name)}`,
    member: name,
    ...unknownField(name, known),
  }))

export const invalid = (faults: readonly Fault[]): Problem =>
  new Problem('invalid', { detail: inOneSentence(faults), errors: faults })

const inOneSentence = ([first, ...others]: readonly Fault[]): string => {
  if (!first || others.length > 0) return `${others.length + 1} fields are invalid.`
  return `${first.member} ${first.message}${first.message.endsWith('?') ? '' : '.'}`
}
