// Lists and maps of texts.

import { type Exactly, type FieldOptions, type OptionNames, ValueFault } from '../field.ts'
import { fieldOptions } from './options.ts'
import { readPlainText, textType } from './text.ts'
import { value } from './value.ts'

interface ListOptions extends FieldOptions<readonly string[]> {
  readonly maxItems?: number
  readonly max?: number
  readonly pattern?: { readonly is: RegExp; readonly says: string }
}

const listOptions: OptionNames<ListOptions> = { ...fieldOptions, maxItems: true, max: true, pattern: true }

/** A list of short texts. A search by it asks whether the list holds the text. */
export const textList = <const O extends ListOptions>(options?: Exactly<O, ListOptions>) => {
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
        if (!Array.isArray(input)) throw new ValueFault('must be a list of text', 'type')
        if (input.length > maxItems) throw new ValueFault(`must have at most ${maxItems} entries`, 'max')
        return input.map(item.read)
      },
      readText: text => [item.readText(text)],
      wildcards: false,
    },
    options ?? {},
    listOptions,
  )
}

interface MapOptions extends FieldOptions<Readonly<Record<string, string>>> {
  readonly maxEntries?: number
}

const mapOptions: OptionNames<MapOptions> = { ...fieldOptions, maxEntries: true }

const mapKey = /^[^\0]{1,255}$/
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Names to texts. Not searchable. */
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
        if (typeof input !== 'object' || input === null || Array.isArray(input))
          throw new ValueFault('must be an object of texts', 'type')
        const entries = Object.entries(input)
        if (entries.length > maxEntries) throw new ValueFault(`must have at most ${maxEntries} entries`, 'max')
        for (const [key] of entries) {
          if (!mapKey.test(key) || forbiddenKeys.has(key) || !key.isWellFormed())
            throw new ValueFault(`'${key.slice(0, 40)}' cannot be a name`, 'key')
        }
        return Object.fromEntries(entries.map(([key, entry]) => [key, readEntry(entry)]))
      },
      readText: () => {
        throw new ValueFault('cannot be searched', 'unsearchable')
      },
      wildcards: false,
    },
    options ?? {},
    mapOptions,
  )
}
