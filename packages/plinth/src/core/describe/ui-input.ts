// An input for one value, as clients draw it: what a value may be, and the field of the body of an endpoint.

import type { JsonSchema } from '../model/json.ts'
import { type ShapeFields, type ValueField, type ValueType, valueToJson } from '../model/value-field.ts'
import { inLanguage, titleIn } from '../model/words.ts'
import { valueSchema } from './field-schema.ts'
import { fieldTitle } from './names.ts'

const limitNames = {
  minimum: 'min',
  maximum: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  maxItems: 'maxItems',
  pattern: 'pattern',
  format: 'format',
  enum: 'options',
  'x-decimals': 'decimals',
  'x-transitions': 'transitions',
  'x-initial': 'initial',
} as const

/** The limits in a JSON Schema, by the names that clients know. */
export const limitsIn = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(limitNames).flatMap(([keyword, limit]) => {
      const value = schema[keyword]
      return value === undefined ? [] : [[limit, value]]
    }),
  )

/** The names of the choices, where they are not the choices themselves. */
export const optionLabels = ({ labels = {} }: ValueType, language: string): JsonSchema => {
  const named = Object.entries(labels).flatMap(([choice, label]) => {
    const text = titleIn(label, language)
    return text === undefined ? [] : [[choice, text]]
  })
  return named.length > 0 ? { optionLabels: Object.fromEntries(named) } : {}
}

/** A field of the body of an endpoint. */
const toUiInput = (name: string, field: ValueField, { language, labelOf }: InputDrawing): JsonSchema => {
  const { type, options } = field
  const { about, default: usual, required = false } = options
  const label = type.target === undefined ? null : labelOf(type.target)
  return {
    fieldType: type.name,
    widget: type.widget,
    label: fieldTitle(name, options, language),
    ...(about !== undefined && { help: inLanguage(about, language) }),
    required,
    nullable: !required,
    readOnly: false,
    writeOnly: false,
    searchable: false,
    sortable: false,
    ...limitsIn(valueSchema(field)),
    ...optionLabels(type, language),
    ...(usual !== undefined && typeof usual !== 'function' && { default: valueToJson(type, usual) }),
    ...(type.target !== undefined && {
      relation: { resource: type.target, kind: 'one', ...(label !== null && { label }) },
    }),
  }
}

export interface InputDrawing {
  readonly language: string
  /** The field by which records of a resource are known. */
  labelOf(resource: string): string | null
}

/** The form of the body of an endpoint. */
export const toUiInputs = (fields: ShapeFields, drawing: InputDrawing): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toUiInput(name, field, drawing)]))
