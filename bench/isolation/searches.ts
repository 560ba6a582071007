// The searches of the isolation benchmark: for each kind of search, the costliest that the budget allows, and one beyond it.

import { explain } from '../support/ask.ts'
import { wordSearches } from './notes.ts'

/** Writes a search from the resource's name on. `size` makes it cost more, from 1 to 100. */
type Kind = (size: number) => string

const largest = 100

/** Makes comparisons with letters outside ASCII, so that each value is folded before it is compared. */
const comparisons = (path: string, count: number): string =>
  encodeURIComponent(Array.from({ length: count }, (_, at) => `${path}=ilike=*é${at}*`).join(','))

const kinds: readonly Kind[] = [
  size => `localities?filter=${comparisons('path', size)}`,
  size => `localities?filter=${comparisons('parent.children.path', size)}&sort=-path`,
  size => `countries?filter=${comparisons('children.path', size)}`,
  size => `localities?filter=${comparisons('parent.name', size)}&sort=path&_pn=${size}`,
  size => `localities?sort=path&_ps=${5 * size}&include=parent.parent`,
  // Beyond the budget at every size: each record with all that have the same parent.
  () => 'localities?page=no&sort=path&include=parent.children',
]

export interface Searches {
  readonly allowed: readonly string[]
  readonly refused: readonly string[]
  readonly byWords: readonly string[]
}

export const findSearches = async (url: string): Promise<Searches> => {
  const found = { allowed: [] as string[], refused: [] as string[], byWords: wordSearches() }
  for (const kind of kinds) {
    const size = await largestAllowed(url, kind)
    if (size > 0) found.allowed.push(kind(size))
    if (size < largest) found.refused.push(kind(largest))
  }
  if (found.allowed.length === 0 || found.refused.length === 0)
    throw new Error(`${found.allowed.length} kinds of search are within the budget, and ${found.refused.length} beyond`)
  return found
}

/** 0 when none is. A larger search costs more, so half of the sizes are ruled out with each question. */
const largestAllowed = async (url: string, kind: Kind): Promise<number> => {
  let [allowed, refused] = [0, largest + 1]
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2)
    const explained = await explain(url, kind(middle))
    if (explained && explained.cost <= explained.budget) allowed = middle
    else refused = middle
  }
  return allowed
}
