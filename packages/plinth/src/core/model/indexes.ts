// Which searches and sorts an index serves. The tables create these indexes, statements are built to use them, and the cost of a
// query depends on them: an index that is added must be declared here.

import type { ToOneField } from './field.ts'
import type { Member, Resource } from './resource.ts'
import type { ValueField } from './value-field.ts'

/** What an index is used for. `prefix` and `contains` are wildcards: `Al*` and `*l*`. */
type IndexUse = 'equality' | 'range' | 'prefix' | 'contains' | 'order'

/** A B-tree entry of PostgreSQL takes at most 2704 bytes; the row's own header needs a few of them. */
export const maxIndexEntry = 2600

/**
 * Does an index serve this use of the field? `ignoreCase` is about wildcards alone. A part of a text is served from three
 * characters on.
 */
export const isIndexed = (member: Member, use: IndexUse, ignoreCase = false): boolean => {
  const { owner, field } = member
  if (use === 'contains' || ignoreCase) return hasTextIndexes(member)
  if (member === owner.pk) return true
  const { definition } = owner
  const leads = [...(definition.indexes ?? []), ...(definition.uniqueTogether ?? [])].some(
    ([first]) => first === member.name,
  )
  return hasOwnIndex(member) || field.options.unique === true || (leads && use !== 'order')
}

/** Has it a column of its own in the table of its resource? */
export const isColumn = (member: Member): member is ColumnMember =>
  member.field.role === 'one' || (member.field.role === 'value' && !member.field.transient)

type ColumnMember = Member & { readonly field: ValueField | ToOneField }

/** Has the field an index on its value and the pk? It gives the order that paging by key needs. */
export const hasOwnIndex = (member: Member): boolean => {
  const { field, owner } = member
  if (!isColumn(member) || member === owner.pk) return false
  const { unique, indexed, required } = field.options
  // Without absent values a unique index already gives that order.
  if (unique === true && required === true) return false
  const isWanted = field.role === 'one' || Boolean(indexed) || member === owner.label
  // An index is a matter of speed: one that could make PostgreSQL refuse a long text is left out.
  return isWanted && indexWidthOf(member) + indexWidthOf(owner.pk) <= maxIndexEntry
}

/**
 * Is the text searched with wildcards, without regard to case and for a part of it? Labels are, in every list. Each such index adds
 * to the cost of a write, so other fields ask for them.
 */
export const hasTextIndexes = (member: Member): boolean => {
  const { field, owner } = member
  if (field.role !== 'value' || field.transient || !field.type.wildcards || field.type.column !== 'text') return false
  if (member === owner.pk || owner.definition.internal || owner.holder) return false
  const isWanted = member === owner.label || field.options.indexed === 'anywhere'
  return isWanted && indexWidthOf(member) + indexWidthOf(owner.pk) <= maxIndexEntry
}

/**
 * The records that refer to one record are listed in the order of their labels, so a reference has an index for that. References
 * that only the service writes, such as `createdBy`, have none: lists are not sorted by them.
 */
export const hasLabelOrder = (member: Member): boolean => {
  const { field, owner } = member
  const { label, definition } = owner
  if (field.role !== 'one' || field.options.serverOwned || !label || definition.internal) return false
  return indexWidthOf(member) + indexWidthOf(label) + indexWidthOf(owner.pk) <= maxIndexEntry
}

/** The orders that indexes keep, as members: matches of equality with the first ones come in the order of the others. */
export const ordersOf = (resource: Resource): readonly (readonly string[])[] => {
  let orders = knownOrders.get(resource)
  if (!orders) {
    const members = [...resource.members.values()]
    orders = [
      ['pk'],
      ...members.filter(hasOwnIndex).map(({ name }) => [name, 'pk']),
      ...members.filter(hasLabelOrder).map(({ name }) => [name, resource.label?.name ?? 'pk', 'pk']),
      ...(resource.definition.indexes ?? []),
    ]
    knownOrders.set(resource, orders)
  }
  return orders
}

const knownOrders = new WeakMap<Resource, readonly (readonly string[])[]>()

/** The most bytes that a value can take in an index: a UTF-16 unit becomes at most three bytes of UTF-8. */
export const indexWidthOf = ({ field }: Member): number => {
  if (field.role === 'one') return 3 * 255
  if (field.role !== 'value' || field.type.column === 'json') return Number.POSITIVE_INFINITY
  if (field.type.column !== 'text') return 8
  const { maxLength, enum: choices } = field.type.schema
  if (typeof maxLength === 'number') return 3 * maxLength
  return Array.isArray(choices) ? 3 * Math.max(...choices.map(choice => String(choice).length)) : 3 * 255
}
