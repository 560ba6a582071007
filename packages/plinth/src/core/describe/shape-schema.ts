// JSON Schema of shapes and of the fields of endpoints. Bodies may leave out what is not required; answers have all fields.

import { shape as named } from '../model/description.ts'
import type { JsonSchema } from '../model/json.ts'
import type { Shape, ShapeFields, ValueField } from '../model/value-field.ts'
import { inLanguage } from '../model/words.ts'
import { nullable, valueSchema } from './field-schema.ts'

export type Direction = 'body' | 'answer'

export const fieldsSchema = (fields: ShapeFields, direction: Direction): JsonSchema => {
  const needed = Object.entries(fields).filter(([, field]) => isPresent(field, direction))
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, direction)]),
    ),
    ...(needed.length > 0 && { required: needed.map(([name]) => name) }),
  }
}

const isPresent = ({ options, optional }: ValueField, direction: Direction): boolean =>
  direction === 'answer' ? !optional : options.required === true && options.default === undefined

const fieldSchema = (field: ValueField, direction: Direction): JsonSchema => {
  const { about, required, default: usual } = field.options
  const bare = bareSchema(field, direction)
  return {
    ...(about !== undefined && { description: inLanguage(about, 'en') }),
    ...(required || usual !== undefined ? bare : nullable(bare)),
  }
}

/** The value itself, never null. */
export const bareSchema = (field: ValueField, direction: Direction): JsonSchema => {
  const { shape, parts, items, entries, schema } = field.type
  if (shape) return named(shape.name)
  if (items) return { ...withinLimits(schema, direction), items: bareSchema(items, direction) }
  if (parts || entries)
    return {
      ...(parts ? fieldsSchema(parts, direction) : schema),
      ...(entries && { additionalProperties: bareSchema(entries, direction) }),
    }
  return withinLimits(valueSchema(field), direction)
}

/** Limits are for what callers send. */
const withinLimits = (schema: JsonSchema, direction: Direction): JsonSchema => {
  if (direction === 'body') return schema
  const { minLength: _min, maxLength: _max, minItems: _fewest, maxItems: _most, ...rest } = schema
  return rest
}

/** The schemas of a shape and of all that it is made of, by their names. */
export const shapeSchemas = (shape: Shape, direction: Direction): Readonly<Record<string, JsonSchema>> => ({
  ...namedSchemas(shape.fields, direction),
  [shape.name]: {
    ...(shape.about !== undefined && { description: shape.about }),
    ...fieldsSchema(shape.fields, direction),
    ...(shape.needsOneOf.length > 0 && { anyOf: shape.needsOneOf.map(name => ({ required: [name] })) }),
  },
})

/** The named schemas that those of the fields refer to. */
export const namedSchemas = (fields: ShapeFields, direction: Direction): Readonly<Record<string, JsonSchema>> =>
  Object.assign({}, ...Object.values(fields).map(field => schemasOf(field, direction)))

const schemasOf = ({ type }: ValueField, direction: Direction): Readonly<Record<string, JsonSchema>> => {
  if (type.shape) return shapeSchemas(type.shape, direction)
  const inner = type.items ?? type.entries
  if (inner) return schemasOf(inner, direction)
  return type.parts ? namedSchemas(type.parts, direction) : {}
}
