// The query and the body of a request to an endpoint, read by the fields that it declares; all faults are reported together.

import { fault } from '../fault.ts'
import type { CodeContext } from '../model/code-context.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ShapeFields, ValueField, ValueType } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { type Parameters, readParameters, single } from '../query/parameters.ts'
import { badParameter, note, refuse } from '../query/query-faults.ts'
import { type Body, invalid, readFields } from './body.ts'
import type { Endpoint } from './endpoint.ts'

type Input = Readonly<Record<string, unknown>>

const none: Input = {}

export const readQuery = ({ query, refusesOtherParameters }: Endpoint, search: string): Input => {
  if (!query) return none
  const parameters = readParameters(search)
  const faults: Fault[] = []
  if (refusesOtherParameters) refuseOthers(parameters, Object.keys(query), faults)
  const values = Object.fromEntries(
    Object.entries(query).map(([name, field]) => [name, readParameter(field, { name, parameters, faults })]),
  )
  if (faults.length > 0) refuse(faults)
  return values
}

const refuseOthers = (parameters: Parameters, known: readonly string[], faults: Fault[]): void => {
  for (const parameter of parameters.keys())
    if (!known.includes(parameter)) note(faults, { parameter, ...fault('unknown_parameter', { parameter, known }) })
}

interface Place {
  readonly name: string
  readonly parameters: Parameters
  readonly faults: Fault[]
}

const readParameter = ({ type, options }: ValueField, { name, parameters, faults }: Place): unknown => {
  const isList = type.schema.type === 'array'
  const text = isList ? undefined : single(parameters, name, faults)
  const texts = isList ? textsOf(type, parameters.get(name) ?? []) : text === undefined ? [] : [text]
  if (texts.length === 0) {
    if (options.required) note(faults, { parameter: name, ...fault('required') })
    return options.default ?? null
  }
  const { maxItems } = type.schema
  if (typeof maxItems === 'number' && texts.length > maxItems)
    note(faults, { parameter: name, ...fault('max_entries', { max: maxItems }) })
  const of = type.items?.type ?? type
  const values = texts.map(one => {
    try {
      const value = of.readText(one)
      // Searches may ask for values that no record can have, so `readText` alone minds no limits.
      return of.show ? value : of.read(value)
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      for (const reason of error.faults) note(faults, badParameter(name, one, reason))
      return null
    }
  })
  return isList ? values : values[0]
}

/** A list is a repeated parameter. One of fixed words may also be separated by commas. */
const textsOf = ({ items }: ValueType, values: readonly string[]): readonly string[] => {
  if (items?.type.schema.enum === undefined) return values
  const words = values.flatMap(value => value.split(',')).map(word => word.trim())
  return words.filter(word => word !== '')
}

export const readEndpointBody = (endpoint: Endpoint, body: Body, code: Pick<CodeContext, 'settings'>): unknown => {
  const { body: declared, check, refusesRecordFormats } = endpoint
  if (!declared || declared.kind === 'content') return null
  if (refusesRecordFormats && !body.format.value) throw new Problem('unsupported_media_type', 'Send application/json.')
  if (declared.kind === 'record' || declared.kind === 'json') return body
  if (declared.kind === 'one or many') {
    if (body.json === undefined) return null
    return readOneOrMany(body, declared.of.fields)
  }
  if (body.json === undefined && endpoint.bodyIsOptional) return readEndpointBody(endpoint, { ...body, json: {} }, code)
  const further = check && ((readable: object) => check(readable, code))
  if (declared.kind !== 'shape') return readFields(body, declared, further)
  return readFields(body, declared.fields, readable => [
    ...missingOf(declared.needsOneOf, readable),
    ...(further?.(readable) ?? []),
  ])
}

const missingOf = (names: readonly string[], readable: Input): readonly Fault[] => {
  const [first] = names
  // What was sent and could not be read has a fault of its own.
  if (first === undefined || names.some(name => readable[name] !== null)) return []
  return [{ pointer: `/${first}`, member: first, ...fault('required') }]
}

const readOneOrMany = ({ json, ...body }: Body, fields: ShapeFields) => {
  const isList = Array.isArray(json)
  if (!isList) return { isList, entries: [readFields({ ...body, json }, fields)] }
  if (json.length === 0) throw new Problem('bad_request', 'The list is empty.')
  const faults: Fault[] = []
  const entries = json.map((entry: unknown, at) => {
    try {
      return readFields({ ...body, json: entry }, fields)
    } catch (error) {
      if (!(error instanceof Problem) || !error.details.errors) throw error
      faults.push(...error.details.errors.map(one => ({ ...one, pointer: `/${at}${one.pointer ?? ''}` })))
      return {}
    }
  })
  if (faults.length > 0) throw invalid(faults)
  return { isList, entries }
}
