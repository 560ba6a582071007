// The searched fields that a caller may read.

import type { Resource } from '../resource.ts'
import type { Visibility } from '../views.ts'
import { type SearchedField, searchIndexOf } from './search-index.ts'

/**
 * Fields of related records are searched for callers who may read all of these records: words have no owner, so nothing could be left out
 * for others.
 */
export const readableOf = (resource: Resource, visibility: Visibility): readonly SearchedField[] => {
  const { fields } = visibility.view(resource)
  return (searchIndexOf(resource)?.fields ?? []).filter(({ field, via }) => {
    if (!via) return fields.has(field.name)
    const { target } = via
    const isVisible = fields.has(via.name) && target !== null && visibility.records(target) === true
    return isVisible && visibility.view(target).fields.has(field.name)
  })
}
