// Which related records stay hidden in a record's own links and counts.

import type { Filter, Guards } from './query.ts'
import type { Member, Resource } from './resource.ts'
import type { Sight } from './sight.ts'
import type { View } from './view.ts'

const none: Guards = new Map()
const shownLinks = new WeakMap<View, readonly Telling[]>()

/** A member that tells something of the records of another resource. */
interface Telling {
  readonly name: string
  readonly target: Resource | null
}

/** The members that show or count related records inside a record; the same for every request with this view. */
const tellingMembers = (view: View): readonly Telling[] => {
  let members = shownLinks.get(view)
  if (!members) {
    members = [...view.members.values()].flatMap(member => {
      const { name, field, target } = member
      const isShown = field.role === 'links' ? field.embed : field.role === 'inverse' && field.single
      if (field.role === 'one' || isShown) return { name, target }
      return field.role === 'count' ? { name, target: countedInSight(member) } : []
    })
    shownLinks.set(view, members)
  }
  return members
}

/** The resource whose records a count counts as far as the caller may read them; null for counts of all, and other fields. */
export const countedInSight = ({ owner, field }: Member): Resource | null =>
  field.role === 'count' && !field.countsHidden ? (owner.members.get(field.relation)?.target ?? null) : null

/** What a record may show of its related records: the caller's own sight of each target. */
export const guardsOf = (view: View, sight: Sight): Guards => {
  let guards: Map<string, Filter | false> | null = null
  for (const { name, target } of tellingMembers(view)) {
    const seen = target === null || sight.records(target)
    if (seen === true) continue
    guards ??= new Map()
    guards.set(name, seen)
  }
  return guards ?? none
}
