// Which searches and sorts an index serves. The tables create these indexes, statements are built to use them, and the cost of a
// query depends on them: an index that is added must be declared here.

import type { ToOneField } from './field.ts'
import type { Resource, ResourceField } from './resource.ts'
import { isScalar, type ValueField } from './value-field.ts'

/** What an index is used for. `prefix` and `contains` are wildcards: `Al*` and `*l*`. */
type IndexUse = 'equality' | 'range' | 'prefix' | 'contains' | 'order'

/** A B-tree entry of PostgreSQL takes at most 2704 bytes; the row's own header needs a few of them. */
export const maxIndexEntry = 2600

/**
 * Does an index serve this use of the field? `ignoreCase` is about wildcards alone. A part of a text is served from three
 * characters on.
 */
export const isIndexed = (field: ResourceField, use: IndexUse, ignoreCase = false): boolean => {
  const { owner } = field
  if (owner.definition.view) return false
  if (use === 'contains' || ignoreCase) return hasTextIndexes(field)
  if (field === owner.pk) return true
  const { definition } = owner
  const leads = [...(definition.indexes ?? []), ...(definition.uniqueTogether ?? [])].some(
    ([first]) => first === field.name,
  )
  return hasOwnIndex(field) || field.definition.options.unique === true || (leads && use !== 'order')
}

/** Has it a column of its own in the table of its resource? */
export const isColumn = (field: ResourceField): field is ColumnField =>
  field.definition.role === 'one' || (field.definition.role === 'value' && !field.definition.transient)

type ColumnField = ResourceField & { readonly definition: ValueField | ToOneField }

/** Has the field an index on its value and the pk? It gives the order that paging by key needs. */
export const hasOwnIndex = (field: ResourceField): boolean => {
  const { definition, owner } = field
  if (!isColumn(field) || field === owner.pk || owner.definition.view) return false
  const { unique, indexed, required } = definition.options
  // Without absent values a unique index already gives that order.
  if (unique === true && required === true) return false
  const isWanted = definition.role === 'one' || Boolean(indexed) || field === owner.label
  // An index is a matter of speed: one that could make PostgreSQL refuse a long text is left out.
  return isWanted && indexWidthOf(field) + indexWidthOf(owner.pk) <= maxIndexEntry
}

/**
 * Is the text searched with wildcards, without regard to case and for a part of it? Labels are, in every list. Each such index adds
 * to the cost of a write, so other fields ask for them.
 */
export const hasTextIndexes = (field: ResourceField): boolean => {
  const { definition, owner } = field
  if (
    definition.role !== 'value' ||
    definition.transient ||
    !definition.type.wildcards ||
    definition.type.column !== 'text'
  )
    return false
  if (field === owner.pk || owner.definition.internal || owner.holder !== owner || owner.definition.view) return false
  const isWanted = field === owner.label || definition.options.indexed === 'anywhere'
  return isWanted && indexWidthOf(field) + indexWidthOf(owner.pk) <= maxIndexEntry
}

/**
 * The records that refer to one record are listed in the order of their labels, so a reference has an index for that. References
 * that only the service writes, such as `createdBy`, have none: lists are not sorted by them.
 */
export const hasLabelOrder = (field: ResourceField): boolean => {
  const { owner } = field
  const { label, definition } = owner
  const isListed = field.definition.role === 'one' && !field.definition.options.serverOwned
  if (!isListed || !label || definition.internal || definition.view) return false
  return indexWidthOf(field) + indexWidthOf(label) + indexWidthOf(owner.pk) <= maxIndexEntry
}

/** The orders that indexes keep, as fields: matches of equality with the first ones come in the order of the others. */
export const ordersOf = (resource: Resource): readonly (readonly string[])[] => {
  let orders = knownOrders.get(resource)
  if (!orders) {
    const fields = [...resource.fields.values()]
    orders = [
      ['pk'],
      ...fields.filter(hasOwnIndex).map(({ name }) => [name, 'pk']),
      ...fields.filter(hasLabelOrder).map(({ name }) => [name, resource.label?.name ?? 'pk', 'pk']),
      ...(resource.definition.indexes ?? []),
    ]
    knownOrders.set(resource, orders)
  }
  return orders
}

const knownOrders = new WeakMap<Resource, readonly (readonly string[])[]>()

/** The most bytes that a value can take in an index: a UTF-16 unit becomes at most three bytes of UTF-8. */
export const indexWidthOf = ({ definition }: ResourceField): number => {
  if (definition.role === 'one') return 3 * 255
  if (definition.role !== 'value' || !isScalar(definition.type)) return Number.POSITIVE_INFINITY
  if (definition.type.column !== 'text') return 8
  const { maxLength, enum: choices } = definition.type.schema
  if (typeof maxLength === 'number') return 3 * maxLength
  return Array.isArray(choices) ? 3 * Math.max(...choices.map(choice => String(choice).length)) : 3 * 255
}
