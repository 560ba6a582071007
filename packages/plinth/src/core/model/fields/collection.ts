// Lists and maps of texts.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import type { Json } from '../json.ts'
import { ValueFault } from '../value-fault.ts'
import type { ShapeFields, ValueField, ValueType } from '../value-field.ts'
import { readParts, type SentParts, type ShownParts, type StoredParts, schemaOf, showParts } from './structure.ts'
import { readPlainText, type TextPattern, textType } from './text.ts'
import { fieldOptions, value } from './value.ts'

interface TextListOptions extends FieldOptions<readonly string[]> {
  /** The maximum number of entries. */
  readonly maxItems?: number
  /** The maximum length of text, or the maximum of a number. */
  readonly max?: number
  /** A regular expression, and the error for values that do not match. */
  readonly pattern?: TextPattern
}

const listOptions: OptionNames<TextListOptions> = { ...fieldOptions, maxItems: true, max: true, pattern: true }

/**
 * A list of short texts. A search by it asks whether the list holds the text.
 *
 * @example textList({ maxItems: 10 })
 */
export const textList = <const O extends TextListOptions>(options?: Exactly<O, TextListOptions>) => {
  const item = textType('text', 'text', {
    max: options?.max ?? 255,
    min: 1,
    ...(options?.pattern && { pattern: options.pattern }),
  })
  const maxItems = options?.maxItems ?? 100
  return value<readonly string[], O>(
    {
      name: 'textList',
      column: 'json',
      schema: { type: 'array', items: item.schema, maxItems },
      widget: 'tags',
      read: input => {
        if (!Array.isArray(input)) throw new ValueFault(fault('list_of_text'))
        if (input.length > maxItems) throw new ValueFault(fault('max_entries', { max: maxItems }))
        return input.map(item.read)
      },
      readText: text => [item.readText(text)],
      wildcards: false,
      searchesEntries: true,
      isBulky: true,
    },
    options ?? {},
    listOptions,
  )
}

interface MapOptions extends FieldOptions<Readonly<Record<string, string>>> {
  /** The maximum number of entries. */
  readonly maxEntries?: number
}

const mapOptions: OptionNames<MapOptions> = { ...fieldOptions, maxEntries: true }

const mapKey = /^[^\0]{1,255}$/
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Names to texts. Not searchable.
 *
 * @example map()
 */
export const map = <const O extends MapOptions>(options?: Exactly<O, MapOptions>) => {
  const maxEntries = options?.maxEntries ?? 100
  const readEntry = readPlainText(4000, 0)
  return value<Readonly<Record<string, string>>, O>(
    {
      name: 'map',
      column: 'json',
      schema: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: maxEntries },
      widget: 'map',
      read: input => {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new ValueFault(fault('map'))
        const entries = Object.entries(input)
        if (entries.length > maxEntries) throw new ValueFault(fault('max_entries', { max: maxEntries }))
        for (const [key] of entries) {
          if (!mapKey.test(key) || forbiddenKeys.has(key) || !key.isWellFormed())
            throw new ValueFault(fault('name', { name: key.slice(0, 40) }))
        }
        return Object.fromEntries(entries.map(([key, entry]) => [key, readEntry(entry)]))
      },
      readText: () => {
        throw new ValueFault(fault('unsearchable'))
      },
      wildcards: false,
      isBulky: true,
    },
    options ?? {},
    mapOptions,
  )
}

// A field of any JSON value, for what the service stores without understanding it

/** Deeper values are of no use to anyone and would cost a stack. */
const maxDepth = 32

/**
 * A value that both databases give back as it was: neither NUL nor lone surrogates, no names that reach a prototype.
 *
 * @example const metadata = readJsonValue({ colour: 'red' }, 10_000)
 */
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
  /** The maximum length as JSON text. */
  readonly maxLength?: number
  /** The fields of the object that the value must be; unknown ones are left out. */
  readonly shape?: ShapeFields
}

const jsonOptions: OptionNames<JsonOptions> = { ...fieldOptions, maxLength: true, shape: true }

interface ShapedOptions<F extends ShapeFields> extends Omit<JsonOptions, 'shape' | 'default'> {
  readonly shape: F
}

const unsearchable = (): never => {
  throw new ValueFault(fault('unsearchable'))
}

/**
 * Any JSON value, at most `maxLength` characters as text; with `shape`, an object of these fields. Not searchable.
 *
 * @example json()
 */
export function json<const F extends ShapeFields, const O extends ShapedOptions<F>>(
  options: Exactly<O, JsonOptions> & ShapedOptions<F>,
): ValueField<
  PresentAs<StoredParts<F>, O>,
  PresentAs<StoredParts<F>, O> | MayBeLeftOut<O>,
  PresentAs<ShownParts<F>, O>,
  PresentAs<SentParts<F>, O> | MayBeLeftOut<O>
>
export function json<const O extends JsonOptions>(options?: Exactly<O, JsonOptions>): ValueField<Json, Json | undefined>
export function json(options: JsonOptions = {}): ValueField<never, never, never, never> {
  const { maxLength = 16_384, shape } = options
  const bound = (input: unknown): Json => readJsonValue(input, maxLength)
  const type: ValueType = {
    name: 'json',
    column: 'json',
    schema: {},
    widget: 'json',
    read: bound,
    readText: unsearchable,
    wildcards: false,
  }
  const shaped = shape && {
    ...type,
    schema: schemaOf(shape),
    widget: 'structure',
    parts: shape,
    read: (input: unknown) => readParts(bound(input), shape),
    show: (stored: unknown) => showParts(Object(stored), shape),
    isBulky: true,
  }
  return { role: 'value', options, optionNames: jsonOptions, type: shaped ?? type }
}

type PresentAs<T, O> = O extends { readonly required: true } ? T : T | null
type MayBeLeftOut<O> = O extends { readonly required: true } ? never : undefined
