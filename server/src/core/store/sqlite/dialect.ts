import type { Pattern } from '../../model/query.ts'
import { type Dialect, likePattern, plainCell } from '../sql/dialect.ts'
import { fold, quote } from '../sql/names.ts'
import { matchText, trigramsOf } from '../sql/trigrams.ts'

/** The SQL function that the driver registers for searches that ignore the case of all letters. */
export const foldFunction = 'plinth_fold'

const cell: Dialect['cell'] = (value, column) => {
  const plain = plainCell(value, column)
  return typeof plain === 'boolean' ? Number(plain) : plain
}

/** GLOB minds case and uses an index for a fixed beginning; its special characters stand for themselves in brackets. */
const globPattern = (pattern: Pattern): string => pattern.map(piece => piece.replace(/[*?[]/g, '[$&]')).join('*')

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  placeholder: slot => `?${slot}`,
  cell,
  list: (values, column) => JSON.stringify(values.map(value => cell(value, column === 'json' ? 'text' : column))),
  among: (expression, list) => `${expression} IN (SELECT value FROM json_each(${list}))`,
  amongRows: (expression, column, { rows }) => `${expression} IN (SELECT ${column} ${rows})`,
  amongKeys: (expression, subselect) => `${expression} IN (${subselect})`,
  listRows: list => `json_each(${list}) AS listed`,
  keptRows: (pks, versions) => `(SELECT value AS pk, ${versions} ->> key AS version FROM json_each(${pks})) AS kept`,
  entryRows: expression => `json_each(${expression}) AS entries`,
  decode: {
    boolean: cell => (cell === null ? null : cell === 1),
    json: cell => (cell === null ? null : JSON.parse(cell as string)),
  },
  like: (expression, pattern, matching) => {
    // LIKE folds the case of ASCII letters and no others.
    if (matching === 'ascii') return `${expression} LIKE ${pattern} ESCAPE '\\'`
    return `${matching === 'exact' ? expression : `${foldFunction}(${expression})`} GLOB ${pattern}`
  },
  pattern: (pattern, matching) => {
    if (matching === 'ascii') return likePattern(pattern)
    return globPattern(matching === 'exact' ? pattern : pattern.map(fold))
  },
  trigramCell: (pattern, matching) => matchText(trigramsOf(pattern, matching)),
  hasTrigrams: (expression, trigrams, index) => {
    const [, alias] = /^(\w+)\."\w+"$/.exec(expression) ?? []
    // Only a column has a record beside it.
    if (alias === undefined) return `${trigrams} IS NOT NULL`
    return `${alias}.rowid IN (SELECT rowid FROM ${quote(index)} WHERE ${quote(index)} MATCH ${trigrams})`
  },
  // Nulls are the smallest already.
  orderNulls: () => '',
  pairs: (pk, label) => `json_group_array(json_array(${pk}, ${label}) ORDER BY ${pk})`,
  // Of conditions that are joined, each that fails makes those before it look for another match: exponential in their number.
  fence: ' LIMIT 1',
  folded: 0,
  // Only one transaction writes at a time.
  lock: () => '',
}
