// What SQLite says differently.

import type { Pattern } from '../../model/query.ts'
import type { DatabaseDialect } from '../driver.ts'
import { plainCell, quote } from '../sql/columns.ts'
import type { Dialect, RowEstimate, Violation } from '../sql/dialect.ts'
import { fold, likePattern, trigramsOf } from '../sql/text-patterns.ts'
import { bucketSql } from './buckets.ts'
import { foldFunction } from './open.ts'
import { sqliteOutbox } from './outbox.ts'
import { sqliteSchema } from './schema.ts'
import { sqliteSearch } from './search.ts'
import { watchSql } from './statement-watch.ts'
import { decodeVector, distanceSql, encodeVector } from './vectors.ts'

const cell: Dialect['cell'] = (value, column) => {
  if (column === 'vector' && Array.isArray(value)) return encodeVector(value)
  const plain = plainCell(value, column)
  return typeof plain === 'boolean' ? Number(plain) : plain
}

/** GLOB is case-sensitive and uses an index for a fixed beginning; its special characters stand for themselves in brackets. */
const globPattern = (pattern: Pattern): string => pattern.map(piece => piece.replace(/[*?[]/g, '[$&]')).join('*')

/** The words of an FTS5 query all have to be there. */
export const matchText = (trigrams: readonly string[]): string =>
  trigrams.map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' ')

/** The trigrams of such a text. */
export const trigramsIn = (list: string): readonly string[] =>
  [...list.matchAll(/"((?:[^"]|"")*)"/g)].map(([, trigram = '']) => trigram.replaceAll('""', '"'))

const foldCase = (expression: string): string => `${foldFunction}(${expression})`

/** How many rows an estimate looks at. */
const sampled = 1000

/** The planner keeps no statistics: rows spread evenly over the table stand for all of it. */
const estimate: RowEstimate = {
  rows: ({ table, part }) => {
    const places =
      `WITH RECURSIVE places(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM places WHERE n < ${sampled - 1}) ` +
      `SELECT DISTINCT ${lowest(table)} + n * ${rangeOf(table)} / ${sampled} AS place FROM places`
    // A cross join keeps its order: the rows of the sample, then the condition. The planner prefers an index on the condition, and
    // would visit all rows that match it.
    return `(SELECT r.* FROM (${places}) AS s CROSS JOIN ${table} AS r ON r.rowid = s.place WHERE ${part})`
  },
  // A table with fewer rows is looked at whole.
  sql: (matching, table) =>
    `SELECT CAST(round(count(*) * max(1.0, coalesce(${rangeOf(table)}, 0) / ${sampled}.0)) AS INTEGER) ${matching}`,
  read: rows => Number(rows[0]?.[0]),
}

const lowest = (table: string): string => `(SELECT min(rowid) FROM ${table})`

const rangeOf = (table: string): string => `((SELECT max(rowid) FROM ${table}) - ${lowest(table)} + 1)`

/** The tree of a plan comes as [id, parent, unused, text]. */
const indented = (rows: readonly (readonly unknown[])[]): string[] => {
  const depths = new Map<unknown, number>()
  return rows.map(([id, parent, , text]) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return '  '.repeat(depth) + text
  })
}

const violationOf = (error: unknown): Violation | null => {
  if (!(error instanceof Error)) return null
  if (error.message.startsWith('FOREIGN KEY constraint failed')) return { kind: 'reference', columns: [], table: null }
  const [, kind, listed] = /^(UNIQUE|NOT NULL) constraint failed: (.*)$/.exec(error.message) ?? []
  if (!kind || !listed) return null
  const columns = listed.split(', ').map(column => column.slice(column.indexOf('.') + 1))
  return { kind: kind === 'UNIQUE' ? 'unique' : 'required', columns, table: null }
}

export const sqliteDialect: DatabaseDialect = {
  name: 'sqlite',
  choose: texts => texts.sqlite,
  schema: sqliteSchema,
  outbox: sqliteOutbox,
  placeholder: slot => `?${slot}`,
  cell,
  nullOf: () => 'NULL',
  list: (values, column) => JSON.stringify(values.map(value => cell(value, column === 'json' ? 'text' : column))),
  among: (expression, list) => `${expression} IN (SELECT value FROM json_each(${list}))`,
  amongRows: (expression, column, { rows }) => `${expression} IN (SELECT ${column} ${rows})`,
  amongKeys: (expression, subselect) => `${expression} IN (${subselect})`,
  listRows: list => `json_each(${list}) AS listed`,
  columnRows: null,
  keptRows: (pks, versions) => `(SELECT value AS pk, ${versions} ->> key AS version FROM json_each(${pks})) AS kept`,
  entryRows: expression => `json_each(${expression}) AS entries`,
  decode: {
    boolean: cell => (cell === null ? null : cell === 1),
    json: cell => (cell === null ? null : JSON.parse(cell as string)),
    vector: decodeVector,
  },
  anyCase: expression => `${expression} COLLATE NOCASE`,
  foldCase,
  // The limit keeps the planner from putting the expression into each place where its name stands.
  testFolded: (expression, test) =>
    `EXISTS (SELECT 1 FROM (SELECT ${foldCase(expression)} AS folded LIMIT 1) WHERE ${test('folded')})`,
  likeFolded: (folded, pattern) => `${folded} GLOB ${pattern}`,
  like: (expression, pattern, matching) => {
    // LIKE folds the case of ASCII letters and no others.
    if (matching === 'ascii') return `${expression} LIKE ${pattern} ESCAPE '\\'`
    return `${matching === 'exact' ? expression : foldCase(expression)} GLOB ${pattern}`
  },
  pattern: (pattern, matching) => {
    if (matching === 'ascii') return likePattern(pattern)
    return globPattern(matching === 'exact' ? pattern : pattern.map(fold))
  },
  trigramCell: (pattern, matching) => matchText(trigramsOf(pattern, matching)),
  hasTrigrams: ({ alias }, trigrams, index) => {
    // Only a column has a record beside it.
    if (alias === null) return `${trigrams} IS NOT NULL`
    return `${alias}.rowid IN (SELECT rowid FROM ${quote(index)} WHERE ${quote(index)} MATCH ${trigrams})`
  },
  bucket: bucketSql,
  percentile: (expression, share) => `percentile_cont(${expression}, ${share})`,
  distance: distanceSql,
  isOverflow: error => error instanceof Error && error.message.includes('integer overflow'),
  // Nulls are the smallest already.
  orderNulls: () => '',
  pairs: (pk, label) => `json_group_array(json_array(${pk}, ${label}) ORDER BY ${pk})`,
  watch: watchSql,
  // Of conditions that are joined, each that fails makes those before it look for another match: exponential in their number.
  fence: ' LIMIT 1',
  joinedSubselects: 0,
  // A subselect by the pk costs what a join does.
  joinedLabels: 0,
  sortFence: null,
  walksReferences: true,
  writesInWith: false,
  estimate,
  search: sqliteSearch,
  explain: { sql: statement => `EXPLAIN QUERY PLAN ${statement}`, lines: indented },
  violationOf,
  // Only one transaction writes at a time.
  timestamp: text => text,
  isUndone: () => false,
  isHeld: () => false,
  lock: () => '',
}
