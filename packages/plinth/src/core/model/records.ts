// Records as module code reads and writes them: typed by the definition of their resource.

import type { Caller } from './caller.ts'
import type { ResourceModel } from './definition.ts'
import type { NewRow, Row, RowChanges, RowQuery, SortBy, Where } from './row.ts'
import type { RemoveOptions, Transaction } from './transaction.ts'

/** Reads records, typed by their definitions. */
export interface RecordReader {
  /** Problem `not_found` when there is none, or none that the caller may read. */
  get<D extends ResourceModel>(definition: D, pk: string): Promise<Row<D>>
  /** The first match; null when there is none. */
  first<D extends ResourceModel>(definition: D, where: Where<D>, sort?: readonly SortBy<D>[]): Promise<Row<D> | null>
  find<D extends ResourceModel>(definition: D, query?: RowQuery<D>): Promise<readonly Row<D>[]>
  /** All matches in batches. `limit` is the size of a batch. */
  stream<D extends ResourceModel>(definition: D, query?: RowQuery<D>): AsyncIterable<readonly Row<D>[]>
  count<D extends ResourceModel>(definition: D, where?: Where<D>): Promise<number>
}

/**
 * What a caller can do over HTTP. Every write runs validation, defaults, computed fields, dates, hooks and events. Code may
 * also write fields that only the service writes. Rows are whole: answer with a view of them, since they also hold fields that
 * the caller may not read.
 */
export interface Records extends RecordReader {
  create<D extends ResourceModel>(definition: D, values: NewRow<D>): Promise<Row<D>>
  /** Problem `not_found` when there is none, or none that the caller may read. */
  update<D extends ResourceModel>(definition: D, pk: string, changes: RowChanges<D>): Promise<Row<D>>
  /** Changes all matches; answers how many there were. */
  updateWhere<D extends ResourceModel>(definition: D, where: Where<D>, changes: RowChanges<D>): Promise<number>
  /** Problem `not_found` as above; `referenced` when other records still refer to it. To the trash, where there is one. */
  remove<D extends ResourceModel>(definition: D, pk: string, options?: RemoveOptions): Promise<void>
  /** Deletes all matches, or `limit` of them; answers how many. To the trash, where there is one. */
  removeWhere<D extends ResourceModel>(definition: D, where: Where<D>, limit?: number): Promise<number>
  /** All or nothing. The work may run again when the database asks for it, so it must have no effect outside. */
  transaction<T>(work: (records: TransactionRecords) => Promise<T>): Promise<T>
  /** The same without permissions. All other checks stay. */
  readonly asService: Records
}

/** Within a transaction, which knows who acts and when. */
export interface TransactionRecords extends Records {
  readonly caller: Caller
  readonly now: Date
  /** The record, held against other writers until the transaction ends; null when there is none. */
  lock<D extends ResourceModel>(definition: D, pk: string): Promise<Row<D> | null>
  /** Many records in few statements; nothing is read back. */
  createAll<D extends ResourceModel>(definition: D, records: readonly NewRow<D>[]): Promise<void>
  /** Creates the record unless one of its pk is there; false when there was. Safe against others who do the same. */
  ensure<D extends ResourceModel>(definition: D, values: NewRow<D>): Promise<boolean>
  /** Creates the record, or changes the one of its pk. */
  put<D extends ResourceModel>(definition: D, values: NewRow<D>): Promise<void>
  /** As another caller, or at another moment: for records of the past. */
  acting(as: { readonly caller?: Caller; readonly now?: Date }): TransactionRecords
  readonly asService: TransactionRecords
  /** What these records stand on, for code that works with resources of any kind. */
  readonly tx: Transaction
}
