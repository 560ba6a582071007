// Values made of named parts, such as a postal address: one field, one column, the parts checked by their own types.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import type { Json, JsonSchema } from '../json.ts'
import type { GivenValues } from '../row.ts'
import { ValueFault } from '../value-fault.ts'
import { type ValueField, type ValueType, valueToJson } from '../value-field.ts'
import type { SentReference } from './relation.ts'
import { fieldOptions } from './value.ts'

type Parts = Readonly<Record<string, ValueField>>
/** A structure as it is stored. */
export type StoredParts<P extends Parts> = { readonly [K in keyof P]: P[K] extends ValueField<infer T> ? T : never }
type Stored = Readonly<Record<string, unknown>>
/** A structure as callers read it. */
export type ShownParts<P extends Parts> = {
  readonly [K in keyof P]: P[K] extends ValueField<unknown, unknown, infer T> ? T : never
}
type SentPart<F> = F extends ValueField<unknown, unknown, unknown, infer T> ? T : never
/** A structure as callers send it. */
export type SentParts<P extends Parts> = {
  readonly [K in keyof P as undefined extends SentPart<P[K]> ? never : K]: SentPart<P[K]>
} & { readonly [K in keyof P as undefined extends SentPart<P[K]> ? K : never]?: SentPart<P[K]> }

interface StructureOptions<T = unknown> extends FieldOptions<T> {
  /** The part by which a value is known again: parts that the service owns are kept for as long as it stays the same. */
  readonly identity: string
}

const structureOptions: OptionNames<StructureOptions> = { ...fieldOptions, identity: true }

/** One value of several parts. Parts may be computed from the others, or owned by the service. */
export const structure = <const P extends Parts, const O extends StructureOptions<StoredParts<P>>>(
  parts: P,
  options: Exactly<O, StructureOptions>,
): ValueField<
  StoredParts<P> | null,
  GivenValues<P> | null | undefined,
  ShownParts<P> | null,
  SentParts<P> | null | undefined
> => ({
  role: 'value',
  type: structureType(parts, options.identity) as ValueType,
  options,
  optionNames: structureOptions,
})

interface StructureListOptions<T = unknown> extends StructureOptions<T> {
  readonly maxItems?: number
}

const listOptions: OptionNames<StructureListOptions> = { ...structureOptions, maxItems: true }

/** Several values of the same parts, no two with the same identity. */
export const listOf = <const P extends Parts, const O extends StructureListOptions<readonly StoredParts<P>[]>>(
  parts: P,
  options: Exactly<O, StructureListOptions>,
): ValueField<
  readonly StoredParts<P>[],
  readonly GivenValues<P>[] | undefined,
  readonly ShownParts<P>[],
  readonly SentParts<P>[] | undefined
> => ({
  role: 'value',
  type: listType(parts, options.identity, options.maxItems ?? 20) as ValueType,
  options: { default: [], ...options },
  optionNames: listOptions,
})

const unsearchable = (): never => {
  throw new ValueFault(fault('unsearchable'))
}

const structureType = (parts: Parts, identity: string): ValueType<Stored> => ({
  name: 'structure',
  column: 'json',
  schema: schemaOf(parts),
  widget: 'structure',
  parts,
  withParts: others => structureType(others, identity) as ValueType,
  read: input => readParts(input, parts),
  readText: unsearchable,
  show: stored => showParts(stored, parts),
  keep: (value, before) => keepOwned(value, before ? [before] : [], { parts, identity }),
  wildcards: false,
})

const listType = (parts: Parts, identity: string, maxItems: number): ValueType<readonly Stored[]> => ({
  name: 'structures',
  column: 'json',
  schema: { type: 'array', items: schemaOf(parts), maxItems },
  widget: 'structures',
  parts,
  withParts: others => listType(others, identity, maxItems) as ValueType,
  read: input => {
    if (!Array.isArray(input)) throw new ValueFault(fault('list'))
    if (input.length > maxItems) throw new ValueFault(fault('max_entries', { max: maxItems }))
    const values = readAll(input.entries(), entry => readParts(entry, parts))
    if (new Set(values.map(value => value[identity])).size < values.length)
      throw new ValueFault(fault('duplicate_entry'))
    return values
  },
  readText: unsearchable,
  show: stored => stored.map(value => showParts(value, parts)),
  keep: (values, before) => values.map(value => keepOwned(value, before ?? [], { parts, identity })),
  wildcards: false,
})

/** Reads every entry, and reports the faults of all together, each with its place. */
export const readAll = <K extends string | number, T, R>(
  entries: Iterable<readonly [K, T]>,
  read: (entry: T, key: K) => R,
): R[] => {
  const values: R[] = []
  const faults: ValueFault['faults'][number][] = []
  for (const [key, entry] of entries) {
    try {
      values.push(read(entry, key))
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      faults.push(...error.faults.map(({ path = '', ...reason }) => ({ path: `/${key}${path}`, ...reason })))
    }
  }
  if (faults.length > 0) throw new ValueFault(...faults)
  return values
}

/** Unknown parts are ignored, and so are those that the service owns. */
export const readParts = (input: unknown, parts: Parts): Stored => {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ValueFault(fault('parts', { parts: Object.keys(parts) }))
  const values: Record<string, unknown> = {}
  const writable = Object.entries(parts).filter(([, { options, compute }]) => !compute && !options.serverOwned)
  readAll(writable, ({ type, options }, name) => {
    values[name] = readPart(Object.hasOwn(input, name) ? Object(input)[name] : null, type, options)
  })
  for (const [name, { compute, options }] of Object.entries(parts)) {
    if (compute) values[name] = compute(values)
    else if (options.serverOwned) values[name] = options.default ?? null
  }
  return inOrder(values, parts)
}

const readPart = (sent: unknown, type: ValueType, { required, default: usual }: FieldOptions): unknown => {
  if (sent !== null && sent !== undefined) return type.read(sent)
  if (required) throw new ValueFault(fault('required'))
  return usual ?? null
}

/** Sorts values, so that equal ones have equal texts: records are compared by them. */
const inOrder = (values: Stored, parts: Parts): Stored =>
  Object.fromEntries(Object.keys(parts).map(name => [name, values[name]]))

interface StructureShape {
  readonly parts: Parts
  readonly identity: string
}

const keepOwned = (value: Stored, before: readonly Stored[], { parts, identity }: StructureShape): Stored => {
  const same = before.find(one => one[identity] === value[identity])
  if (!same) return value
  const owned = Object.keys(parts).filter(name => parts[name]?.options.serverOwned && !parts[name]?.compute)
  return { ...value, ...Object.fromEntries(owned.map(name => [name, same[name]])) }
}

/** Stored parts → JSON. */
export const showParts = (stored: Stored, parts: Parts): Json =>
  Object.fromEntries(Object.entries(parts).map(([name, { type }]) => [name, valueToJson(type, stored[name])]))

/** The JSON Schema of an object of these parts. */
export const schemaOf = (parts: Parts): JsonSchema => {
  const required = Object.entries(parts).filter(([, { options }]) => options.required)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, partSchema(part)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  }
}

const partSchema = ({ type: { schema }, options, compute }: ValueField): JsonSchema => {
  const isOptional = !options.required && options.default === undefined && typeof schema.type === 'string'
  return {
    ...schema,
    ...(isOptional && { type: [String(schema.type), 'null'] }),
    ...((compute || options.serverOwned) && { readOnly: true }),
  }
}

/**
 * The pk of a record of another resource, as a part. That the record exists is for a hook to check.
 *
 * @example const order = defineShape('Order', { book: refPart('books', { required: true }), copies: integer() })
 */
export const refPart = <const O extends FieldOptions<string>>(
  target: string,
  options?: Exactly<O, FieldOptions>,
): ValueField<
  string | null,
  string | null | undefined,
  { readonly pk: string } | null,
  SentReference | null | undefined
> => ({
  role: 'value',
  type: {
    name: 'reference',
    column: 'text',
    schema: {
      type: 'object',
      properties: { pk: { type: 'string', minLength: 1, maxLength: 255 } },
      required: ['pk'],
      'x-relation': { resource: target, kind: 'one' },
    },
    widget: 'lookup',
    target,
    read: input => {
      const pk = typeof input === 'object' && input !== null ? pkIn(input) : input
      if (typeof pk !== 'string' || pk === '' || pk.length > 255 || !pk.isWellFormed() || pk.includes('\0'))
        throw new ValueFault(fault('reference'))
      return pk
    },
    readText: unsearchable,
    show: pk => ({ pk: String(pk) }),
    wildcards: false,
  },
  options: options ?? {},
  optionNames: fieldOptions,
})

const pkIn = (input: object): unknown => ('pk' in input ? input.pk : 'id' in input ? input.id : undefined)
