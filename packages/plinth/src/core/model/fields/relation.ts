// References between records, and what is counted over them.

import type { ResourceModel } from '../definition.ts'
import type { CountField, InverseField, LinkField, OnDelete, ToOneField } from '../field.ts'
import type { CommonOptions, Exactly, FieldOptions, OptionNames, WrittenOptions } from '../field-options.ts'
import type { Link } from '../record.ts'
import { commonOptions, fieldOptions, writtenOptions } from './value.ts'

/** The resource at the other end: its definition, or its name where two definitions refer to one another. */
type Target = string | ResourceModel

type NameOf<T extends Target> = T extends ResourceModel ? T['name'] : T & string

type Related<T extends Target> = T extends ResourceModel ? T : unknown

const nameOf = <T extends Target>(target: T): NameOf<T> =>
  (typeof target === 'string' ? target : target.name) as NameOf<T>

interface ReferenceOptions extends FieldOptions<string> {
  /** What happens when the referenced record is deleted: `refuse` (the default), `clear` or `cascade`. */
  readonly onDelete?: OnDelete
  /** Returns only the pk of the referenced record, without its label. */
  readonly bare?: boolean
}

const referenceOptions: OptionNames<ReferenceOptions> = { ...fieldOptions, onDelete: true, bare: true }

type ReferenceReadAs<O> = O extends { readonly required: true } ? Link : Link | null

/** Code that writes a record gives the pk. What has a default, or is set by the service, may be left out. */
type ReferenceGivenAs<O> = O extends { readonly required: true }
  ? O extends { readonly default: unknown } | { readonly serverOwned: true }
    ? string | undefined
    : string
  : string | null | undefined

/** Callers send the pk, or any object that has it. */
export type SentReference = string | { readonly pk: string }

type ReferenceSentAs<O> = O extends { readonly serverOwned: true }
  ? never
  : SentReference | Exclude<ReferenceGivenAs<O>, string>

/**
 * A reference to one record of the resource `target`. With its definition, `ref(customers)`, queries along the relation are typed;
 * with its name, `ref('customers')`, definitions can refer to one another.
 *
 * @example ref('authors', { required: true, onDelete: 'refuse' })
 */
export const ref = <const T extends Target, const O extends ReferenceOptions>(
  target: T,
  options?: Exactly<O, ReferenceOptions>,
): ToOneField<ReferenceReadAs<O>, ReferenceGivenAs<O>, NameOf<T>, ReferenceSentAs<O>, Related<T>> => ({
  role: 'one',
  target: nameOf(target),
  onDelete: options?.onDelete ?? 'refuse',
  ...(options?.bare && { bare: true }),
  options: options ?? {},
  optionNames: referenceOptions,
})

/** The fields of a definition that refer to records; any name, where only that of the resource is known. */
type ReferringField<T> =
  T extends ResourceModel<infer Fields>
    ? { [K in keyof Fields & string]: Fields[K] extends ToOneField | LinkField ? K : never }[keyof Fields & string]
    : string

interface InverseOptions<T = string> extends CommonOptions {
  /** The field of the other resource that refers to this record. */
  readonly by: ReferringField<T>
}

const inverseOptions: OptionNames<InverseOptions> = { ...commonOptions, by: true }

/**
 * The records of `target` whose field `by` refers to this one.
 *
 * @example many('loans', { by: 'book' })
 */
export const many = <const T extends Target, const O extends InverseOptions<T>>(
  target: T,
  options: Exactly<O, InverseOptions<T>>,
): InverseField<false, NameOf<T>, Related<T>, O['by']> => ({
  role: 'inverse',
  target: nameOf(target),
  by: options.by,
  options,
  optionNames: inverseOptions,
})

/**
 * The one record of `target`, if any, whose field `by` refers to this one: each record has its own.
 *
 * @example hasOne('loans', { by: 'book' })
 */
export const hasOne = <const T extends Target, const O extends InverseOptions<T>>(
  target: T,
  options: Exactly<O, InverseOptions<T>>,
): InverseField<true, NameOf<T>, Related<T>, O['by']> => ({
  role: 'inverse',
  target: nameOf(target),
  by: options.by,
  single: true,
  options,
  optionNames: inverseOptions,
})

interface LinkOptions extends WrittenOptions {
  /** Returns the linked records in their short form. */
  readonly embed?: boolean
}

const linkOptions: OptionNames<LinkOptions> = { ...writtenOptions, embed: true }

/**
 * Many-to-many, kept on this side; the other side may declare `many(…, { by })`.
 *
 * @example links('tags')
 */
export const links = <const T extends Target, const O extends LinkOptions>(
  target: T,
  options?: Exactly<O, LinkOptions>,
): LinkField<O extends { readonly embed: true } ? true : false, NameOf<T>, Related<T>> => ({
  role: 'links',
  target: nameOf(target),
  embed: (options?.embed ?? false) as O extends { readonly embed: true } ? true : false,
  options: options ?? {},
  optionNames: linkOptions,
})

interface CountFieldOptions extends CommonOptions, Pick<CountField, 'where' | 'countsHidden'> {}

const countOptions: OptionNames<CountFieldOptions> = { ...commonOptions, where: true, countsHidden: true }

/**
 * The sum of a field of the records that the inverse relation has; by default of those that the caller may read. It is computed for each
 * read, so it is right whatever is written at the same time.
 *
 * @example
 * lines: many('lines', { by: 'invoice' }),
 * total: summed('lines', 'amount'),
 */
export const summed = <const O extends CountFieldOptions>(
  relation: string,
  field: string,
  options?: Exactly<O, CountFieldOptions>,
): CountField => ({ ...counted(relation, options), sum: field })

/**
 * How many records the inverse relation has; by default only those that the caller may read.
 *
 * @example counted('books', { title: 'Books' })
 */
export const counted = <const O extends CountFieldOptions>(
  relation: string,
  options?: Exactly<O, CountFieldOptions>,
): CountField => ({
  role: 'count',
  relation,
  ...(options?.where && { where: options.where }),
  ...(options?.countsHidden && { countsHidden: true }),
  options: options ?? {},
  optionNames: countOptions,
})
