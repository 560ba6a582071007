// References between records, and what is counted over them.

import type { CountField, FieldOptions, InverseField, LinkField, OnDelete, ToOneField } from '../field.ts'

interface ReferenceOptions extends FieldOptions {
  readonly onDelete?: OnDelete
  readonly bare?: boolean
}

/** A reference to one record of the resource at `target`. */
export const ref = <const O extends ReferenceOptions>(
  target: string,
  options: O = {} as O,
): ToOneField<O extends { required: true } ? false : true> => ({
  role: 'one',
  target,
  onDelete: options.onDelete ?? 'refuse',
  ...(options.bare && { bare: true }),
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

interface CountOptions extends FieldOptions, Pick<CountField, 'where' | 'countsHidden'> {}

/** How many records the inverse relation has; by default only those that the caller may read. */
export const counted = (relation: string, options: CountOptions = {}): CountField => ({
  role: 'count',
  relation,
  ...(options.where && { where: options.where }),
  ...(options.countsHidden && { countsHidden: true }),
  options,
})
