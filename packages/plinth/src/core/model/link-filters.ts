// Which related records stay hidden in the links and counts of a record.

import type { Filter, LinkFilters } from './query.ts'
import type { Member, Resource } from './resource.ts'
import type { View } from './view.ts'
import type { Visibility } from './views.ts'

const none: LinkFilters = new Map()
const shownLinks = new WeakMap<View, readonly RelatedMember[]>()

/** A member that shows something of the records of another resource. */
interface RelatedMember {
  readonly name: string
  readonly target: Resource | null
}

/** The members that show or count related records inside a record; the same for every request with this view. */
const relatedMembers = (view: View): readonly RelatedMember[] => {
  let members = shownLinks.get(view)
  if (!members) {
    members = [...view.members.values()].flatMap(member => {
      const { name, field, target } = member
      const isShown = field.role === 'links' ? field.embed : field.role === 'inverse' && field.single
      if (field.role === 'one' || isShown) return { name, target }
      return field.role === 'count' ? { name, target: countedResource(member) } : []
    })
    shownLinks.set(view, members)
  }
  return members
}

/** The resource whose records a count counts as far as the caller may read them; null for counts of all, and other fields. */
export const countedResource = ({ owner, field }: Member): Resource | null =>
  field.role === 'count' && !field.countsHidden ? (owner.members.get(field.relation)?.target ?? null) : null

/** What a record may show of its related records: the caller's visibility of each target. */
export const linkFiltersOf = (view: View, visibility: Visibility): LinkFilters => {
  let linkFilters: Map<string, Filter | false> | null = null
  for (const { name, target } of relatedMembers(view)) {
    const seen = target === null || visibility.records(target)
    if (seen === true) continue
    linkFilters ??= new Map()
    linkFilters.set(name, seen)
  }
  return linkFilters ?? none
}
