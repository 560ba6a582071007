// Which entries of the index stand for the words of a search, and how many records have them.

import { LRUCache } from 'lru-cache'
import type { Resource } from '../../model/resource.ts'
import { stemOf } from '../../model/search/analysis.ts'
import {
  type FoundEntry,
  type FoundPhrase,
  type FoundSearch,
  type FoundWord,
  rarityOf,
} from '../../model/search/found-words.ts'
import { entryOf, type SearchIndex, searchIndexOf } from '../../model/search/search-index.ts'
import { openStems, type SearchedWord, type SearchText, withOneError } from '../../model/search/search-text.ts'
import type { WordSearch } from '../../model/search/word-search.ts'
import { createPause } from '../../pauses.ts'
import type { Connection } from '../connection.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { DraftFacts, readsOf } from '../statement-facts.ts'
import { type SearchTables, searchTablesOf } from './tables.ts'

/** Records are counted up to this many: a word of more counts as little as one of these. */
const mostCounted = 200_000

/** Numbers from here on take long to count, and are kept for a while. */
const keptFrom = 1000
const keptMs = 60_000
const maxKept = 5000

/** The most words that the beginning of one may stand for, and how many of them are looked at. */
const maxOpen = 40
const maxOpenLooked = 120
/** Records of each are counted up to this many, to choose the most frequent ones. */
const mostOpenCounted = 200

/** The words that one statement looks for. */
const lookedAtOnce = 500

/** What a word counts for that only begins as the one that was sent: less than the word itself. */
const openShare = 0.3

/** Documents whose lengths are averaged. */
const sampledTexts = 2000

interface Statistics {
  readonly records: number
  readonly averageLength: number
}

interface KnownNumbers {
  readonly counts: LRUCache<string, number>
  readonly statistics: LRUCache<string, Statistics>
}

/** By the connection, so that services in one process share nothing. */
const known = new WeakMap<Connection, KnownNumbers>()

const knownBy = (connection: Connection): KnownNumbers => {
  const before = known.get(connection)
  if (before) return before
  const numbers: KnownNumbers = {
    counts: new LRUCache({ max: maxKept, ttl: keptMs }),
    statistics: new LRUCache({ max: 100, ttl: keptMs }),
  }
  known.set(connection, numbers)
  return numbers
}

interface WordSearchParts {
  readonly session: SqlSession
  readonly resource: Resource
  readonly index: SearchIndex
  readonly tables: SearchTables
  /** The parts of the index that the caller may read. */
  readonly parts: readonly number[]
  readonly requester: WordSearch['requester']
}

export const findWords = async (
  session: SqlSession,
  named: Resource,
  { text, parts, forgiving, requester }: WordSearch,
): Promise<FoundSearch> => {
  const resource = named.holder
  const index = searchIndexOf(resource)
  if (!index) throw new Error(`${resource.name} is not searched by words`)
  const search: WordSearchParts = {
    session,
    resource,
    index,
    tables: searchTablesOf(resource),
    parts: [...parts],
    requester,
  }
  const [statistics, found] = await Promise.all([
    statisticsOf(search),
    forgiving ? withErrors(search, text.words) : Promise.all(text.words.map(word => candidatesFor(search, word))),
  ])
  const words = found.map(candidates => toWord(candidates, statistics)).toSorted(byVisits)
  return {
    words,
    phrases: forgiving ? [] : phrasesOf(text.phrases, parts),
    excluded: phrasesOf(text.excluded, parts),
    isEmpty: parts.length === 0 || words.some(({ entries }) => entries.length === 0),
    beginsWithRecords: false,
  }
}

const byVisits = (left: FoundWord, right: FoundWord): number =>
  left.visits - right.visits || ((left.entries[0]?.entry ?? '') < (right.entries[0]?.entry ?? '') ? -1 : 1)

const phrasesOf = (phrases: SearchText['phrases'], parts: readonly number[]): readonly FoundPhrase[] =>
  phrases.map(stems => parts.map(part => stems.map(stem => entryOf(stem, part))))

interface Candidate {
  readonly entry: string
  readonly records: number
  /** Is it the word itself, and not one like it? */
  readonly isExact: boolean
}

/** Several entries of one word count as one that is as frequent as all of them. */
const toWord = (candidates: readonly Candidate[], { records, averageLength }: Statistics): FoundWord => {
  const there = candidates.filter(one => one.records > 0)
  const visits = there.reduce((sum, one) => sum + one.records, 0)
  const weight = rarityOf(Math.min(visits, records), records)
  const entries = there.map(
    ({ entry, isExact }): FoundEntry => ({ entry, weight: isExact ? weight : weight * openShare, averageLength }),
  )
  return { entries, visits }
}

/** Words that are nearly these: thousands for each, so they are looked for some at a time, while others have their turns. */
const withErrors = async (
  search: WordSearchParts,
  words: readonly SearchedWord[],
): Promise<readonly (readonly Candidate[])[]> => {
  const { index, parts } = search
  const pause = createPause()
  const found: (readonly Candidate[])[] = []
  for (const { word, stem } of words) {
    await pause()
    const exact = parts.map(part => entryOf(stem, part))
    const candidates = [...(await counted(search, exact, true))]
    const stems = new Set(withOneError(word).map(one => stemOf(one, index.language)))
    stems.delete(stem)
    const others = parts.flatMap(part => [...stems].map(one => entryOf(one, part)))
    for (let from = 0; from < others.length; from += lookedAtOnce) {
      await pause()
      candidates.push(...(await present(search, others.slice(from, from + lookedAtOnce))))
    }
    found.push(candidates)
  }
  return found
}

const candidatesFor = async (search: WordSearchParts, word: SearchedWord): Promise<readonly Candidate[]> => {
  const { index, parts } = search
  const exact = parts.map(part => entryOf(word.stem, part))
  if (!word.isOpen) return counted(search, exact, true)
  const behind = openStems(word, index.language).flatMap(stem => parts.map(part => entryOf(stem, part)))
  const [own, alike, ...beginning] = await Promise.all([
    counted(search, exact, true),
    present(search, behind),
    ...parts.map(part => beginningWith(search, entryOf(word.word, part))),
  ])
  const found = new Map([...alike, ...beginning.flat()].map(one => [one.entry, one]))
  for (const { entry } of own) found.delete(entry)
  const others = [...found.values()].toSorted((left, right) => right.records - left.records).slice(0, maxOpen)
  const uncertain = others.filter(({ records }) => records >= mostOpenCounted).map(({ entry }) => entry)
  const exactly = await counted(search, uncertain, false)
  return [...own, ...exactly, ...others.filter(({ records }) => records < mostOpenCounted)]
}

/** Counts the records of each entry. Many are counted where slow searches run. */
const counted = (
  { session: { connection, statements }, resource, tables, requester }: WordSearchParts,
  entries: readonly string[],
  isExact: boolean,
): Promise<readonly Candidate[]> => {
  const { counts } = knownBy(connection)
  const { dialect } = statements
  const count = async (entry: string): Promise<Candidate> => {
    const name = `${resource.name} ${entry}`
    const before = counts.get(name)
    if (before !== undefined) return { entry, records: before, isExact }
    const which = `${quote(tables.words)} AS w0 WHERE w0."entry" = ${dialect.placeholder(1)}`
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${which} LIMIT ${mostCounted}) AS counted`
    const facts = new DraftFacts()
    facts.reads('w0', tables.words)
    facts.limits(facts.column('w0', '"entry"'), '=', { cells: [0] })
    const [row] = await connection.rows(sql, [entry], false, { facts, requester })
    const records = Number(row?.[0])
    if (records >= keptFrom) counts.set(name, records)
    return { entry, records, isExact }
  }
  return Promise.all(entries.map(count))
}

/** Those of many entries that some record has, with numbers up to a limit. */
const present = async (
  { session: { connection, statements }, tables }: WordSearchParts,
  entries: readonly string[],
): Promise<readonly Candidate[]> => {
  const { dialect } = statements
  const cell = dialect.list([...new Set(entries)], 'text')
  const sql = `SELECT found.entry, found.records FROM (SELECT listed.value AS entry, ${numberSql(tables, 'listed.value')} AS records FROM ${dialect.listRows(dialect.placeholder(1))}) AS found WHERE found.records > 0`
  return toCandidates(await connection.rows(sql, [cell], true))
}

/** The first entries that begin like this, each found by one step in the index. */
const beginningWith = async (
  { session: { connection, statements }, tables }: WordSearchParts,
  beginning: string,
): Promise<readonly Candidate[]> => {
  const { placeholder: place } = statements.dialect
  const words = quote(tables.words)
  const first = `SELECT min(w."entry") FROM ${words} AS w WHERE w."entry" >= ${place(1)}`
  const next = `SELECT min(w."entry") FROM ${words} AS w WHERE w."entry" > l.entry`
  const looked =
    `WITH RECURSIVE l(entry) AS (SELECT (${first}) UNION ALL SELECT (${next}) FROM l WHERE l.entry < ${place(2)}) ` +
    `SELECT l.entry AS entry FROM l WHERE l.entry < ${place(2)} LIMIT ${maxOpenLooked}`
  const sql = `SELECT found.entry, ${numberSql(tables, 'found.entry')} FROM (${looked}) AS found`
  // No letter comes after this one.
  return toCandidates(await connection.rows(sql, [beginning, `${beginning}\u{10ffff}`], true))
}

const numberSql = ({ words }: SearchTables, entry: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${quote(words)} AS c WHERE c."entry" = ${entry} LIMIT ${mostOpenCounted}) AS counted)`

const toCandidates = (rows: readonly (readonly unknown[])[]): readonly Candidate[] =>
  rows.map(([entry, records]) => ({ entry: String(entry), records: Number(records), isExact: false }))

/** How many records there are, and how long their texts are on average: of small collections exactly, else by a sample. */
const statisticsOf = async ({ session, resource, tables }: WordSearchParts): Promise<Statistics> => {
  const { connection, sizes } = session
  const { statistics } = knownBy(connection)
  const before = statistics.get(resource.name)
  if (before) return before
  const sample = `SELECT t."length" FROM ${quote(tables.texts)} AS t ORDER BY t."pk" LIMIT ${sampledTexts}`
  const sql = `SELECT count(*), CAST(coalesce(sum(s."length"), 0) AS bigint) FROM (${sample}) AS s`
  const [row] = await connection.rows(sql, [], false, { facts: readsOf({ t: tables.texts }), walks: sampledTexts })
  const [texts, length] = [Number(row?.[0]), Number(row?.[1])]
  const isWhole = texts < sampledTexts
  const found: Statistics = {
    records: isWhole ? texts : Math.max(texts, sizes?.known?.records(resource) ?? 0),
    averageLength: texts === 0 ? 1 : length / texts,
  }
  if (!isWhole) statistics.set(resource.name, found)
  return found
}
