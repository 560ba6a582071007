// A schema of the API description as rows of a table, and an example of it.

import { toExample } from '../../core/describe/example.ts'
import { isObject, textOf } from '../../core/describe/openapi/parts.ts'
import type { JsonObject } from '../../core/describe/openapi.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'

export interface SchemaRow {
  /** Parts of a value are named by paths: `parent.pk`, `lines[].title`. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
}

const maxDepth = 3

/**
 * What stands at the end of a reference within the document; other values are returned as they are. A schema that is composed of others
 * is returned as one.
 */
export const resolve = (document: JsonObject, value: Json | undefined): JsonObject => {
  if (!isObject(value)) return {}
  if (Array.isArray(value.allOf))
    return merged(
      value,
      value.allOf.map(one => resolve(document, one)),
    )
  if (typeof value.$ref !== 'string') return value
  const target = value.$ref
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), document)
  return resolve(document, target)
}

const merged = ({ allOf: _, ...own }: JsonObject, parts: readonly JsonObject[]): JsonObject => ({
  ...Object.assign({}, ...parts),
  ...own,
  properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
  required: parts.flatMap(({ required }) => list(required)),
})

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The alternative that has parts, where there are several, such as an object or null. */
const mainAlternative = (document: JsonObject, schema: JsonObject): JsonObject => {
  const alternatives = list(schema.anyOf ?? schema.oneOf).map(one => resolve(document, one))
  return alternatives.find(one => one.type === 'object') ?? alternatives[0] ?? schema
}

const limits = (schema: JsonObject): string[] =>
  [
    typeof schema.format === 'string' ? schema.format : '',
    schema.minimum === undefined ? '' : `≥ ${schema.minimum}`,
    schema.maximum === undefined ? '' : `≤ ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
  ].filter(Boolean)

export const typeOf = (document: JsonObject, rawSchema: Json | undefined): string => {
  const schema = resolve(document, rawSchema)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(one => JSON.stringify(one)).join(' | ')
  const alternatives = list(schema.anyOf ?? schema.oneOf)
  if (alternatives.length > 0)
    return [...new Set(alternatives.map(one => typeOf(document, one)))].filter(Boolean).join(' | ')
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]
  const named = types.map(type => (type === 'array' ? `${typeOf(document, schema.items) || 'any'}[]` : textOf(type)))
  return [named.join(' | '), ...limits(schema)].filter(Boolean).join(', ')
}

const aboutOf = ({ description, title }: JsonObject): string => textOf(description ?? title)

/** The parts of an object, and theirs. */
export const rowsOf = (document: JsonObject, rawSchema: Json | undefined, path = '', depth = 1): SchemaRow[] => {
  const schema = mainAlternative(document, resolve(document, rawSchema))
  if (schema.type === 'array') return rowsOf(document, schema.items, `${path}[]`, depth)
  const required = new Set(list(schema.required))
  const { properties } = schema
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, value]) => {
    const name = path ? `${path}.${key}` : key
    const part = resolve(document, value)
    const row = { name, type: typeOf(document, value), isRequired: required.has(key), about: aboutOf(part) }
    return [row, ...(depth < maxDepth && key !== 'links' ? rowsOf(document, value, name, depth + 1) : [])]
  })
}

/** The schema without references, for as deep as an example goes. */
const inlined = (document: JsonObject, rawSchema: Json | undefined, depth = 0): JsonSchema => {
  const schema = resolve(document, rawSchema)
  if (depth > 5) return {}
  const inside = (value: Json | undefined): JsonSchema => inlined(document, value, depth + 1)
  const { properties, items, anyOf, oneOf, ...rest } = schema
  return {
    ...rest,
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inside(value)])),
    }),
    ...(isObject(items) && { items: inside(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inside) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.map(inside) }),
  }
}

export const exampleOf = (document: JsonObject, rawSchema: Json | undefined): Json | undefined => {
  const schema = resolve(document, rawSchema)
  return schema.example ?? list(schema.examples)[0] ?? toExample(inlined(document, schema))
}
