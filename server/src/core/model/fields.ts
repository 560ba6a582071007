// The field types. Each is one record that holds everything about its kind of value.

import {
  type CountField,
  type FieldOptions,
  type InverseField,
  type LinkField,
  type OnDelete,
  type ToOneField,
  ValueFault,
  type ValueField,
  type ValueType,
} from './field.ts'
import type { Json } from './json.ts'

type Present<T, O> = O extends { readonly required: true } ? T : O extends { readonly default: unknown } ? T : T | null

const value = <T, O extends FieldOptions>(type: ValueType<T>, options: O): ValueField<Present<T, O>> => ({
  role: 'value',
  type: type as ValueType,
  options,
})

// Text

/** In characters, as JSON Schema counts them; most texts are short enough by their code units already. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

const readPlainText =
  (max: number, min: number) =>
  (input: unknown): string => {
    if (typeof input !== 'string') throw new ValueFault('must be text', 'type')
    // A lone surrogate has no UTF-8 form and NUL has none in PostgreSQL: neither could be read back as written.
    if (!input.isWellFormed() || input.includes('\0'))
      throw new ValueFault('holds characters that are not text', 'characters')
    if (input.length > max && lengthOf(input) > max) throw new ValueFault(`must have at most ${max} characters`, 'max')
    if (input.length < min)
      throw new ValueFault(min === 1 ? 'must not be empty' : `must have at least ${min} characters`, 'min')
    return input
  }

interface TextOptions extends FieldOptions {
  readonly max?: number
  readonly min?: number
  readonly pattern?: { readonly is: RegExp; readonly says: string }
  readonly format?: 'uri' | 'email' | 'uuid' | 'hostname'
}

const textType = (name: string, widget: string, options: TextOptions): ValueType<string> => {
  const max = options.max ?? 255
  const min = options.min ?? (options.required ? 1 : 0)
  const plain = readPlainText(max, min)
  const pattern = options.pattern
  const read = (input: unknown): string => {
    const text = plain(input)
    if (pattern && !pattern.is.test(text)) throw new ValueFault(pattern.says, 'pattern')
    return text
  }
  return {
    name,
    column: 'text',
    schema: {
      type: 'string',
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      ...(pattern && { pattern: pattern.is.source }),
      ...(options.format && { format: options.format }),
    },
    widget,
    read,
    // A search may ask for text that no record could hold; it finds nothing.
    readText: readPlainText(Number.POSITIVE_INFINITY, 0),
    wildcards: true,
  }
}

/** One line of text, at most 255 characters unless `max` says otherwise. */
export const text = <const O extends TextOptions>(options: O = {} as O) =>
  value(textType('text', 'text', options), options)

/** Text of several lines. */
export const longText = <const O extends TextOptions>(options: O = {} as O) =>
  value(textType('longText', 'textarea', { max: 4000, ...options }), options)

/** Accepted, kept, never shown nor searched. */
export const secret = <const O extends TextOptions>(options: O = {} as O) =>
  value(textType('secret', 'password', { max: 1000, ...options }), { ...options, writeOnly: true })

// Numbers

interface NumberOptions extends FieldOptions {
  readonly min?: number
  readonly max?: number
}

const inRange = (
  number: number,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: NumberOptions,
  scale = 1,
): number => {
  if (number < min * scale) throw new ValueFault(`must be at least ${min}`, 'min')
  if (number > max * scale) throw new ValueFault(`must be at most ${max}`, 'max')
  return number
}

const rangeSchema = ({ min, max }: NumberOptions) => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
})

/** A whole number that JavaScript holds exactly. */
export const integer = <const O extends NumberOptions>(options: O = {} as O) =>
  value<number, O>(
    {
      name: 'integer',
      column: 'integer',
      schema: { type: 'integer', ...rangeSchema(options) },
      widget: 'number',
      read: input => {
        if (typeof input !== 'number' || !Number.isInteger(input))
          throw new ValueFault('must be a whole number', 'type')
        if (!Number.isSafeInteger(input)) throw new ValueFault('is too large', 'max')
        return inRange(input, options)
      },
      readText: text => {
        if (!/^[+-]?\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
          throw new ValueFault('is not a whole number', 'type')
        return Number(text)
      },
      wildcards: false,
    },
    options,
  )

interface DecimalOptions extends NumberOptions {
  /** How many digits follow the point. */
  readonly scale: number
}

const decimalType = (name: string, widget: string, options: DecimalOptions): ValueType<number> => {
  const unit = 10 ** options.scale
  const shape = new RegExp(`^[+-]?\\d{1,15}(\\.\\d{1,${Math.max(1, options.scale)}}0*)?$`)
  const toUnits = (number: number): number => {
    const units = Math.round(number * unit)
    if (!Number.isSafeInteger(units)) throw new ValueFault('is too large', 'max')
    // The nearest double of a decimal with `scale` digits is the one that `units / unit` gives back.
    if (units / unit !== number) throw new ValueFault(`must have at most ${options.scale} decimals`, 'scale')
    return units
  }
  return {
    name,
    column: 'integer',
    schema: { type: 'number', multipleOf: 1 / unit, ...rangeSchema(options) },
    widget,
    read: input => {
      if (typeof input !== 'number' || !Number.isFinite(input)) throw new ValueFault('must be a number', 'type')
      return inRange(toUnits(input), options, unit)
    },
    readText: text => {
      if (!shape.test(text)) throw new ValueFault(`is not a number of at most ${options.scale} decimals`, 'type')
      return toUnits(Number(text))
    },
    show: units => units / unit,
    wildcards: false,
  }
}

/** A number with a fixed count of decimals, held exactly as an integer of its smallest unit. */
export const decimal = <const O extends DecimalOptions>(options: O) =>
  value(decimalType('decimal', 'number', options), options)

/** An amount in the currency's minor units, hundredths unless `scale` says otherwise; callers see and send decimals. */
export const money = <const O extends NumberOptions & { readonly scale?: number }>(options: O = {} as O) =>
  value(decimalType('money', 'money', { scale: 2, ...options }), options)

export const boolean = <const O extends FieldOptions>(options: O = {} as O) =>
  value<boolean, O>(
    {
      name: 'boolean',
      column: 'boolean',
      schema: { type: 'boolean' },
      widget: 'checkbox',
      read: input => {
        if (typeof input !== 'boolean') throw new ValueFault('must be true or false', 'type')
        return input
      },
      readText: text => {
        if (text !== 'true' && text !== 'false') throw new ValueFault('is neither true nor false', 'type')
        return text === 'true'
      },
      wildcards: false,
    },
    options,
  )

// Times

const dateShape = /^\d{4}-\d{2}-\d{2}$/
const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

const toDate = (text: string): string => {
  if (!dateShape.test(text)) throw new ValueFault('is not a date (yyyy-MM-dd)', 'format')
  const time = Date.parse(`${text}T00:00:00Z`)
  // Date.parse rolls 31 February over to March; a true date comes back as it went in.
  if (Number.isNaN(time) || time < firstInstant || new Date(time).toISOString().slice(0, 10) !== text)
    throw new ValueFault('is not a day of the calendar', 'format')
  return text
}

const toInstant = (text: string): string => {
  if (!instantShape.test(text)) throw new ValueFault('is not an ISO 8601 time with a zone', 'format')
  toDate(text.slice(0, 10))
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new ValueFault('is not a time', 'format')
  return instantOf(time)
}

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')
const instantOf = (milliseconds: number): string => {
  if (milliseconds < firstInstant || milliseconds > lastInstant)
    throw new ValueFault('is outside the years 1 to 9999', 'range')
  return new Date(milliseconds).toISOString()
}

/** A calendar day, `yyyy-MM-dd`. */
export const date = <const O extends FieldOptions>(options: O = {} as O) =>
  value<string, O>(
    {
      name: 'date',
      column: 'date',
      schema: { type: 'string', format: 'date' },
      widget: 'date',
      read: input => {
        if (typeof input !== 'string') throw new ValueFault('must be a date (yyyy-MM-dd)', 'type')
        return toDate(input)
      },
      readText: toDate,
      wildcards: false,
    },
    options,
  )

/** An instant in UTC with milliseconds. Epoch milliseconds and other offsets are understood. */
export const timestamp = <const O extends FieldOptions>(options: O = {} as O) =>
  value<string, O>(
    {
      name: 'timestamp',
      column: 'timestamp',
      schema: { type: 'string', format: 'date-time' },
      widget: 'datetime',
      read: input => {
        if (typeof input === 'number' && Number.isInteger(input)) return instantOf(input)
        if (typeof input !== 'string') throw new ValueFault('must be an ISO 8601 time', 'type')
        return toInstant(input)
      },
      // A plus sign that was not percent-encoded arrives as a blank.
      readText: text => (/^-?\d{1,15}$/.test(text) ? instantOf(Number(text)) : toInstant(text.replace(' ', '+'))),
      wildcards: false,
    },
    options,
  )

// Choices and collections

interface ChoiceOptions extends FieldOptions {
  /** Other spellings → the choice they mean. Case never matters. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** One of a fixed set of words; case does not matter in input. */
export const choice = <const C extends string, const O extends ChoiceOptions>(
  choices: readonly C[],
  options: O = {} as O,
) => {
  const known = new Map<string, C>()
  for (const one of choices) known.set(one.toLowerCase(), one)
  for (const [alias, meant] of Object.entries(options.aliases ?? {})) {
    const one = known.get(meant.toLowerCase())
    if (one) known.set(alias.toLowerCase(), one)
  }
  const read = (input: unknown): C => {
    const one = typeof input === 'string' ? known.get(input.toLowerCase()) : undefined
    if (one === undefined) throw new ValueFault(`must be one of ${choices.join(', ')}`, 'choice')
    return one
  }
  return value<C, O>(
    {
      name: 'choice',
      column: 'text',
      schema: { type: 'string', enum: [...choices] },
      widget: 'select',
      read,
      readText: read,
      wildcards: false,
    },
    options,
  )
}

interface ListOptions extends FieldOptions {
  readonly maxItems?: number
  readonly max?: number
  readonly pattern?: { readonly is: RegExp; readonly says: string }
}

/** A list of short texts. A search by it asks whether the list holds the text. */
export const textList = <const O extends ListOptions>(options: O = {} as O) => {
  const item = textType('text', 'text', {
    max: options.max ?? 255,
    min: 1,
    ...(options.pattern && { pattern: options.pattern }),
  })
  const maxItems = options.maxItems ?? 100
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
    options,
  )
}

interface MapOptions extends FieldOptions {
  readonly maxEntries?: number
}

const mapKey = /^[^\0]{1,255}$/
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Names to texts. Not searchable. */
export const map = <const O extends MapOptions>(options: O = {} as O) => {
  const maxEntries = options.maxEntries ?? 100
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
    options,
  )
}

/** A value that the service derives from other members of the same record at each write; stored, so it can be searched. */
export const computed = <T>(
  of: ValueField<T>,
  compute: (values: Readonly<Record<string, unknown>>) => T,
): ValueField<T> => ({
  ...of,
  compute,
  options: { ...of.options, serverOwned: true },
})

// Relations

interface ReferenceOptions extends FieldOptions {
  readonly onDelete?: OnDelete
}

/** A reference to one record of the resource at `target`. */
export const ref = <const O extends ReferenceOptions>(
  target: string,
  options: O = {} as O,
): ToOneField<O extends { required: true } ? false : true> => ({
  role: 'one',
  target,
  onDelete: options.onDelete ?? 'refuse',
  options,
})

/** The records of `target` whose member `by` refers to this one. */
export const many = (target: string, options: { readonly by: string } & FieldOptions): InverseField => ({
  role: 'inverse',
  target,
  by: options.by,
  options,
})

/** Many-to-many, kept on this side; the other side may declare `many(…, { by })`. */
export const links = (target: string, options: { readonly embed?: boolean } & FieldOptions = {}): LinkField => ({
  role: 'links',
  target,
  embed: options.embed ?? false,
  options,
})

/** How many records the inverse relation has. */
export const counted = (
  relation: string,
  options: { readonly where?: { member: string; equals: string | number | boolean | null } } & FieldOptions = {},
): CountField => ({
  role: 'count',
  relation,
  ...(options.where && { where: options.where }),
  options,
})

/** Stored form → JSON, for any field type. */
export const shown = (type: ValueType, stored: unknown): Json =>
  stored === null || stored === undefined ? null : type.show ? type.show(stored) : (stored as Json)
