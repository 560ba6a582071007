// Which related records stay hidden in the links and counts of a record.

import type { Filter, LinkFilters } from './query.ts'
import type { Resource, ResourceField } from './resource.ts'
import type { View } from './view.ts'
import type { Visibility } from './views.ts'

const none: LinkFilters = new Map()
const relatedFieldsByView = new WeakMap<View, readonly RelatedField[]>()

/** A field that shows something of the records of another resource. */
interface RelatedField {
  readonly name: string
  readonly target: Resource | null
}

/** The fields that show or count related records inside a record; the same for every request with this view. */
const relatedFields = (view: View): readonly RelatedField[] => {
  let fields = relatedFieldsByView.get(view)
  if (!fields) {
    fields = [...view.fields.values()].flatMap(field => {
      const { name, definition, target } = field
      const isShown =
        definition.role === 'links' ? definition.embed : definition.role === 'inverse' && definition.single
      if (definition.role === 'one' || isShown) return { name, target }
      return definition.role === 'count' ? { name, target: countedResource(field) } : []
    })
    relatedFieldsByView.set(view, fields)
  }
  return fields
}

/** The resource whose records a count counts as far as the caller may read them; null for counts of all, and other fields. */
export const countedResource = ({ owner, definition }: ResourceField): Resource | null =>
  definition.role === 'count' && !definition.countsHidden
    ? (owner.fields.get(definition.relation)?.target ?? null)
    : null

/** What a record may show of its related records: the caller's visibility of each target. */
export const linkFiltersOf = (view: View, visibility: Visibility): LinkFilters => {
  let linkFilters: Map<string, Filter | false> | null = null
  for (const { name, target } of relatedFields(view)) {
    const seen = target === null || visibility.records(target)
    if (seen === true) continue
    linkFilters ??= new Map()
    linkFilters.set(name, seen)
  }
  return linkFilters ?? none
}
