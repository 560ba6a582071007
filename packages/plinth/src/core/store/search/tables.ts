// The tables of an index of words, beside the table of the records. They are no part of the model: what they hold can be made again from the
// records.
//
// A write puts the words of its record into `texts`, in one row: it waits for no other writer. Soon afterwards, in the background, records
// get numbers, and their words go to `words`, where many postings lie in one row (`pack.ts`). A record that changes loses its number: `gone`
// has those that postings still have, until these are swept.

import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import { searchIndexOf } from '../../model/search/search-index.ts'
import { shortened } from '../sql/columns.ts'

export interface SearchTables {
  /** (`pk`, `doc`: the number of the document, `length`: the number of words, by their weights, `entries`: a JSON list while it has no number). */
  readonly texts: string
  /** (`entry`, `first`, `last`, `count`, `postings`, `places`): blocks of postings. */
  readonly words: string
  /** (`doc`, `length`) of numbers that belong to no record any more. */
  readonly gone: string
  /** The trigger on the records, which forgets those that are deleted. */
  readonly trigger: string
  /** (`id`, `path`, `pk`, `state`, `by`, `upTo`) of what changes of related records have made out of date: `marks.ts`. */
  readonly marks: string
}

export const searchTablesOf = ({ name }: Resource): SearchTables => ({
  texts: shortened(`plinth_texts_${name}`),
  words: shortened(`plinth_words_${name}`),
  gone: shortened(`plinth_gone_${name}`),
  trigger: shortened(`plinth_forget_${name}`),
  marks: shortened(`plinth_marks_${name}`),
})

/** The resources that have an index of words. */
export const searchedResources = (registry: Registry): readonly Resource[] =>
  registry.resources.filter(resource => resource.holder === resource && searchIndexOf(resource) !== null)

/**
 * How far each index is built, and what its blocks hold: (`resource`, `signature`, `upTo`, `built`, `last`: the last number, `docs`: how many
 * documents have one, `length`: their words, `gone`: numbers that are swept next).
 */
export const indexTable = 'plinth_word_indexes'

/** A trigger that marks records when what their index has of others changes. */
export interface MarkTrigger {
  readonly name: string
  readonly table: string
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE'
  /** Columns of which one must change. */
  readonly changed: readonly string[]
  /** What is marked: the number of a relation, or 0 for the searched record itself, and the column of the row, old or new, that has its pk. */
  readonly marked: readonly (readonly [path: number, pk: string])[]
}

/** What databases say differently about the marks of an index. */
export interface MarkDialect {
  create(marks: string): string
  createTrigger(trigger: MarkTrigger, marks: string): string
  dropTrigger(name: string): string
  /** The names of triggers that begin like this. */
  triggersOf(prefix: string): string
  /** A condition on marks, as `m`: those that this transaction has made. */
  readonly own: string
  /** Numbers of transactions: the next one, and the oldest that has not ended; null where only one writes at a time. */
  readonly transactions: { readonly next: string; readonly oldest: string } | null
}

/** What databases say differently about indexes of words. */
export interface SearchDialect {
  /** Creates the tables and triggers of an index. Deleted records leave `texts`, also those that the database deletes. */
  create(tables: SearchTables, records: string): string
  drop(tables: SearchTables): string
  readonly marks: MarkDialect
  /** A list of the values of a column, as JSON, in a select of their rows. */
  listOf(column: string, isJson: boolean): string
  /** Rows where the trigger of this name exists. */
  hasTrigger(trigger: string): string
  /** Rows where the table of this name exists. */
  hasTable(table: string): string
  /** Bytes from an expression with their hexadecimal digits, where several rows go into a statement as lists. */
  bytesOf(digits: string): string
  /** Rows (`key`, `score`) from a cell with such lists, under the alias. */
  scoreRows(pairs: string, keys: 'text' | 'integer', alias: string): string
  /** A condition: does a text hold a part? */
  contains(text: string, part: string): string
  /** Joins tables in this order, where the planner does not know which is better. */
  readonly join: string
  /** How many records a build takes at a time, so that writers hardly notice. */
  readonly buildBatch: number
  /** What lets the planner know the tables after a build; null where it needs nothing. */
  readonly analyse: ((table: string) => string) | null
}
