// Queries on PostgreSQL.

import type { ColumnType } from '../../model/value-field.ts'
import { errorCode } from '../../problem.ts'
import type { DatabaseDialect } from '../driver.ts'
import { plainCell } from '../sql/columns.ts'
import type { RowEstimate, Violation } from '../sql/dialect.ts'
import { fold, likePattern, lowerAscii, patternOfTrigrams } from '../sql/text-patterns.ts'
import { arrayTypeOf, valueTypeOf } from './column-types.ts'
import { isLost } from './errors.ts'
import { postgresOutbox } from './outbox.ts'
import { createPostgresSchema } from './schema.ts'
import { postgresSearch } from './search.ts'
import { decodeVector, distanceSql, encodeVector } from './vectors.ts'

/** PostgreSQL's text form of an array; every text quoted, so that none reads as NULL or as a delimiter. */
const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(entryLiteral).join(',')}}`

const entryLiteral = (value: unknown): string => {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}

/** There are no arrays of arrays of different lengths, so vectors are listed as texts. */
const columnRows = (columns: readonly ColumnType[], slot = 1): string => {
  const isVector = (type: ColumnType) => type === 'vector'
  const lists = columns.map((type, at) => `$${at + slot}::${isVector(type) ? 'text' : valueTypeOf(type)}[]`)
  const rows = `unnest(${lists.join(', ')})`
  if (!columns.some(isVector)) return rows
  const values = columns.map((type, at) => `u.c${at}${isVector(type) ? `::${valueTypeOf(type)}` : ''}`)
  return `(SELECT ${values.join(', ')} FROM ${rows} AS u(${columns.map((_, at) => `c${at}`).join(', ')}))`
}

interface ErrorFields {
  readonly code?: string
  readonly detail?: string
  readonly column_name?: string
  readonly table_name?: string
}

const violationKinds: Readonly<Record<string, Violation['kind']>> = {
  '23505': 'unique',
  '23503': 'reference',
  '23001': 'reference',
  '23502': 'required',
}

const violationOf = (error: unknown): Violation | null => {
  if (!(error instanceof Error && 'severity' in error)) return null
  const { code = '', detail = '', column_name, table_name } = error as ErrorFields
  const kind = violationKinds[code]
  if (!kind) return null
  // The words around the columns depend on the server's language; their form, `(a, "b")=(…)`, does not.
  const listed = /\(([^()]*)\)=\(/.exec(detail)?.[1]?.split(', ') ?? []
  const columns = column_name ? [column_name] : listed.map(name => name.replace(/^"(.*)"$/, '$1'))
  return { kind, columns, table: table_name ?? null }
}

/** The error that the server has answered a statement with, on a sound connection; null for one of another kind. */
const answerIn = (error: unknown): Error | null => {
  const answer = error instanceof Error && !('severity' in error) ? error.cause : error
  const isAnswer = answer instanceof Error && 'severity' in answer && answer.severity === 'ERROR' && !isLost(answer)
  return isAnswer ? answer : null
}

/** The planner's own estimate, from its statistics. */
const estimate: RowEstimate = {
  rows: ({ source }) => source,
  sql: matching => `EXPLAIN (FORMAT JSON) SELECT 1 ${matching}`,
  read: ([row]) => {
    const [explained] = (row?.[0] ?? []) as readonly { readonly Plan: { readonly 'Plan Rows': number } }[]
    return explained?.Plan['Plan Rows'] ?? 0
  },
}

/** `hasIcu`: whether the server knows the root collation of ICU; without it only its own locale's letters are folded. */
export const createPostgresDialect = (hasIcu: boolean): DatabaseDialect => {
  const foldCase = (expression: string): string => {
    const normal = `normalize(${expression}, NFKC)`
    return `replace(lower(${hasIcu ? `${normal} COLLATE "und-x-icu"` : normal}), 'ς', 'σ')`
  }
  return {
    name: 'postgres',
    choose: texts => texts.postgres,
    schema: createPostgresSchema(foldCase),
    outbox: postgresOutbox,
    placeholder: slot => `$${slot}`,
    cell: (value, column) =>
      column === 'vector' && Array.isArray(value) ? encodeVector(value) : plainCell(value, column),
    nullOf: column => `NULL::${valueTypeOf(column)}`,
    list: arrayLiteral,
    among: (expression, list, column) => `${expression} = ANY(${list}::${arrayTypeOf(column)})`,
    // Without DISTINCT it expects a set that is too large for a hash table, and compares with each of its values.
    amongRows: (expression, column, { rows, isJoined }) =>
      `(${expression} IN (SELECT DISTINCT ${column} ${rows}))${isJoined ? '' : ' IS TRUE'}`,
    // Where the limit is a parameter it expects a tenth of the table, and would read all of it for a join.
    amongKeys: (expression, subselect) => `${expression} = ANY(ARRAY(${subselect}))`,
    listRows: list => `unnest(${list}::text[]) AS listed(value)`,
    columnRows,
    keptRows: (pks, versions) => `unnest(${pks}::text[], ${versions}::bigint[]) AS kept(pk, version)`,
    entryRows: expression => `jsonb_array_elements_text(${expression}) AS entries(value)`,
    decode: { vector: decodeVector },
    // Text columns have the collation "C", in which only ASCII letters have a case.
    anyCase: expression => `lower(${expression})`,
    foldCase,
    testFolded: (expression, test) =>
      `EXISTS (SELECT 1 FROM (SELECT ${foldCase(expression)} AS folded OFFSET 0) AS f WHERE ${test('folded')})`,
    likeFolded: (folded, pattern) => `${folded} LIKE ${pattern}`,
    like: (expression, pattern, matching) => {
      if (matching === 'unicode') return `${foldCase(expression)} LIKE ${pattern}`
      // In the C collation ILIKE folds the case of ASCII letters and no others.
      return matching === 'ascii' ? `${expression} COLLATE "C" ILIKE ${pattern}` : `${expression} LIKE ${pattern}`
    },
    pattern: (pattern, matching) => likePattern(matching === 'unicode' ? pattern.map(fold) : pattern),
    // With all case folded, the comparison is one with the indexed text.
    trigramCell: (pattern, matching) =>
      matching === 'unicode' ? null : likePattern(patternOfTrigrams(pattern.map(lowerAscii))),
    hasTrigrams: ({ expression }, trigrams) => `lower(${expression}) LIKE ${trigrams}`,
    bucket: (expression, { unit, isDay, timeZone }) => {
      const zone = timeZone ?? "'UTC'"
      if (unit === 'hour') return `date_trunc('hour', ${expression}, ${zone})`
      return `CAST(date_trunc('${unit}', ${isDay ? `CAST(${expression} AS timestamp)` : `${expression} AT TIME ZONE ${zone}`}) AS date)`
    },
    percentile: (expression, share) =>
      `percentile_cont(${share}) WITHIN GROUP (ORDER BY CAST(${expression} AS double precision))`,
    distance: distanceSql,
    // Sums have as many digits as they need.
    isOverflow: () => false,
    orderNulls: descending => (descending ? ' NULLS LAST' : ' NULLS FIRST'),
    pairs: (pk, label) => `coalesce(json_agg(json_build_array(${pk}, ${label}) ORDER BY ${pk}), '[]')`,
    watch: null,
    fence: ' OFFSET 0',
    // As many as it puts in one order itself (`join_collapse_limit`): planning more takes the cube of their number in time.
    joinedSubselects: 8,
    // A subselect reads all of a small table for each record. A join in the order of an index remembers the records that it met.
    joinedLabels: 3,
    // It does not look through an OFFSET (SQL Commands, SELECT, "LIMIT Clause"), even one of nothing.
    sortFence: ' OFFSET 0',
    walksReferences: false,
    writesInWith: true,
    estimate,
    search: postgresSearch,
    explain: { sql: statement => `EXPLAIN ${statement}`, lines: rows => rows.map(([line]) => String(line)) },
    violationOf,
    timestamp: text => `CAST(${text} AS timestamptz)`,
    isUndone: error => answerIn(error) !== null,
    isHeld: error => errorCode(answerIn(error)) === '55P03',
    lock: (alias, lock) =>
      ` FOR ${lock === 'shared' ? 'SHARE' : 'UPDATE'} OF ${alias}${lock === 'free' ? ' SKIP LOCKED' : ''}`,
  }
}
