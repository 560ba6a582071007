// The SQL of searches by words: the records that have all of them, each with its score (BM25).

import type { Resource } from '../../model/resource.ts'
import {
  type FoundPhrase,
  type FoundSearch,
  type FoundWord,
  lengthShare,
  saturation,
  scoreName,
} from '../../model/search/found-words.ts'
import { lengthUnit } from '../../model/search/search-index.ts'
import type { Cell } from '../connection.ts'
import type { TableName } from '../history/columns.ts'
import { quote, recordTableOf, tableOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { DraftFacts } from '../statement-facts.ts'
import { searchTablesOf } from './tables.ts'

/** Scores are whole numbers, so that both databases add them up alike. */
const scoreUnit = 1_000_000

const isSingle = ({ entries }: FoundWord): boolean => entries.length === 1

/** What the score of an entry is multiplied by, and what the length of its document counts for. */
const factorsOf = ({ weight, averageLength }: FoundWord['entries'][number]): readonly [number, number] => [
  weight * (saturation + 1) * scoreUnit,
  (saturation * lengthShare) / Math.max(1, averageLength),
]

/** All that the text of the statement depends on. */
export const foundKey = ({ words, phrases, excluded, isEmpty, beginsWithRecords }: FoundSearch): string =>
  [
    'found',
    isEmpty ? 'none' : beginsWithRecords ? 'records' : 'words',
    words.map(word => (isSingle(word) ? '1' : 'n')).join(''),
    phrases.map(({ length }) => length).join(),
    excluded.map(phrase => (isEntry(phrase) ? `-${phrase.length}` : phrase.length)).join(),
  ].join(' ')

/** The values of the statement, in the order of its slots. */
export const foundCells = ({ words, phrases, excluded, isEmpty }: FoundSearch): readonly Cell[] => {
  if (isEmpty) return []
  const cellsOf = (word: FoundWord): readonly Cell[] => {
    const [first] = word.entries
    if (first && isSingle(word)) return [first.entry, ...factorsOf(first)]
    return [JSON.stringify(word.entries.map(one => [one.entry, ...factorsOf(one)]))]
  }
  return [
    ...words.flatMap(cellsOf),
    ...phrases.flatMap(phrase => phrase.map(inText)),
    ...excluded.flatMap(phrase => (isEntry(phrase) ? phrase.map(([entry = '']) => entry) : phrase.map(inText))),
  ]
}

/** Is it a single entry in each part? */
const isEntry = (phrase: FoundPhrase): boolean => phrase.every(({ length }) => length === 1)

/** Entries in a row, as the text of a JSON list has them. */
const inText = (entries: readonly string[]): string => JSON.stringify(entries).slice(1, -1)

interface FoundParts {
  readonly resource: Resource
  readonly search: FoundSearch
  readonly dialect: Dialect
}

export const foundTables = ({ resource, search }: Omit<FoundParts, 'dialect'>): readonly TableName[] => {
  const { words, texts } = searchTablesOf(resource)
  return [
    ['b', recordTableOf(resource)],
    ['x', texts],
    ['n', words],
    ...search.words.map((_, at): TableName => [`w${at}`, words]),
  ]
}

/** Notes which entries an index looks up. */
export const noteLookups = (facts: DraftFacts, { words, isEmpty }: FoundSearch): void => {
  let slot = 0
  for (const [at, word] of isEmpty ? [] : words.entries()) {
    if (isSingle(word)) facts.limits(facts.column(`w${at}`, '"entry"'), '=', { cells: [slot] })
    slot += isSingle(word) ? 3 : 1
  }
}

/** Of these records all columns are read, and the score; or the pk and the score alone. */
type FoundColumns = 'record' | 'key'

/** A select of the records that match, with `_score`. */
export const foundSelect = ({ resource, search, dialect }: FoundParts, columns: FoundColumns): string => {
  const { words, phrases, excluded, isEmpty } = search
  const selected = columns === 'record' ? 'b.*' : 'b."pk"'
  const score = quote(scoreName)
  if (isEmpty) return `SELECT ${selected}, 0 AS ${score} FROM ${tableOf(resource)} AS b WHERE FALSE`
  const tables = searchTablesOf(resource)
  const { join } = dialect.search
  let slot = 0
  const next = (): string => dialect.placeholder(++slot)
  const joined = words.map((word, at) => wordSql(word, { alias: `w${at}`, table: quote(tables.words), dialect, next }))
  const first = words.length > 0 ? 'w0' : 'b'
  const isKeyed = columns === 'key' && words.length > 0
  const recordsFirst = search.beginsWithRecords || words.length === 0
  const conditions: string[] = []
  const sources: string[] = []
  if (recordsFirst && !isKeyed) sources.push(`${tableOf(resource)} AS b`)
  for (const [at, { from, condition }] of joined.entries()) {
    const near = at > 0 ? 'w0' : sources.length > 0 ? 'b' : null
    const on = [...(condition ? [condition] : []), ...(near ? [`w${at}."pk" = ${near}."pk"`] : [])]
    if (near) sources.push(`${join} ${from} ON ${on.join(' AND ')}`)
    else {
      sources.push(from)
      conditions.push(...on)
    }
  }
  const hasText = phrases.length > 0 || excluded.some(phrase => !isEntry(phrase))
  if (hasText) sources.push(`${join} ${quote(tables.texts)} AS x ON x."pk" = ${first}."pk"`)
  const holds = (phrase: FoundPhrase): string =>
    `(${phrase.map(() => dialect.search.contains('x."entries"', next())).join(' OR ')})`
  for (const phrase of phrases) conditions.push(holds(phrase))
  for (const phrase of excluded) {
    if (!isEntry(phrase)) conditions.push(`NOT ${holds(phrase)}`)
    else {
      const entries = phrase.map(() => next()).join(', ')
      conditions.push(
        `NOT EXISTS (SELECT 1 FROM ${quote(tables.words)} AS n WHERE n."entry" IN (${entries}) AND n."pk" = ${first}."pk")`,
      )
    }
  }
  if (!recordsFirst && !isKeyed) sources.push(`${join} ${tableOf(resource)} AS b ON b."pk" = w0."pk"`)
  const scored = joined.length > 0 ? joined.map(({ score: one }) => one).join(' + ') : '0'
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return `SELECT ${isKeyed ? 'w0."pk"' : selected}, ${scored} AS ${score} FROM ${sources.join(' ')}${where}`
}

interface WordParts {
  readonly alias: string
  readonly table: string
  readonly dialect: Dialect
  readonly next: () => string
}

/** The entries of a word: of the table itself, or put together where several stand for it. */
const wordSql = (word: FoundWord, { alias, table, dialect, next }: WordParts) => {
  if (isSingle(word)) {
    const [entry, weight, length] = [next(), double(next()), double(next())]
    return {
      from: `${table} AS ${alias}`,
      condition: `${alias}."entry" = ${entry}`,
      score: scoreSql(`${alias}."value"`, weight, length),
    }
  }
  const rows = dialect.search.entryRows(next())
  const sum = `CAST(sum(${scoreSql('g."value"', 'q."weight"', 'q."length"')}) AS bigint)`
  const entries = `${rows} ${dialect.search.join} ${table} AS g ON g."entry" = q."entry"`
  return {
    from: `(SELECT g."pk" AS "pk", ${sum} AS "score" FROM ${entries} GROUP BY g."pk") AS ${alias}`,
    condition: null,
    score: `${alias}."score"`,
  }
}

const double = (sql: string | number): string => `CAST(${sql} AS double precision)`

/** BM25: the more often a word occurs the better, but less and less so, and in a short document it counts more. */
const scoreSql = (value: string, weight: string, length: string): string => {
  const [occurs, size] = [double(`${value} / ${lengthUnit}`), double(`${value} % ${lengthUnit}`)]
  const constant = double(saturation * (1 - lengthShare))
  return `CAST(floor(${weight} * ${occurs} / (${occurs} + ${constant} + ${length} * ${size})) AS bigint)`
}
