// The tables of an index of words, beside the table of the records. `texts` has a row for each record: its entries in their order, for
// phrases and to delete them again. `words` has a row for each entry and record, and is read in the order of the entries.
// They are no part of the model: what they hold can be made again from the records.

import type { Resource } from '../../model/resource.ts'
import { shortened } from '../sql/columns.ts'

export interface SearchTables {
  /** (`pk`, `entries`: a JSON list, `length`: the number of words, by their weights). */
  readonly texts: string
  /** (`entry`, `pk`, `value`: weight and length). */
  readonly words: string
  /** The trigger on the records, which forgets those that are deleted. */
  readonly trigger: string
}

export const searchTablesOf = ({ name }: Resource): SearchTables => ({
  texts: shortened(`plinth_texts_${name}`),
  words: shortened(`plinth_words_${name}`),
  trigger: shortened(`plinth_forget_${name}`),
})

/** How far each index is built: (`resource`, `signature`, `upTo`, `built`). */
export const buildTable = 'plinth_search'

/** What databases say differently about indexes of words. */
export interface SearchDialect {
  /** Creates the tables and triggers of an index. Deleted records leave both tables, also those that the database deletes. */
  create(tables: SearchTables, records: string): string
  drop(tables: SearchTables): string
  /** Rows where the trigger of this name exists. */
  hasTrigger(trigger: string): string
  /** Rows where the table of this name exists. */
  hasTable(table: string): string
  /** Rows `d(pk, entries, length)` from a cell with documents. */
  textRows(documents: string): string
  /** Rows (`entry`, `pk`, `value`) from the same cell. */
  wordRows(documents: string): string
  /** Rows `q(entry, weight, length)` from a cell with such lists. */
  entryRows(entries: string): string
  /** A condition: does a text hold a part? */
  contains(text: string, part: string): string
  /** Joins tables in this order, where the planner does not know which is better. */
  readonly join: string
  /** How many records a build takes at a time, so that writers hardly notice. */
  readonly buildBatch: number
  /** What lets the planner know the tables after a build; null where it needs nothing. */
  readonly analyse: ((table: string) => string) | null
}
