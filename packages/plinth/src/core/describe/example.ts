// A plausible value for a schema, for the examples of the API description.

import type { Json, JsonSchema } from '../model/json.ts'

export const exampleUuid = '0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3'

const byFormat: Record<string, string> = {
  uuid: exampleUuid,
  email: 'ada@example.com',
  uri: 'https://www.example.com/about',
  'uri-reference': '/client/about',
  hostname: 'www.example.com',
  date: '2024-05-17',
  'date-time': '2024-05-17T09:30:00.000Z',
}

const byName: Record<string, string> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  username: 'ada',
  description: 'A short description.',
  locale: 'en',
  scope: 'read',
}

/** Tried in turn where a pattern or a length refuses the natural choice. */
const shapes = ['sample', 'Sample', 'SAMPLE', 'en', 'EN', 'ENG', 'EUR', '12345', '+30', '1', 'a', 'A', 'ROLE_SAMPLE']
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const toWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()

const fits = (text: string, { minLength = 0, maxLength = Infinity, pattern }: JsonSchema): boolean =>
  text.length >= Number(minLength) &&
  text.length <= Number(maxLength) &&
  (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text))

const textExample = (schema: JsonSchema, name: string): string | undefined => {
  if (typeof schema.format === 'string' && byFormat[schema.format]) return byFormat[schema.format]
  const long = 'sample '.repeat(100).slice(0, Math.max(20, Number(schema.minLength ?? 0)))
  const candidates = [byName[name], `A ${toWords(name)}`, toWords(name), ...shapes, exampleUuid, hash, long]
  return candidates.find(text => text !== undefined && fits(text, schema))
}

const numberExample = (schema: JsonSchema): number => {
  const natural = schema.type === 'integer' || schema['x-decimals'] === undefined ? 3 : 4.5
  const { minimum = natural, maximum = Number.POSITIVE_INFINITY, multipleOf = 1 } = schema
  const inside = Math.min(Math.max(natural, Number(minimum)), Number(maximum))
  return schema.multipleOf === undefined ? inside : Math.ceil(inside / Number(multipleOf)) * Number(multipleOf)
}

const objectExample = (schema: JsonSchema): Json | undefined => {
  const example: Record<string, Json> = {}
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
    additionalProperties?: JsonSchema | boolean
  }
  for (const [name, property] of Object.entries(properties)) {
    const value = toExample(property, name)
    if (value !== undefined) example[name] = value
  }
  if (typeof additionalProperties === 'object') {
    const value = toExample(additionalProperties, 'note')
    if (value !== undefined) example.note = value
  }
  return required.every(name => name in example) ? example : undefined
}

const typeOf = ({ type }: JsonSchema): Json | undefined =>
  Array.isArray(type) ? type.find(one => one !== 'null') : (type as Json | undefined)

/** A value that the schema admits, or undefined when none suggests itself (such as for an unusual pattern). */
export const toExample = (schema: JsonSchema, name = ''): Json | undefined => {
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const either = schema.anyOf ?? schema.oneOf
  if (Array.isArray(either)) return toExample(either[0] as JsonSchema, name)
  switch (typeOf(schema)) {
    case 'string':
      return textExample(schema, name)
    case 'integer':
    case 'number':
      return numberExample(schema)
    case 'boolean':
      return true
    case 'array': {
      const item = toExample((schema.items ?? {}) as JsonSchema, name.replace(/s$/, ''))
      return item === undefined ? [] : [item]
    }
    case 'object':
      return objectExample(schema)
    default:
      return undefined
  }
}
