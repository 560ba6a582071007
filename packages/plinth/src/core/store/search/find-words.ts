// Which entries of the index stand for the words of a search, and how many records have them.

import type { Resource } from '../../model/resource.ts'
import { stemOf } from '../../model/search/analysis.ts'
import type { FoundPhrase, FoundSearch, FoundWord } from '../../model/search/found-words.ts'
import { entryOf, type SearchIndex, searchIndexOf } from '../../model/search/search-index.ts'
import { openStems, type SearchedWord, type SearchText, withOneError } from '../../model/search/search-text.ts'
import type { WordSearch } from '../../model/search/word-search.ts'
import { createPause } from '../../pauses.ts'
import type { ResultRows } from '../connection.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/session.ts'
import { type FreshDocument, partWith, readFresh } from './index-state.ts'
import { type SearchTables, searchTablesOf } from './tables.ts'

/** The most words that the beginning of one may stand for, and how many of them are looked at. */
const maxOpen = 40
const maxOpenLooked = 120

/** The words that one statement looks for. */
const lookedAtOnce = 500

interface WordSearchParts {
  readonly session: SqlSession
  readonly index: SearchIndex
  readonly tables: SearchTables
  /** The parts of the index that the caller may read. */
  readonly parts: readonly number[]
  /** How many of the documents without a number have each entry. */
  readonly fresh: ReadonlyMap<string, number>
}

export const findWords = async (
  session: SqlSession,
  named: Resource,
  { text, parts, forgiving }: WordSearch,
): Promise<FoundSearch> => {
  const resource = named.holder
  const index = searchIndexOf(resource)
  if (!index) throw new Error(`${resource.name} is not searched by words`)
  const looked = forgiving ? null : text.words.flatMap(word => partsWith(word, { index, parts }))
  const search: WordSearchParts = {
    session,
    index,
    tables: searchTablesOf(resource),
    parts,
    fresh: countsOf(await readFresh(session, resource, looked)),
  }
  const found = forgiving
    ? await withErrors(search, text.words)
    : await Promise.all(text.words.map(word => candidatesFor(search, word)))
  const words = found.map(toWord).toSorted(byVisits)
  return {
    words,
    phrases: forgiving ? [] : phrasesOf(text.phrases, parts),
    excluded: phrasesOf(text.excluded, parts),
    isEmpty: parts.length === 0 || words.some(({ entries }) => entries.length === 0),
    left: Number.POSITIVE_INFINITY,
  }
}

/** What a document that has the word has in its text. */
const partsWith = (word: SearchedWord, { index, parts }: Pick<WordSearchParts, 'index' | 'parts'>): readonly string[] =>
  parts.flatMap(part => [
    ...stemsOf(word, index).map(stem => partWith(entryOf(stem, part), true)),
    ...(word.isOpen ? [partWith(entryOf(word.word, part), false)] : []),
  ])

/** The stem of the word, and those that it may stand for while it is typed. */
const stemsOf = (word: SearchedWord, { language }: SearchIndex): readonly string[] =>
  word.isOpen ? [...new Set([word.stem, ...openStems(word, language)])] : [word.stem]

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

const toWord = (candidates: readonly Candidate[]): FoundWord => {
  const there = candidates.filter(one => one.records > 0)
  return {
    entries: there.map(({ entry, isExact }) => ({ entry, isExact })),
    visits: there.reduce((sum, one) => sum + one.records, 0),
  }
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
    const stems = [...new Set([stem, ...withOneError(word).map(one => stemOf(one, index.language))])]
    const entries = parts.flatMap(part => stems.map(one => entryOf(one, part)))
    const exact = new Set(parts.map(part => entryOf(stem, part)))
    const candidates: Candidate[] = []
    for (let from = 0; from < entries.length; from += lookedAtOnce) {
      await pause()
      candidates.push(...(await counted(search, entries.slice(from, from + lookedAtOnce), exact)))
    }
    found.push(candidates)
  }
  return found
}

const candidatesFor = async (search: WordSearchParts, word: SearchedWord): Promise<readonly Candidate[]> => {
  const { index, parts } = search
  const exact = new Set(parts.map(part => entryOf(word.stem, part)))
  const stems = parts.flatMap(part => stemsOf(word, index).map(stem => entryOf(stem, part)))
  if (!word.isOpen) return counted(search, stems, exact)
  const [alike, ...beginning] = await Promise.all([
    counted(search, stems, exact),
    ...parts.map(part => beginningWith(search, entryOf(word.word, part))),
  ])
  const found = new Map([...beginning.flat(), ...alike].map(one => [one.entry, one]))
  const own = alike.filter(one => one.isExact)
  for (const { entry } of own) found.delete(entry)
  return [...own, ...[...found.values()].toSorted(byRecords).slice(0, maxOpen)]
}

const byRecords = (left: Candidate, right: Candidate): number =>
  right.records - left.records || (left.entry < right.entry ? -1 : 1)

/** How many records have each of these entries; those that none has are left out. */
const counted = async (
  search: WordSearchParts,
  entries: readonly string[],
  exact: ReadonlySet<string>,
): Promise<readonly Candidate[]> => {
  const { session, tables, fresh } = search
  const { dialect } = session.statements
  const among = dialect.among('w."entry"', dialect.placeholder(1), 'text')
  const sql = `SELECT w."entry", sum(w."count") FROM ${quote(tables.words)} AS w WHERE ${among} GROUP BY w."entry"`
  const counts = toCounts(await session.connection.rows(sql, [dialect.list(entries, 'text')]))
  for (const entry of entries) addTo(counts, entry, fresh.get(entry))
  return [...counts].map(([entry, records]) => ({ entry, records, isExact: exact.has(entry) }))
}

/** The first entries that begin like this. */
const beginningWith = async (
  { session, tables, fresh }: WordSearchParts,
  beginning: string,
): Promise<readonly Candidate[]> => {
  const { placeholder: place } = session.statements.dialect
  const sql =
    `SELECT w."entry", sum(w."count") FROM ${quote(tables.words)} AS w WHERE w."entry" >= ${place(1)} AND w."entry" < ${place(2)} ` +
    `GROUP BY w."entry" ORDER BY w."entry" LIMIT ${maxOpenLooked}`
  // No letter comes after this one.
  const counts = toCounts(await session.connection.rows(sql, [beginning, `${beginning}\u{10ffff}`]))
  for (const [entry, records] of fresh) if (entry.startsWith(beginning)) addTo(counts, entry, records)
  return [...counts].map(([entry, records]) => ({ entry, records, isExact: false }))
}

const addTo = (counts: Map<string, number>, entry: string, records = 0): void => {
  if (records > 0) counts.set(entry, (counts.get(entry) ?? 0) + records)
}

const countsOf = (documents: readonly FreshDocument[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { entries } of documents) for (const entry of entries.keys()) addTo(counts, entry, 1)
  return counts
}

const toCounts = (rows: ResultRows): Map<string, number> =>
  new Map(rows.map(([entry, records]) => [String(entry), Number(records)]))
