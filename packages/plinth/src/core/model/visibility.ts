// What one caller may see: records, members, and what records show of related ones.

import type { MemberRules } from './access.ts'
import type { Caller } from './caller.ts'
import type { Filter, LinkFilters } from './query.ts'
import type { Member, Resource } from './resource.ts'
import type { View } from './view.ts'

/**
 * Everything that one caller may see. Asked wherever a search, a relation or an include leaves one resource for
 * another, so that no way of reading shows more than reading the record itself would.
 */
export interface Visibility {
  /** All records, none of them, or those that match. */
  records(resource: Resource): boolean | Filter
  /** The members that the caller may read. Others behave as if they did not exist. */
  view(resource: Resource): View
}

// Which related records stay hidden in the links and counts of a record

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

// Which members a caller sees. Callers with the same rights share one view, and with it all that was compiled for it.

export const createViews = (memberRules: ReadonlyMap<Member, MemberRules>) => {
  const known = new Map<Resource, ReturnType<typeof createViewsOf>>()
  return (resource: Resource, caller: Caller): View => {
    let viewsOf = known.get(resource)
    if (!viewsOf) {
      viewsOf = createViewsOf(resource, memberRules)
      known.set(resource, viewsOf)
    }
    return viewsOf(caller)
  }
}

const createViewsOf = (resource: Resource, memberRules: ReadonlyMap<Member, MemberRules>) => {
  const shown = [...resource.members.values()].filter(member => !member.field.options.writeOnly)
  const whole = toView(resource, shown)
  const guarded = shown.filter(member => memberRules.get(member)?.readable)
  if (guarded.length === 0) return () => whole
  const byHidden = new Map<string, View>()
  return (caller: Caller): View => {
    const hidden = guarded.filter(member => memberRules.get(member)?.readable?.decide(caller) === false)
    if (hidden.length === 0) return whole
    const key = hidden.map(member => member.name).join()
    let view = byHidden.get(key)
    if (!view) {
      view = toView(
        resource,
        shown.filter(member => !hidden.includes(member)),
      )
      byHidden.set(key, view)
    }
    return view
  }
}

const toView = (resource: Resource, members: readonly Member[]): View => ({
  resource,
  members: new Map(members.map(member => [member.name, member])),
})
