// Searches that were read before: clients repeat theirs, and to read one takes many steps.

import { LRUCache } from 'lru-cache'
import type { Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import type { Visibility } from '../model/views.ts'
import type { Parameters } from './parameters.ts'
import { readSearch, type Search, type SearchContext } from './read-query.ts'

interface KnownSearch {
  readonly search: Search
  /** What the caller could see of every resource that the search touches: for others it may mean something else. */
  readonly views: ReadonlyMap<Resource, View>
  readonly records: ReadonlyMap<Resource, boolean>
}

const maxKnown = 1000
/** The longest search that is remembered: longer ones are rarely repeated. */
const maxLength = 500

const known = new LRUCache<string, KnownSearch>({ max: maxKnown })

/** `text` is the query as sent, and `parameters` are read from it. */
export const readKnownSearch = (
  { text, parameters }: { readonly text: string; readonly parameters: Parameters },
  resource: Resource,
  context: SearchContext,
): Search => {
  const { visibility } = context
  const key = `${numberOf(visibility.view(resource))} ${context.style} ${text}`
  const before = known.get(key)
  if (before && isSeenAlike(before, visibility)) return { ...before.search, viewOf: visibility.view }
  const witness = witnessOf(visibility)
  const search = readSearch(parameters, resource, { ...context, visibility: witness })
  const isPlain = search.include.length === 0 && search.view === visibility.view(resource)
  const records = witness.answers()
  if (isPlain && records && text.length <= maxLength) known.set(key, { search, records, views: witness.views })
  return search
}

const isSeenAlike = ({ views, records }: KnownSearch, visibility: Visibility): boolean => {
  for (const [resource, view] of views) if (visibility.view(resource) !== view) return false
  for (const [resource, answer] of records) if (visibility.records(resource) !== answer) return false
  return true
}

/** Notes what a search asks about the caller's rights. */
const witnessOf = (visibility: Visibility) => {
  const views = new Map<Resource, View>()
  const records = new Map<Resource, boolean>()
  let dependsOnCaller = false
  return {
    views,
    /** Returns null when a rule about single records was met: what it says may change with the caller and the time. */
    answers: () => (dependsOnCaller ? null : records),
    view: (resource: Resource) => {
      const view = visibility.view(resource)
      views.set(resource, view)
      return view
    },
    records: (resource: Resource) => {
      const seen = visibility.records(resource)
      if (typeof seen === 'boolean') records.set(resource, seen)
      else dependsOnCaller = true
      return seen
    },
  }
}

const numbers = new WeakMap<View, number>()
let lastNumber = 0

/** A view belongs to one service, so that services in one process share nothing. */
const numberOf = (view: View): number => {
  const number = numbers.get(view) ?? ++lastNumber
  numbers.set(view, number)
  return number
}
