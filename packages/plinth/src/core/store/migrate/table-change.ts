// What must change in a table that exists, from its structure alone; whether the rows allow it is asked elsewhere.

import type { FoundColumn, FoundIndex, FoundTable } from './catalogue.ts'
import type { Table, TableColumn, TableIndex } from './table.ts'

/** Columns go by the names that they have in the database now: renaming comes last, right before new indexes. */
export interface TableChange {
  readonly table: Table
  readonly found: FoundTable
  readonly kept: readonly KeptColumn[]
  readonly added: readonly TableColumn[]
  readonly relaxed: readonly FoundColumn[]
  readonly tightened: readonly KeptColumn[]
  readonly rereferenced: readonly KeptColumn[]
  readonly renamed: readonly KeptColumn[]
  /** Folded columns whose rows need their text again: new ones, and those that no unique index has watched over. */
  readonly refolded: readonly TableColumn[]
  readonly unwanted: readonly FoundColumn[]
  readonly droppedIndexes: readonly FoundIndex[]
  readonly createdIndexes: readonly TableIndex[]
  /** Indexes of ours that cannot be used. */
  readonly invalidIndexes: readonly FoundIndex[]
  readonly refused: readonly string[]
  /** Instances of the earlier model go on using former names of columns. */
  readonly keepsFormerNames?: boolean
}

/** A column of the model together with the one that holds it. */
export interface KeptColumn {
  readonly column: TableColumn
  readonly found: FoundColumn
}
