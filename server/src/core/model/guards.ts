// Which related records stay hidden in a record's own links.

import type { Filter, Guards } from './query.ts'
import type { Member } from './resource.ts'
import type { Sight } from './sight.ts'
import type { View } from './view.ts'

const none: Guards = new Map()
const shownLinks = new WeakMap<View, readonly Member[]>()

/** The members that show related records inside a record; the same for every request with this view. */
const linksOf = (view: View): readonly Member[] => {
  let links = shownLinks.get(view)
  if (!links) {
    links = [...view.members.values()].filter(
      ({ field }) => field.role === 'one' || (field.role === 'links' && field.embed),
    )
    shownLinks.set(view, links)
  }
  return links
}

/** What a record may show of its related records: the caller's own sight of each target. */
export const guardsOf = (view: View, sight: Sight): Guards => {
  let guards: Map<string, Filter | false> | null = null
  for (const { name, target } of linksOf(view)) {
    const seen = target === null || sight.records(target)
    if (seen === true) continue
    guards ??= new Map()
    guards.set(name, seen)
  }
  return guards ?? none
}
