// Where the pk of a record comes from: the values of `identifier` in a definition.

/** The source of a record's pk. */
export type Identifier =
  /** A UUID made by the service: v7, which grows with time, or v4 where it must not be guessable from another. */
  | { readonly kind: 'generated'; readonly unguessable?: boolean }
  /** The pk is given by the caller, such as a country code. */
  | { readonly kind: 'assigned'; readonly pattern: RegExp; readonly max: number }
  /** The pk of the record that the to-one field `by` names: at most one record for each. */
  | { readonly kind: 'shared'; readonly by: string }
  /** The pks of several to-one fields joined by `_`. `ofCaller`: the first is the caller unless the pk says otherwise. */
  | { readonly kind: 'composite'; readonly by: readonly string[]; readonly ofCaller?: boolean }
  /** The SHA-256, in hex, of a text field. */
  | { readonly kind: 'hashed'; readonly of: string }

/** The callers give the pk. */
export type AssignedIdentifier = Extract<Identifier, { readonly kind: 'assigned' }>

export const generated = (): Identifier => ({ kind: 'generated' })
/**
 * The pk is a random UUID, which tells nothing about others.
 *
 * @example identifier: unguessable()
 */
export const unguessable = (): Identifier => ({ kind: 'generated', unguessable: true })
/**
 * Lets callers assign the pk. `.` and `..` are refused: clients that resolve addresses take them for steps in the path.
 *
 * @example identifier: assigned(/^[A-Z]{2}$/, 2)
 */
export const assigned = (pattern: RegExp = /^(?!\.{1,2}$)[\w.~-]+$/, max = 100): AssignedIdentifier => ({
  kind: 'assigned',
  pattern,
  max,
})
/**
 * The pk is that of the record that a to-one field names: at most one record for each.
 *
 * @example identifier: sharedWith('user')
 */
export const sharedWith = (by: string): Identifier => ({ kind: 'shared', by })
/**
 * The pk is made of the pks of several to-one fields, joined by `_`.
 *
 * @example identifier: composedOf('book', 'reader')
 */
export const composedOf = (...by: string[]): Identifier => ({ kind: 'composite', by })
/**
 * Composes the pk as `composedOf` does, where callers may leave out the first part: it is they themselves.
 *
 * @example identifier: ownedBy('owner', 'book')
 */
export const ownedBy = (owner: string, ...others: string[]): Identifier => ({
  kind: 'composite',
  by: [owner, ...others],
  ofCaller: true,
})
/**
 * The pk is the SHA-256 of a text field, in hex.
 *
 * @example identifier: hashOf('address')
 */
export const hashOf = (of: string): Identifier => ({ kind: 'hashed', of })
