// A field of any JSON value, for what the service keeps without understanding it.

import { fault } from '../fault.ts'
import { type Exactly, type FieldOptions, type OptionNames, ValueFault, type ValueField } from './field.ts'
import { fieldOptions } from './fields/options.ts'
import type { Json } from './json.ts'

/** Deeper values are of no use to anyone and would cost a stack. */
const maxDepth = 32

/** A value that both databases give back as it was: neither NUL nor lone surrogates, no names that reach a prototype. */
export const readJsonValue = (input: unknown, maxLength: number): Json => {
  checkJson(input, 0)
  if (JSON.stringify(input).length > maxLength) throw new ValueFault(fault('max_json_length', { max: maxLength }))
  return input as Json
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const checkJson = (input: unknown, depth: number): void => {
  if (depth > maxDepth) throw new ValueFault(fault('max_depth', { max: maxDepth }))
  if (typeof input === 'string' && !isText(input)) throw new ValueFault(fault('characters'))
  if (typeof input !== 'object' || input === null) return
  for (const [name, value] of Object.entries(input)) {
    if (name === '__proto__' || !isText(name)) throw new ValueFault(fault('name', { name: name.slice(0, 40) }))
    checkJson(value, depth + 1)
  }
}

interface JsonOptions extends FieldOptions<Json> {
  readonly maxLength?: number
}

const jsonOptions: OptionNames<JsonOptions> = { ...fieldOptions, maxLength: true }

/** Any JSON value, at most `maxLength` characters as text. Not searchable. */
export const json = <const O extends JsonOptions>(
  options?: Exactly<O, JsonOptions>,
): ValueField<Json, Json | undefined> => ({
  role: 'value',
  options: options ?? {},
  optionNames: jsonOptions,
  type: {
    name: 'json',
    column: 'json',
    schema: {},
    widget: 'json',
    read: input => readJsonValue(input, options?.maxLength ?? 16_384),
    readText: () => {
      throw new ValueFault(fault('unsearchable'))
    },
    wildcards: false,
  },
})
