// Which documents have the words of a search, and how well they match (BM25). The same numbers come out on every database: scores are whole.

import type { Resource } from '../../model/resource.ts'
import {
  type FoundEntry,
  type FoundPhrase,
  type FoundSearch,
  type FoundWord,
  lengthShare,
  type RankedRecord,
  rarityOf,
  saturation,
} from '../../model/search/found-words.ts'
import { createPause, type Pause } from '../../pauses.ts'
import type { SqlSession } from '../sql/session.ts'
import { readBlocks } from './blocks.ts'
import { difference, intersection, placeOf, union } from './document-sets.ts'
import { type FreshDocument, type IndexState, partWith, readFresh, readState } from './index-state.ts'
import { phraseDocuments, standsIn } from './phrases.ts'
import { type Block, type PostingList, toList } from './postings.ts'
import { searchTablesOf } from './tables.ts'

/** The documents that match, those with a number in rising order. */
export interface Matches {
  readonly docs: Uint32Array
  readonly scores: Float64Array
  readonly fresh: readonly RankedRecord[]
  /** The records are all others: nothing but excluded words was searched for. */
  readonly isExcluding: boolean
}

/** Scores are whole numbers, in millionths. */
const scoreUnit = 1_000_000

/** What a word counts for that only begins as the one that was sent: less than the word itself. */
const openShare = 0.3

const noMatches: Matches = { docs: new Uint32Array(0), scores: new Float64Array(0), fresh: [], isExcluding: false }

const known = new WeakMap<FoundSearch, Promise<Matches>>()

/** The matches are looked up once for each search, although its page and its total both need them. */
export const matchesOf = (session: SqlSession, resource: Resource, search: FoundSearch): Promise<Matches> => {
  const before = known.get(search)
  if (before) return before
  const found = search.isEmpty ? Promise.resolve(noMatches) : evaluate(session, resource.holder, search)
  known.set(search, found)
  return found
}

/** The next time they are looked up again. */
export const forgetMatches = (search: FoundSearch): void => void known.delete(search)

/** What an evaluation works with. */
interface Evaluated {
  readonly search: FoundSearch
  readonly state: IndexState
  readonly blocks: ReadonlyMap<string, readonly Block[]>
  readonly lists: ReadonlyMap<string, PostingList>
  readonly fresh: readonly FreshDocument[]
}

const evaluate = async (session: SqlSession, resource: Resource, search: FoundSearch): Promise<Matches> => {
  const { words, phrases, excluded } = search
  const entries = [...new Set([...words.flatMap(word => word.entries.map(({ entry }) => entry)), ...excluded.flat(2)])]
  const parts = entries.map(entry => partWith(entry, true))
  // A document that gets its number in the meantime is found both ways, and none is missed.
  const fresh = await readFresh(session, resource, parts)
  const withPlaces = [...phrases, ...excluded].flat().some(({ length }) => length > 1)
  const index = { connection: session.connection, dialect: session.statements.dialect }
  const [state, blocks] = await Promise.all([
    readState(session, resource),
    readBlocks(index, searchTablesOf(resource), { entries, withPlaces }),
  ])
  const pause = createPause()
  const lists = new Map<string, PostingList>()
  for (const entry of entries) lists.set(entry, await toList(blocks.get(entry) ?? [], { gone: state.gone, pause }))
  return rank({ search, state, blocks, lists, fresh }, pause)
}

const rank = async (evaluated: Evaluated, pause: Pause): Promise<Matches> => {
  const { search, lists, fresh } = evaluated
  const isExcluding = search.words.length === 0
  let docs: Uint32Array | null = null
  for (const { entries } of search.words) {
    await pause()
    const having = union(entries.map(({ entry }) => lists.get(entry)?.docs ?? new Uint32Array(0)))
    docs = docs ? intersection(docs, having) : having
  }
  const left = docs
    ? restricted(evaluated, docs)
    : union(search.excluded.map(phrase => documentsWith(evaluated, phrase, null)))
  const scores = new Float64Array(left.length)
  const found: { readonly document: FreshDocument; score: number }[] = fresh
    .filter(document => isMatch(search, document) !== isExcluding)
    .map(document => ({ document, score: 0 }))
  for (const word of search.words) {
    const weigh = weightsOf(evaluated, word)
    for (const one of word.entries) {
      await pause()
      const scoreOf = weigh(one)
      const list = lists.get(one.entry)
      if (list) addScores({ docs: left, scores }, list, scoreOf)
      for (const each of found) {
        const [, weight = 0, length = 0] = each.document.entries.get(one.entry) ?? []
        if (weight > 0) each.score += scoreOf(weight, length)
      }
    }
  }
  return { docs: left, scores, fresh: found.map(({ document: { pk }, score }) => ({ pk, score })), isExcluding }
}

/** The documents that have the phrases as well, and nothing that is excluded. */
const restricted = (evaluated: Evaluated, docs: Uint32Array): Uint32Array => {
  const { phrases, excluded } = evaluated.search
  let left = docs
  for (const phrase of phrases) left = documentsWith(evaluated, phrase, left)
  for (const phrase of excluded) left = difference(left, documentsWith(evaluated, phrase, left))
  return left
}

/** The documents that have a phrase in one of the parts, of those given. */
const documentsWith = ({ lists, blocks }: Evaluated, phrase: FoundPhrase, among: Uint32Array | null): Uint32Array =>
  union(
    phrase.map(entries => {
      const sets = [...(among ? [among] : []), ...entries.map(entry => lists.get(entry)?.docs ?? new Uint32Array(0))]
      const docs = sets.reduce(intersection)
      return entries.length === 1
        ? docs
        : phraseDocuments(
            entries.map(entry => blocks.get(entry) ?? []),
            docs,
          )
    }),
  )

/** Does it have all the words, and nothing that is excluded? */
const isMatch = ({ words, phrases, excluded }: FoundSearch, { entries }: FreshDocument): boolean => {
  const has = (phrase: FoundPhrase): boolean =>
    phrase.some(row => standsIn(row.map(entry => entries.get(entry)?.slice(3).map(Number) ?? [])))
  const isExcluded = excluded.some(has)
  if (words.length === 0) return !isExcluded
  return !isExcluded && words.every(word => word.entries.some(({ entry }) => entries.has(entry))) && phrases.every(has)
}

type ScoreOf = (weight: number, length: number) => number

/**
 * BM25: the more often a word occurs the better, but less and less so; in a short document it counts more; and the rarer it is. Several
 * entries of one word count as one that is as frequent as all of them.
 */
const weightsOf = ({ state, lists, fresh }: Evaluated, { entries }: FoundWord): ((entry: FoundEntry) => ScoreOf) => {
  const having = entries.reduce(
    (sum, { entry }) =>
      sum + (lists.get(entry)?.docs.length ?? 0) + fresh.filter(document => document.entries.has(entry)).length,
    0,
  )
  const rarity = rarityOf(Math.min(having, state.documents), state.documents)
  const byLength = (saturation * lengthShare) / Math.max(1, state.averageLength)
  const constant = saturation * (1 - lengthShare)
  return ({ isExact }) => {
    const most = (isExact ? rarity : rarity * openShare) * (saturation + 1) * scoreUnit
    return (weight, length) => Math.floor((most * weight) / (weight + constant + byLength * length))
  }
}

const addScores = ({ docs, scores }: Pick<Matches, 'docs' | 'scores'>, list: PostingList, scoreOf: ScoreOf): void => {
  let from = 0
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at] ?? 0
    from = placeOf(list.docs, doc, from)
    if (list.docs[from] === doc)
      scores[at] = (scores[at] ?? 0) + scoreOf(list.weights[from] ?? 0, list.lengths[from] ?? 0)
  }
}
