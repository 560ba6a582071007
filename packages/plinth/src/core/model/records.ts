// Records as module code reads and writes them: typed by the definition of their resource.

import type { Caller } from './caller.ts'
import type { ResourceModel } from './definition.ts'
import type { Increments, NewRow, Row, RowChanges } from './row.ts'
import type { AggregateQuery, GroupRow } from './row-aggregate.ts'
import type { CountQuery, FirstQuery, RemoveQuery, RowQuery, RowView, StreamQuery, UpdateQuery } from './row-query.ts'
import type { RowField, RowOf, RowPath } from './row-view.ts'
import type { SqlOptions, SqlTemplate } from './sql.ts'
import type { RemoveOptions, Transaction } from './transaction.ts'
import type { ShapeFields } from './value-field.ts'

/** Reads records, typed by their definitions. */
export interface RecordReader {
  /**
   * The record of this pk. Problem `not_found` when there is none, or none that the caller may read.
   *
   * @example const loan = await records.get(loans, pk, { include: ['book.author'] })
   */
  get<D extends ResourceModel, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    pk: string,
    view?: RowView<F, I>,
  ): Promise<RowOf<D, F, I>>
  /**
   * The first match; null when there is none.
   *
   * @example await records.first(books, { where: { isbn: '978-0156949606' }, include: ['author'] })
   */
  first<D extends ResourceModel, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query?: FirstQuery<D, F, I>,
  ): Promise<RowOf<D, F, I> | null>
  /**
   * All matches, or `limit` of them.
   *
   * @example await records.find(loans, { where: { book: { author: { name: { ilike: 'w*' } } } }, include: ['book'], sort: '-due' })
   */
  find<D extends ResourceModel, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query?: RowQuery<D, F, I>,
  ): Promise<readonly RowOf<D, F, I>[]>
  /**
   * All matches in batches, for many records.
   *
   * @example for await (const batch of records.stream(loans, { where: { returned: null } })) count += batch.length
   */
  stream<D extends ResourceModel, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query?: StreamQuery<D, F, I>,
  ): AsyncIterable<readonly RowOf<D, F, I>[]>
  /**
   * How many records match.
   *
   * @example await records.count(loans, { where: { returned: null } })
   */
  count<D extends ResourceModel>(definition: D, query?: CountQuery<D>): Promise<number>
  /**
   * Groups of the records that match, and what is computed of each: counts, sums, averages. Amounts are in stored form, such as cents.
   *
   * @example
   * const months = await records.aggregate(invoices, { group: ['createdDate:month'], count: true, sum: ['total'] })
   * months[0]?.sum.total
   */
  aggregate<D extends ResourceModel, const Q extends AggregateQuery<D>>(
    definition: D,
    query: Q,
  ): Promise<readonly GroupRow<D, Q>[]>
}

/**
 * What a caller can do over HTTP. Every write runs validation, defaults, computed fields, dates, hooks and events. Code may
 * also write fields that only the service writes. Rows are whole: answer with a view of them, since they also hold fields that
 * the caller may not read.
 */
export interface Records extends RecordReader {
  /**
   * Creates a record.
   *
   * @example const book = await records.create(books, { title: 'Orlando', author: author.pk })
   */
  create<D extends ResourceModel>(definition: D, values: NewRow<D>): Promise<Row<D>>
  /**
   * Creates many records in few statements, all or none, and reads none of them back.
   *
   * @example await records.createMany(tags, [{ name: 'new' }, { name: 'rare' }])
   */
  createMany<D extends ResourceModel>(definition: D, records: readonly NewRow<D>[]): Promise<void>
  /**
   * Creates the record unless one of its pk is there; false when there was. Safe against others who do the same.
   *
   * @example await records.ensure(counters, { pk: 'invoices', next: 1 })
   */
  ensure<D extends ResourceModel>(definition: D, values: NewRow<D>): Promise<boolean>
  /**
   * Creates the record, or changes the one of its pk.
   *
   * @example await records.upsert(rates, { pk: 'EUR', rate: 100 })
   */
  upsert<D extends ResourceModel>(definition: D, values: NewRow<D>): Promise<void>
  /**
   * Changes fields of a record. Nothing is written when nothing changes. Problem `not_found` when there is none, or none that the
   * caller may read.
   *
   * @example await records.update(books, pk, { title: 'The Waves', isbn: null })
   */
  update<D extends ResourceModel>(definition: D, pk: string, changes: RowChanges<D>): Promise<Row<D>>
  /**
   * Changes all matches; answers how many there were.
   *
   * @example await records.updateMany(loans, { where: { due: { lt: today } } }, { overdue: true })
   */
  updateMany<D extends ResourceModel>(definition: D, query: UpdateQuery<D>, changes: RowChanges<D>): Promise<number>
  /**
   * Adds to numbers of a record, whatever others write at the same time; a number that is missing counts as 0. It is an update in
   * every other respect: problem `invalid` when a field does not allow the sum, such as one below its `min`.
   *
   * @example await records.increment(books, pk, { copies: -1 })
   */
  increment<D extends ResourceModel>(definition: D, pk: string, by: Increments<D>): Promise<Row<D>>
  /**
   * Deletes a record: to the trash, where there is one. Problem `not_found` as for `update`; `referenced` when other records still
   * refer to it.
   *
   * @example await records.remove(books, pk)
   */
  remove<D extends ResourceModel>(definition: D, pk: string, options?: RemoveOptions): Promise<void>
  /**
   * Deletes all matches, or `limit` of them; answers how many. To the trash, where there is one.
   *
   * @example await records.removeMany(visits, { where: { time: { lt: lastYear } }, limit: 1000 })
   */
  removeMany<D extends ResourceModel>(definition: D, query: RemoveQuery<D>): Promise<number>
  /**
   * All or nothing. The work may run again when the database asks for it, so it must have no effect outside.
   *
   * @example await records.transaction(async inside => inside.lock(books, pk))
   */
  transaction<T>(work: (records: TransactionRecords) => Promise<T>): Promise<T>
  /**
   * Rows of a statement of your own, typed by the columns that it returns. It knows no permissions, so it is for `asService`, jobs
   * and commands, and not for hooks. Values are parameters; names come from definitions. It can only read, unless `write` is set.
   *
   * @example
   * const columns = { month: text({ required: true }), total: money({ required: true }) }
   * const rows = await records.sql(columns)`SELECT … AS "month", … AS "total" FROM ${sql.table(invoices)} WHERE …`
   */
  sql<const Columns extends ShapeFields>(columns: Columns, options?: SqlOptions): SqlTemplate<Columns>
  /** The same without permissions. All other checks stay. */
  readonly asService: Records
}

/** How records of the past are written. */
export interface ActingAs {
  readonly caller?: Caller
  readonly now?: Date
  /** State machines admit any first state and any step. */
  readonly anyState?: boolean
}

/** The records within a transaction, which knows the actor and the time. */
export interface TransactionRecords extends Records {
  readonly caller: Caller
  readonly now: Date
  /**
   * The record, locked against other writers until the transaction ends; null when there is none.
   *
   * @example const book = await inside.lock(books, pk)
   */
  lock<D extends ResourceModel>(definition: D, pk: string): Promise<Row<D> | null>
  /** Returns the records as another caller uses them, at another moment or in any state: for records of the past. */
  acting(as: ActingAs): TransactionRecords
  readonly asService: TransactionRecords
  /** What these records stand on, for code that works with resources of any kind. */
  readonly tx: Transaction
}
