// What one caller may see: records and fields. Callers with the same rights share one view, and with it all that was compiled for it.

import type { Caller } from './caller.ts'
import type { Filter } from './query.ts'
import type { Member, Resource } from './resource.ts'
import type { MemberRules } from './rule-book.ts'
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
  const readable = [...resource.members.values()].filter(member => !member.field.options.writeOnly)
  const whole = toView(resource, readable)
  const guarded = readable.filter(member => memberRules.get(member)?.readable)
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
        readable.filter(member => !hidden.includes(member)),
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
