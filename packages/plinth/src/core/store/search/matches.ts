// The SQL of searches by words: the records that match, each with its score.

import type { Resource } from '../../model/resource.ts'
import { type FoundRows, type RecordsFound, scoreName } from '../../model/search/found-words.ts'
import type { Cell } from '../connection.ts'
import type { TableName } from '../history/columns.ts'
import { quote, recordTableOf, tableOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import { searchTablesOf } from './tables.ts'

const noRows: FoundRows = { numbered: [], named: [], isExcluding: false }

/** All that the text of the statement depends on. */
export const foundKey = ({ rows = noRows }: RecordsFound): string => (rows.isExcluding ? 'not found' : 'found')

/** The values of the statement, in the order of its slots. */
export const foundCells = ({ rows: { numbered, named } = noRows }: RecordsFound): readonly Cell[] => [
  JSON.stringify(numbered),
  JSON.stringify(named.map(({ pk, score }) => [pk, score])),
]

export const foundTables = (resource: Resource): readonly TableName[] => [
  ['b', recordTableOf(resource)],
  ['x', searchTablesOf(resource).texts],
]

interface FoundParts {
  readonly resource: Resource
  readonly found: RecordsFound
  readonly dialect: Dialect
}

/** A select of the records that match, with `_score`. */
export const foundSelect = ({ resource, found: { rows = noRows }, dialect }: FoundParts): string => {
  const { search, placeholder: place } = dialect
  const { texts } = searchTablesOf(resource)
  const numbered = search.scoreRows(place(1), 'integer', 'q')
  const keys =
    `SELECT x."pk" AS "pk", q."score" AS "score" FROM ${numbered} ${search.join} ${quote(texts)} AS x ON x."doc" = q."key" ` +
    `UNION ALL SELECT p."key", p."score" FROM ${search.scoreRows(place(2), 'text', 'p')}`
  if (rows.isExcluding)
    return `SELECT b.*, 0 AS ${quote(scoreName)} FROM ${tableOf(resource)} AS b WHERE b."pk" NOT IN (SELECT k."pk" FROM (${keys}) AS k)`
  return `SELECT b.*, k."score" AS ${quote(scoreName)} FROM (${keys}) AS k ${search.join} ${tableOf(resource)} AS b ON b."pk" = k."pk"`
}
