// Columns: where the members of a resource lie, how their values are bound, and which index serves a search in text.

import { createHash } from 'node:crypto'
import type { ColumnType } from '../../model/field.ts'
import { hasTextIndexes } from '../../model/indexes.ts'
import type { Comparison, Pattern } from '../../model/query.ts'
import type { Member, Resource } from '../../model/resource.ts'
import type { Cell } from '../driver.ts'
import type { Dialect } from './dialect.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text as SQL: for names and words of the model, never for what a caller sent. */
export const textOf = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The table that is written to, by its name alone. */
export const recordTableOf = (resource: Resource): string => (resource.holder ?? resource).name

/** The same in SQL. */
export const tableOf = (resource: Resource): string => quote(recordTableOf(resource))

/** What is read from: the table, or those of its rows that belong to the resource. */
export const sourceOf = (resource: Resource): string =>
  resource.definition.storedIn ? `(SELECT * FROM ${tableOf(resource)} WHERE ${partSql(resource)})` : tableOf(resource)

/** What a row has that belongs to a part of its table: the column and its fixed value. */
export const partOf = ({ definition: { storedIn } }: Resource): { column: string; value: string } | null =>
  storedIn ? { column: quote(storedIn.where.member), value: textOf(storedIn.where.equals) } : null

/** A condition on the rows of a table; TRUE where all of them belong to the resource. */
export const partSql = (resource: Resource): string => {
  const part = partOf(resource)
  return part ? `${part.column} = ${part.value}` : 'TRUE'
}

/** The table of a link member's pairs, by its name alone: (owner, target). */
export const linkTableOf = (links: Member): string => `${links.owner.name}_${links.name}`

/** The companion column that makes a text member unique without regard to case. */
export const foldedColumnOf = (member: Member): string => `${member.name}_folded`

export const isFolded = (member: Member): boolean =>
  member.field.role === 'value' && member.field.options.unique === 'ignoreCase'

/** Text as the companion column holds it, and as searches that ignore all case see it. Greek has two small sigmas. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')

/** How the member's value lies in its column; a relation is held as a pk, a count comes out as a number. */
export const columnTypeOf = ({ field }: Member): ColumnType => {
  if (field.role === 'value') return field.type.column
  return field.role === 'count' ? 'integer' : 'text'
}

export const searchesEntries = ({ field }: Member): boolean =>
  field.role === 'value' && field.type.searchesEntries === true

export const isToMany = ({ field }: Member): boolean => field.role === 'links' || field.role === 'inverse'

/** The resource at the other end of a relation; the registry has resolved it. */
export const targetOf = (relation: Member): Resource => {
  if (!relation.target) throw new Error(`${relation.owner.name}.${relation.name} is not a relation`)
  return relation.target
}

/**
 * Which pairs or column hold a to-many relation, seen from the side that names it: `near` holds this record's pk,
 * `far` the other's. A plain inverse lies in the other resource's own table.
 */
export type Holding =
  | { readonly kind: 'pairs'; readonly table: string; readonly near: string; readonly far: string; links: Member }
  | { readonly kind: 'column'; readonly by: Member }

export const holdingOf = (relation: Member): Holding => {
  if (relation.field.role === 'links') {
    return { kind: 'pairs', table: quote(linkTableOf(relation)), near: '"owner"', far: '"target"', links: relation }
  }
  const by = relation.inverseOf
  if (!by) throw new Error(`${relation.owner.name}.${relation.name} is not a to-many relation`)
  return by.field.role === 'links'
    ? { kind: 'pairs', table: quote(linkTableOf(by)), near: '"target"', far: '"owner"', links: by }
    : { kind: 'column', by }
}

/** Every index that a migration makes begins with one of these; it drops no other. */
export const indexPrefixes = {
  columns: 'plinth_i_',
  unique: 'plinth_u_',
  anyCase: 'plinth_c_',
  trigrams: 'plinth_t_',
} as const

/** PostgreSQL cuts longer names off, silently (SQL Syntax, "Identifiers and Key Words"). */
export const nameLimit = 63

/** The name itself when it fits, else its beginning with a hash of the whole. Names are ASCII, one byte each. */
export const shortened = (name: string): string =>
  name.length <= nameLimit
    ? name
    : `${name.slice(0, nameLimit - 11)}_${createHash('sha256').update(name).digest('hex').slice(0, 10)}`

export const textIndexName = ({ name, owner }: Member, kind: 'anyCase' | 'trigrams'): string =>
  shortened(indexPrefixes[kind] + [owner.name, name].join('__'))

// How values are bound: plain values, and patterns of text

/** Plain values pass, JSON becomes text; anything else is a programming error that must not reach the database. */
export const plainCell = (value: unknown, column: ColumnType): Cell => {
  if (value === null || value === undefined) return null
  if (column === 'json') return JSON.stringify(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new TypeError(`a ${typeof value} cannot be bound to a column of type ${column}`)
}

/** Case-sensitive, or without regard to the case of ASCII letters, or of all letters. */
export type Matching = 'exact' | 'ascii' | 'unicode'

export const matchingOf = (pattern: Pattern, ignoreCase: boolean): Matching => {
  if (!ignoreCase) return 'exact'
  return pattern.every(isAscii) ? 'ascii' : 'unicode'
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** The text form of LIKE: `%`, `_` and the escape itself are literal inside the pieces. */
export const likePattern = (pattern: Pattern): string =>
  pattern.map(piece => piece.replace(/[\\%_]/g, '\\$&')).join('%')

// Which index narrows a search with wildcards before each text is compared with the pattern.

type LikeComparison = Extract<Comparison, { readonly pattern: Pattern }>

/**
 * `anyCase`: the texts that begin like the pattern, in upper or lower case of ASCII. `trigrams`: those that have all runs of
 * three characters of the pattern. A beginning in its own case is a range of the plain index.
 */
export const textIndexOf = ({ op, path, pattern, ignoreCase }: LikeComparison): 'anyCase' | 'trigrams' | null => {
  if (op !== 'like' || !hasTextIndexes(path.member)) return null
  const matching = matchingOf(pattern, ignoreCase)
  if (pattern[0] && matching !== 'unicode') return ignoreCase ? 'anyCase' : null
  return trigramsOf(pattern, matching).length > 0 ? 'trigrams' : null
}

/**
 * From where to where exactly those texts lie that have a beginning in its own case; null where it takes the pattern to tell.
 * The last character must be one of ASCII: what follows another depends on the encoding of the database. Without regard to case
 * the pattern stays, since PostgreSQL then expects fewer matches and chooses the index for them.
 */
export const matchingRange = ({ op, path, pattern, ignoreCase }: LikeComparison): readonly [string, string] | null => {
  const [prefix, rest, ...others] = pattern
  if (op !== 'like' || ignoreCase || !prefix || rest !== '' || others.length > 0) return null
  if (columnTypeOf(path.member) !== 'text' || searchesEntries(path.member)) return null
  const last = prefix.charCodeAt(prefix.length - 1)
  return last < 0x7f ? [prefix, prefix.slice(0, -1) + String.fromCharCode(last + 1)] : null
}

/** The values that the condition on the index needs. */
export const textIndexCells = (comparison: LikeComparison, dialect: Dialect): readonly string[] => {
  const { pattern, ignoreCase } = comparison
  const index = textIndexOf(comparison)
  if (index === 'anyCase') return prefixRange(pattern)
  const cell = index && dialect.trigramCell(pattern, matchingOf(pattern, ignoreCase))
  return cell === null ? [] : [cell]
}

/** A condition that an index serves and every match fulfils; null where there is none. `placeholder` counts from 0. */
export const textIndexSql = (
  comparison: LikeComparison,
  expression: string,
  { dialect, placeholder }: { readonly dialect: Dialect; readonly placeholder: (at: number) => string },
): string | null => {
  const index = textIndexOf(comparison)
  if (index === null || textIndexCells(comparison, dialect).length === 0) return null
  if (index === 'trigrams')
    return dialect.hasTrigrams(expression, placeholder(0), textIndexName(comparison.path.member, 'trigrams'))
  const key = dialect.anyCase(expression)
  return `${key} >= ${placeholder(0)} AND ${key} < ${placeholder(1)}`
}

/**
 * From where to where the texts lie that begin like this, in an order that ignores the case of ASCII letters. The second bound is
 * not part of the range, and may be too large: the pattern decides.
 */
export const prefixRange = ([prefix = '']: Pattern): readonly [string, string] => {
  const lower = prefix.toLowerCase()
  const last = lower.charCodeAt(lower.length - 1)
  return [lower, lower.slice(0, -1) + String.fromCharCode(last + 1).toLowerCase()]
}

// Trigrams: runs of three characters, by which an index finds the texts that hold a part

/** A few of them are enough to narrow a search. */
const maxTrigrams = 20

/** Runs of three characters in the pieces of a pattern, in order; if there are too many, evenly spaced ones. Short pieces have none. */
export const trigramsOf = (pattern: Pattern, matching: Matching): readonly string[] => {
  const trigrams = new Set<string>()
  for (const piece of pattern) {
    const characters = [...(matching === 'unicode' ? fold(piece) : lowerAscii(piece))]
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''))
  }
  const step = Math.ceil(trigrams.size / maxTrigrams)
  return [...trigrams].filter((_, at) => at % step === 0)
}

/**
 * A pattern that every text matches which matches the given one: runs of three characters with anything between them. The last run
 * of a piece is longer where characters are left, since they may be the ones that differ.
 */
export const patternOfTrigrams = (pattern: Pattern): Pattern =>
  pattern.flatMap(piece => {
    const { runs, rest } = inThrees(piece)
    return runs.length === 0 ? [piece] : [...runs.slice(0, -1), runs.slice(-1).join('') + rest]
  })

const inThrees = (text: string): { readonly runs: readonly string[]; readonly rest: string } => {
  const characters = [...text]
  const count = Math.floor(characters.length / 3)
  const runs = Array.from({ length: count }, (_, at) => characters.slice(3 * at, 3 * at + 3).join(''))
  return { runs, rest: characters.slice(3 * count).join('') }
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
