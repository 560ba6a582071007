import type { ColumnType } from '../../model/field.ts'
import { type Dialect, likePattern, plainCell } from '../sql/dialect.ts'
import { fold } from '../sql/names.ts'
import { lowerAscii } from '../sql/trigrams.ts'

const arrayTypes: Record<ColumnType, string> = {
  text: 'text[]',
  integer: 'bigint[]',
  boolean: 'boolean[]',
  timestamp: 'timestamptz[]',
  date: 'date[]',
  json: 'text[]',
}

/** PostgreSQL's text form of an array; every text quoted, so that none reads as NULL or as a delimiter. */
const arrayLiteral = (values: readonly unknown[]): string => `{${values.map(entryLiteral).join(',')}}`

const entryLiteral = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`

/** `hasIcu`: whether the server knows the root collation of ICU; without it only its own locale's letters are folded. */
export const createPostgresDialect = (hasIcu: boolean): Dialect => {
  const folded = (expression: string): string => {
    const normal = `normalize(${expression}, NFKC)`
    return `replace(lower(${hasIcu ? `${normal} COLLATE "und-x-icu"` : normal}), 'ς', 'σ')`
  }
  return {
    name: 'postgres',
    placeholder: slot => `$${slot}`,
    cell: plainCell,
    list: arrayLiteral,
    among: (expression, list, column) => `${expression} = ANY(${list}::${arrayTypes[column]})`,
    // Without DISTINCT it expects a set that is too large for a hash table, and compares with each of its values.
    amongRows: (expression, column, { rows, isFolded }) =>
      `(${expression} IN (SELECT DISTINCT ${column} ${rows}))${isFolded ? '' : ' IS TRUE'}`,
    // Where the limit is a parameter it expects a tenth of the table, and would read all of it for a join.
    amongKeys: (expression, subselect) => `${expression} = ANY(ARRAY(${subselect}))`,
    listRows: list => `unnest(${list}::text[]) AS listed(value)`,
    keptRows: (pks, versions) => `unnest(${pks}::text[], ${versions}::bigint[]) AS kept(pk, version)`,
    entryRows: expression => `jsonb_array_elements_text(${expression}) AS entries(value)`,
    decode: {},
    like: (expression, pattern, matching) => {
      if (matching === 'unicode') return `${folded(expression)} LIKE ${pattern}`
      // In the C collation ILIKE folds the case of ASCII letters and no others.
      return matching === 'ascii' ? `${expression} COLLATE "C" ILIKE ${pattern}` : `${expression} LIKE ${pattern}`
    },
    pattern: (pattern, matching) => likePattern(matching === 'unicode' ? pattern.map(fold) : pattern),
    // With all case folded, the comparison is one with the indexed text.
    trigramCell: (pattern, matching) => (matching === 'unicode' ? null : likePattern(pattern.map(lowerAscii))),
    hasTrigrams: (expression, trigrams) => `lower(${expression}) LIKE ${trigrams}`,
    orderNulls: descending => (descending ? ' NULLS LAST' : ' NULLS FIRST'),
    pairs: (pk, label) => `coalesce(json_agg(json_build_array(${pk}, ${label}) ORDER BY ${pk}), '[]')`,
    fence: ' OFFSET 0',
    // As many as it puts in one order itself (`join_collapse_limit`): planning more takes the cube of their number in time.
    folded: 8,
    lock: alias => ` FOR UPDATE OF ${alias}`,
  }
}
