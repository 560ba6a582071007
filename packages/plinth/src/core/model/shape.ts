// Shapes: values that are no records, such as the bodies and answers of endpoints, made of the same fields as records.

import { fault } from '../fault.ts'
import type { FieldOptions } from './field-options.ts'
import { readAll, readParts } from './fields/structure.ts'
import { fieldOptions } from './fields/value.ts'
import type { Json, JsonMembers } from './json.ts'
import { changed, isSetting, type ResolveSetting, type Setting } from './setting.ts'
import { dependsOnSettings, settledFields, settledShape } from './settled.ts'
import { ValueFault } from './value-fault.ts'
import { type Shape, type ShapeFields, type ValueField, type ValueType, valueToJson } from './value-field.ts'

type ReadOf<F> = F extends ValueField<infer Read> ? Read : never

/** A value as it was read from a request. Null: it was not sent, and there is no default. */
export type InputOf<F> = { readonly [K in keyof F]: InputValue<F[K]> }

type InputValue<F> =
  F extends ValueField<infer Read, infer Input>
    ? [Read] extends [never]
      ? Exclude<Input, undefined>
      : Exclude<Read, undefined>
    : never

/** A value as code gives it for an answer: all fields in stored form, except those that are `optional`. */
export type ShapeValue<F> = {
  readonly [K in keyof F as undefined extends ReadOf<F[K]> ? never : K]: ReadOf<F[K]>
} & {
  readonly [K in keyof F as undefined extends ReadOf<F[K]> ? K : never]?: ReadOf<F[K]>
}

interface ShapeOptions<F extends ShapeFields> {
  /** The element in XML; by default the name with a small letter. */
  readonly element?: string
  readonly about?: string
  /** A body must have at least one of these fields. */
  readonly needsOneOf?: readonly (keyof F & string)[]
}

/**
 * Declares a value that is not a record, made of the fields of resources.
 *
 * @example const total = defineShape('Total', { count: integer({ required: true }), amount: money() })
 */
export const defineShape = <const F extends ShapeFields>(
  name: string,
  fields: F,
  { element = name.charAt(0).toLowerCase() + name.slice(1), about, needsOneOf = [] }: ShapeOptions<F> = {},
): Shape<F> => ({ kind: 'shape', name, element, about, needsOneOf, fields })

/** An answer of several values of one shape. `element` is the list in XML and in HAL. */
export interface ListShape<F extends ShapeFields = ShapeFields> {
  readonly kind: 'list'
  readonly element: string
  readonly of: Shape<F>
}

/**
 * A list of values of one shape, as the answer of an endpoint.
 *
 * @example answers: { 200: manyOf(defineShape('Total', { count: integer() }), 'totals') }
 */
export const manyOf = <const F extends ShapeFields>(of: Shape<F>, element: string): ListShape<F> => ({
  kind: 'list',
  element,
  of,
})

/**
 * A shape's value in JSON: declared fields and nothing else.
 *
 * @example const json = showShape({ count: integer() }, { count: 3 })
 */
export const showShape = (fields: ShapeFields, value: object): JsonMembers => {
  const values = value as Readonly<Record<string, unknown>>
  const output: Record<string, Json> = {}
  for (const [name, { type }] of Object.entries(fields))
    if (values[name] !== undefined) output[name] = valueToJson(type, values[name])
  return output
}

const fieldOf = <Read>(type: Omit<ValueType, 'column' | 'wildcards' | 'readText'>, options: FieldOptions) => {
  const readText = (): never => {
    throw new ValueFault(fault('unsearchable'))
  }
  const whole: ValueType = { ...type, column: 'json', wildcards: false, readText }
  const field: ValueField<Read, Read | undefined> = { role: 'value', type: whole, options, optionNames: fieldOptions }
  return field
}

type Present<T, O> = O extends { readonly required: true } | { readonly default: unknown } ? T : T | null

interface NestedOptions {
  readonly required?: boolean
  readonly about?: string
}

interface ObjectOptions extends NestedOptions {
  /** What further fields are, whatever their names. Answers only. */
  readonly others?: ValueField
}

/**
 * An object within a shape: of fields, or of another shape.
 *
 * @example object({ title: text({ required: true }), pages: integer() })
 */
export const object = <const F extends ShapeFields, const O extends ObjectOptions>(of: F | Shape<F>, options?: O) => {
  const field = objectField<Present<ShapeValue<F>, O>>(of, options)
  if (!dependsOnSettings(field)) return field
  return { ...field, withSettings: (resolve: ResolveSetting) => objectField(settledObject(of, resolve), options) }
}

const settledObject = (of: ShapeFields | Shape, resolve: ResolveSetting): ShapeFields | Shape =>
  isShape(of) ? settledShape(of, resolve) : settledFields(of, resolve)

const objectField = <Read>(of: ShapeFields | Shape, options: ObjectOptions | undefined) => {
  const shape = isShape(of) ? of : undefined
  const fields: ShapeFields = isShape(of) ? of.fields : of
  return fieldOf<Read>(
    {
      name: 'object',
      schema: { type: 'object' },
      widget: 'json',
      parts: fields,
      ...(shape && { shape }),
      ...(options?.others && { entries: options.others }),
      read: input => readParts(input, fields),
      show: value => ({
        ...(options?.others && showOthers(options.others, value as object)),
        ...showShape(fields, value as object),
      }),
    },
    options ?? {},
  )
}

const showOthers = (others: ValueField, value: object): JsonMembers =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, valueToJson(others.type, one)]))

const isShape = (of: ShapeFields | Shape): of is Shape => typeof of.kind === 'string'

interface ListOptions extends NestedOptions {
  readonly default?: readonly Json[]
  readonly minItems?: number
  readonly maxItems?: number | Setting<number>
}

/**
 * A list of values of one field, of at most 1000 entries unless `maxItems` says otherwise.
 *
 * @example list(object({ book: text({ required: true }) }))
 */
export const list = <Read, const O extends ListOptions>(of: ValueField<Read>, options?: O) => {
  const { maxItems = 1000, ...others }: ListOptions = options ?? {}
  const make = (entry: ValueField, most: number) =>
    listField<Present<readonly NonNullable<Read>[], O>>(entry, { ...others, maxItems: most })
  const field = make(of, isSetting(maxItems) ? maxItems.usual : maxItems)
  const { withSettings } = of
  if (!withSettings && !isSetting(maxItems)) return field
  return {
    ...field,
    withSettings: (resolve: ResolveSetting) =>
      make(withSettings?.(resolve) ?? of, isSetting(maxItems) ? resolve(maxItems) : maxItems),
  }
}

type EntryLimits = Omit<ListOptions, 'maxItems'> & { readonly maxItems: number }

const listField = <Read>(of: ValueField, { minItems = 0, maxItems, ...options }: EntryLimits) =>
  fieldOf<Read>(
    {
      name: 'list',
      schema: { type: 'array', ...(minItems > 0 && { minItems }), maxItems },
      widget: 'json',
      items: of,
      read: input => {
        if (!Array.isArray(input)) throw new ValueFault(fault('list'))
        if (input.length < minItems) throw new ValueFault(fault('not_empty'))
        if (input.length > maxItems) throw new ValueFault(fault('max_entries', { max: maxItems }))
        return readAll(input.entries(), entry => {
          if (entry === null) throw new ValueFault(fault('required'))
          return of.type.read(entry)
        })
      },
      show: value => (value as readonly unknown[]).map(entry => valueToJson(of.type, entry)),
    },
    options,
  )

/**
 * Names to values of one field. Answers only: nothing limits the names.
 *
 * @example mapOf(integer({ required: true }))
 */
export const mapOf = <Read, const O extends NestedOptions>(of: ValueField<Read>, options?: O) =>
  fieldOf<Present<Readonly<Record<string, NonNullable<Read>>>, O>>(
    {
      name: 'mapOf',
      schema: { type: 'object' },
      widget: 'json',
      entries: of,
      read: () => {
        throw new ValueFault(fault('map'))
      },
      show: value =>
        Object.fromEntries(Object.entries(value as object).map(([name, entry]) => [name, valueToJson(of.type, entry)])),
    },
    options ?? {},
  )

/**
 * A number of any kind, such as a measurement.
 *
 * @example number({ required: true })
 */
export const number = <const O extends NestedOptions>(options?: O) =>
  fieldOf<Present<number, O>>(
    {
      name: 'number',
      schema: { type: 'number' },
      widget: 'number',
      read: input => {
        if (typeof input !== 'number' || !Number.isFinite(input)) throw new ValueFault(fault('number'))
        return input
      },
    },
    options ?? {},
  )

/**
 * A required object in the form of a library, which checks it. Bodies are limited as a whole alone.
 *
 * @example jsonObject<Receipt>('What the till has printed.')
 */
export const jsonObject = <T extends object>(about: string) =>
  fieldOf<T>(
    {
      name: 'jsonObject',
      schema: { type: 'object' },
      widget: 'json',
      read: input => {
        if (typeof input !== 'object' || Array.isArray(input)) throw new ValueFault(fault('map'))
        return input
      },
    },
    { required: true, about },
  )

/**
 * An answer may leave the field out.
 *
 * @example optional(text({ required: true }))
 */
export const optional = <Read, Input>(of: ValueField<Read, Input>): ValueField<Read | undefined, Input | undefined> =>
  changed(of, field => ({ ...field, optional: true }))
