// Indexes on the trigrams of a text, which serve searches for a part of it: GIN on PostgreSQL, FTS5 on SQLite.

import type { Pattern } from '../../model/query.ts'
import type { DialectName } from '../migrate/ddl.ts'
import type { Matching } from './dialect.ts'
import { fold, quote } from './names.ts'

/** The two forms of a text whose trigrams are kept, as SQL: one for each way in which searches compare. */
interface TrigramTexts {
  readonly anyCase: string
  readonly folded: string
}

interface TrigramIndex {
  readonly name: string
  readonly table: string
  readonly column: string
}

type Texts = (expression: string) => TrigramTexts

export const createTrigrams = (index: TrigramIndex, texts: Texts, dialect: DialectName): string =>
  dialect === 'postgres' ? createGin(index, texts) : createFts(index, texts)

const createGin = ({ name, table, column }: TrigramIndex, texts: Texts): string => {
  const { anyCase, folded } = texts(quote(column))
  const keys = [anyCase, folded].map(text => `(${text}) gin_trgm_ops`)
  return `CREATE INDEX ${quote(name)} ON ${quote(table)} USING gin (${keys.join(', ')});`
}

/**
 * A table of trigrams alone, by the rowids of the records: VACUUM keeps these for tables that have an index. Triggers keep it
 * current, also when a record goes with one that it refers to.
 */
const createFts = ({ name, table, column }: TrigramIndex, texts: Texts): string => {
  const text = (row: string): string => {
    const { anyCase, folded } = texts(row + quote(column))
    return `CASE WHEN ${anyCase} = ${folded} THEN ${anyCase} ELSE ${anyCase} || char(10) || ${folded} END`
  }
  const insert = (rowid: string, value: string): string =>
    `INSERT INTO ${quote(name)} (rowid, text) SELECT ${rowid}, ${value}`
  const trigger = (event: string, when: string, ...statements: string[]): string =>
    `CREATE TRIGGER ${quote(`${name}_${event}`)} AFTER ${when} BEGIN ${statements.map(sql => `${sql};`).join(' ')} END;`
  const remove = `DELETE FROM ${quote(name)} WHERE rowid = old.rowid`
  const add = `${insert('new.rowid', text('new.'))} WHERE new.${quote(column)} IS NOT NULL`
  const options = `content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1', detail = none`
  return [
    `CREATE VIRTUAL TABLE ${quote(name)} USING fts5 (text, ${options});`,
    trigger('insert', `INSERT ON ${quote(table)}`, add),
    trigger('delete', `DELETE ON ${quote(table)}`, remove),
    trigger('update', `UPDATE OF ${quote(column)} ON ${quote(table)}`, remove, add),
    `${insert('rowid', text(''))} FROM ${quote(table)} WHERE ${quote(column)} IS NOT NULL;`,
  ].join('\n')
}

export const dropTrigrams = (name: string, dialect: DialectName): string =>
  dialect === 'postgres'
    ? `DROP INDEX ${quote(name)};`
    : [
        ...['insert', 'delete', 'update'].map(event => `DROP TRIGGER ${quote(`${name}_${event}`)};`),
        `DROP TABLE ${quote(name)};`,
      ].join('\n')

/** More of them narrow a search no further. */
const maxTrigrams = 20

/** All runs of three characters in the pieces of a pattern; empty where every piece is shorter. */
export const trigramsOf = (pattern: Pattern, matching: Matching): readonly string[] => {
  const trigrams = new Set<string>()
  for (const piece of pattern) {
    const characters = [...(matching === 'unicode' ? fold(piece) : lowerAscii(piece))]
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''))
  }
  return [...trigrams].slice(0, maxTrigrams)
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())

/** The words of an FTS5 query all have to be there. */
export const matchText = (trigrams: readonly string[]): string =>
  trigrams.map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' ')
