// Which documents have the words of a search, and how well they match (BM25). The same numbers come out on every database: scores are whole.

import type { Resource } from '../../model/resource.ts'
import {
  type FoundEntry,
  type FoundPhrase,
  type FoundSearch,
  type FoundWord,
  lengthShare,
  rarityOf,
  saturation,
} from '../../model/search/found-words.ts'
import { createPause, type Pause } from '../../pauses.ts'
import type { SqlSession } from '../sql/session.ts'
import { difference, placeOf, union } from './document-sets.ts'
import { type FreshDocument, type IndexState, partWith, readFresh, readState } from './index-state.ts'
import { phraseDocuments, standsIn } from './phrases.ts'
import { openPieces, type PostingPieces } from './posting-pieces.ts'
import { type PostingList, PostingsAmong, toList } from './postings.ts'
import { type Matches, noMatches, type ScoredDocuments } from './scored-documents.ts'
import { likeOne, together } from './similar-matches.ts'
import { searchTablesOf } from './tables.ts'

/** Scores are whole numbers, in millionths. */
const scoreUnit = 1_000_000

/** What a word counts for that only begins as the one that was sent: less than the word itself. */
const openShare = 0.3

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
  readonly pieces: PostingPieces
  readonly fresh: readonly FreshDocument[]
  /** Those of them that match, with their scores. */
  readonly found: readonly { readonly document: FreshDocument; score: number }[]
  readonly pause: Pause
}

const evaluate = async (session: SqlSession, resource: Resource, search: FoundSearch): Promise<Matches> => {
  const { words, excluded } = search
  const isExcluding = words.length === 0
  const entries = new Set([...words.flatMap(word => word.entries.map(({ entry }) => entry)), ...excluded.flat(2)])
  const parts = [...entries].map(entry => partWith(entry, true))
  const index = { connection: session.connection, dialect: session.statements.dialect }
  // A document that gets its number in the meantime is found both ways, and none is missed.
  const fresh = await readFresh(session, resource, parts)
  const [state, pieces] = await Promise.all([
    readState(session, resource),
    openPieces(index, searchTablesOf(resource), words),
  ])
  const found = fresh
    .filter(document => search.similarTo !== undefined || isMatch(search, document) !== isExcluding)
    .map(document => ({ document, score: 0 }))
  const evaluated = { search, state, pieces, fresh, found, pause: createPause() }
  const scored = isExcluding ? await excludedIn(evaluated) : await scoredBy(evaluated)
  const matches = { ...scored, fresh: found.map(({ document: { pk }, score }) => ({ pk, score })), isExcluding }
  return search.similarTo === undefined ? matches : likeOne({ session, resource, pk: search.similarTo }, matches)
}

const scoredBy = async (evaluated: Evaluated): Promise<ScoredDocuments> => {
  if (evaluated.search.similarTo !== undefined) return anyIn(evaluated)
  return restricted(evaluated, await scoredIn(evaluated))
}

/** The documents that have any of the words. */
const anyIn = async (evaluated: Evaluated): Promise<ScoredDocuments> => {
  let all: ScoredDocuments = noMatches
  for (const word of evaluated.search.words) all = together(all, await begun(evaluated, word))
  return all
}

/** The documents that have all words: those of the rarest one, of which each further word leaves some. */
const scoredIn = async (evaluated: Evaluated): Promise<ScoredDocuments> => {
  let left: ScoredDocuments | null = null
  for (const word of evaluated.search.words)
    left = left ? await narrowed(evaluated, left, word) : await begun(evaluated, word)
  return left ?? noMatches
}

const begun = async (evaluated: Evaluated, word: FoundWord): Promise<ScoredDocuments> => {
  const lists: PostingList[] = []
  for (const { entry } of word.entries) lists.push(await listOf(evaluated, entry))
  const docs = union(lists.map(list => list.docs))
  const scored = { docs, scores: new Float64Array(docs.length) }
  const numbered = lists.reduce((sum, list) => sum + list.docs.length, 0)
  const weigh = weightsOf(evaluated, word, numbered)
  for (const [at, entry] of word.entries.entries()) {
    await evaluated.pause()
    const [list, scoreOf] = [lists[at], weigh(entry)]
    if (list) addScores(scored, list, scoreOf)
    addFreshScores(evaluated, entry.entry, scoreOf)
  }
  return scored
}

const listOf = async ({ pieces, state: { gone }, pause }: Evaluated, entry: string): Promise<PostingList> => {
  const all = []
  for await (const blocks of pieces.piecesOf(entry)) all.push(...blocks)
  return toList(all, { gone, pause })
}

/** Those of the documents that have another word, too: its list passes by, and only what is of them is kept. */
const narrowed = async (
  evaluated: Evaluated,
  { docs, scores }: ScoredDocuments,
  word: FoundWord,
): Promise<ScoredDocuments> => {
  const hits: PostingsAmong[] = []
  for (const { entry } of word.entries) hits.push(await postingsAmong(evaluated, entry, docs))
  const numbered = hits.reduce((sum, { count }) => sum + count, 0)
  const weigh = weightsOf(evaluated, word, numbered)
  const isHit = new Uint8Array(docs.length)
  for (const [at, entry] of word.entries.entries()) {
    await evaluated.pause()
    const scoreOf = weigh(entry)
    hits[at]?.forEach((place, weight, length) => {
      isHit[place] = 1
      scores[place] = (scores[place] ?? 0) + scoreOf(weight, length)
    })
    addFreshScores(evaluated, entry.entry, scoreOf)
  }
  return { docs: docs.filter((_, at) => isHit[at] === 1), scores: scores.filter((_, at) => isHit[at] === 1) }
}

const postingsAmong = async (
  { pieces, state: { gone }, pause }: Evaluated,
  entry: string,
  docs: Uint32Array,
): Promise<PostingsAmong> => {
  const hits = new PostingsAmong(docs, gone)
  for await (const blocks of pieces.piecesOf(entry))
    for (const block of blocks) {
      const paused = pause()
      if (paused) await paused
      hits.add(block)
    }
  return hits
}

/** The documents that have the phrases as well, and nothing that is excluded. */
const restricted = async (evaluated: Evaluated, { docs, scores }: ScoredDocuments): Promise<ScoredDocuments> => {
  const { phrases, excluded } = evaluated.search
  let left = docs
  for (const phrase of phrases) left = await documentsWith(evaluated, phrase, left)
  for (const phrase of excluded) left = difference(left, await documentsWith(evaluated, phrase, left))
  if (left === docs) return { docs, scores }
  let from = 0
  const leftScores = Float64Array.from(left, doc => {
    from = placeOf(docs, doc, from)
    return scores[from] ?? 0
  })
  return { docs: left, scores: leftScores }
}

const excludedIn = async (evaluated: Evaluated): Promise<ScoredDocuments> => {
  const sets: Uint32Array[] = []
  for (const phrase of evaluated.search.excluded) {
    const first = phrase.flatMap(([entry]) => entry ?? [])
    const having: Uint32Array[] = []
    for (const entry of first) having.push((await listOf(evaluated, entry)).docs)
    sets.push(await documentsWith(evaluated, phrase, union(having)))
  }
  const docs = union(sets)
  return { docs, scores: new Float64Array(docs.length) }
}

/** Of these documents, those that have a phrase in one of the parts. */
const documentsWith = async (evaluated: Evaluated, phrase: FoundPhrase, docs: Uint32Array): Promise<Uint32Array> => {
  const sets: Uint32Array[] = []
  for (const entries of phrase) {
    const [first, second] = entries
    if (first === undefined) continue
    sets.push(
      second === undefined
        ? await documentsHaving(evaluated, first, docs)
        : await phraseDocuments(evaluated, entries, docs),
    )
  }
  return union(sets)
}

const documentsHaving = async (evaluated: Evaluated, entry: string, docs: Uint32Array): Promise<Uint32Array> => {
  const having: number[] = []
  const hits = await postingsAmong(evaluated, entry, docs)
  hits.forEach(at => {
    having.push(docs[at] ?? 0)
  })
  return Uint32Array.from(having)
}

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
const weightsOf = (
  { state, fresh }: Evaluated,
  { entries }: FoundWord,
  numbered: number,
): ((entry: FoundEntry) => ScoreOf) => {
  const having = entries.reduce(
    (sum, { entry }) => sum + fresh.filter(document => document.entries.has(entry)).length,
    numbered,
  )
  const rarity = rarityOf(Math.min(having, state.documents), state.documents)
  const byLength = (saturation * lengthShare) / Math.max(1, state.averageLength)
  const constant = saturation * (1 - lengthShare)
  return ({ isExact }) => {
    const most = (isExact ? rarity : rarity * openShare) * (saturation + 1) * scoreUnit
    return (weight, length) => Math.floor((most * weight) / (weight + constant + byLength * length))
  }
}

const addFreshScores = ({ found }: Evaluated, entry: string, scoreOf: ScoreOf): void => {
  for (const one of found) {
    const [, weight = 0, length = 0] = one.document.entries.get(entry) ?? []
    if (weight > 0) one.score += scoreOf(weight, length)
  }
}

const addScores = ({ docs, scores }: ScoredDocuments, list: PostingList, scoreOf: ScoreOf): void => {
  let from = 0
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at] ?? 0
    from = placeOf(list.docs, doc, from)
    if (list.docs[from] === doc)
      scores[at] = (scores[at] ?? 0) + scoreOf(list.weights[from] ?? 0, list.lengths[from] ?? 0)
  }
}
