// Records whose calls are known while they are under way. A call that fails although nothing awaits it is reported with the place that
// made it; records of code whose time is over take no calls.

import type { Caller } from '../model/caller.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { ActingAs, Records, TransactionRecords } from '../model/records.ts'
import type { Increments, NewRow, Row, RowChanges } from '../model/row.ts'
import type { AggregateQuery, GroupRow } from '../model/row-aggregate.ts'
import type {
  CountQuery,
  FirstQuery,
  RemoveQuery,
  RowQuery,
  RowView,
  StreamQuery,
  UpdateQuery,
} from '../model/row-query.ts'
import type { RowField, RowOf, RowPath } from '../model/row-view.ts'
import { type Activity, RecordCall, type RunningCode } from '../model/running-code.ts'
import type { SqlOptions, SqlTemplate } from '../model/sql.ts'
import type { RemoveOptions, Transaction } from '../model/transaction.ts'
import type { ShapeFields } from '../model/value-field.ts'
import { captureSite } from '../source-place.ts'
import type { InTransaction, RecordContext } from './context.ts'

/** The property of a result that holds its call. A weak map would keep both until the next full collection of garbage. */
const calling = Symbol('calling')

interface CallResult<T> extends Promise<T> {
  [calling]?: RecordCall
}

/** The call of records that this is the result of, if it is one. */
export const recordCallOf = (result: CallResult<unknown>): RecordCall | null => result[calling] ?? null

interface CallParts<T> {
  /** The method that was called. */
  readonly callee: (...args: never[]) => unknown
  readonly definition?: ResourceDefinition
  readonly run: (call: RecordCall) => Promise<T>
}

/** An async function, and no reaction to the result: the result must still count as unhandled where nothing awaits it. */
const runCall = async <T>(
  call: RecordCall,
  { activity, code }: { readonly activity: Activity | null; readonly code: RunningCode | null },
  run: CallParts<T>['run'],
): Promise<T> => {
  code?.mustBeRunning()
  activity?.add(call)
  try {
    return await run(call)
  } finally {
    activity?.remove(call)
  }
}

async function* whileRunning<T>(code: RunningCode, batches: AsyncIterable<T>): AsyncGenerator<T> {
  code.mustBeRunning()
  for await (const batch of batches) {
    code.mustBeRunning()
    yield batch
  }
}

export class TrackedRecords implements Records {
  readonly #records: Records
  readonly #activity: Activity | null
  readonly #code: RunningCode | null

  constructor(records: Records, { tx, code }: RecordContext) {
    this.#records = records
    this.#activity = tx?.activity ?? null
    this.#code = code ?? null
  }

  protected call<T>({ callee, definition, run }: CallParts<T>): Promise<T> {
    const [activity, code] = [this.#activity, this.#code]
    const resource = definition?.name ?? null
    const call = new RecordCall({
      ...{ operation: callee.name, resource, site: captureSite(callee) },
      code: activity?.code ?? code,
    })
    const result: CallResult<T> = runCall(call, { activity, code }, run)
    call.result = result
    result[calling] = call
    return result
  }

  get<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    pk: string,
    view?: RowView<F, I>,
  ): Promise<RowOf<D, F, I>> {
    return this.call({ callee: this.get, definition, run: () => this.#records.get(definition, pk, view) })
  }

  first<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query?: FirstQuery<D, F, I>,
  ): Promise<RowOf<D, F, I> | null> {
    return this.call({ callee: this.first, definition, run: () => this.#records.first(definition, query) })
  }

  find<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query?: RowQuery<D, F, I>,
  ): Promise<readonly RowOf<D, F, I>[]> {
    return this.call({ callee: this.find, definition, run: () => this.#records.find(definition, query) })
  }

  stream<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query?: StreamQuery<D, F, I>,
  ): AsyncIterable<readonly RowOf<D, F, I>[]> {
    const batches = this.#records.stream(definition, query)
    return this.#code ? whileRunning(this.#code, batches) : batches
  }

  count<D extends ResourceDefinition>(definition: D, query?: CountQuery<D>): Promise<number> {
    return this.call({ callee: this.count, definition, run: () => this.#records.count(definition, query) })
  }

  aggregate<D extends ResourceDefinition, const Q extends AggregateQuery<D>>(
    definition: D,
    query: Q,
  ): Promise<readonly GroupRow<D, Q>[]> {
    return this.call({ callee: this.aggregate, definition, run: () => this.#records.aggregate(definition, query) })
  }

  create<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<Row<D>> {
    return this.call({ callee: this.create, definition, run: () => this.#records.create(definition, values) })
  }

  createMany<D extends ResourceDefinition>(definition: D, records: readonly NewRow<D>[]): Promise<void> {
    return this.call({ callee: this.createMany, definition, run: () => this.#records.createMany(definition, records) })
  }

  ensure<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<boolean> {
    return this.call({ callee: this.ensure, definition, run: () => this.#records.ensure(definition, values) })
  }

  upsert<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<void> {
    return this.call({ callee: this.upsert, definition, run: () => this.#records.upsert(definition, values) })
  }

  update<D extends ResourceDefinition>(definition: D, pk: string, changes: RowChanges<D>): Promise<Row<D>> {
    return this.call({ callee: this.update, definition, run: () => this.#records.update(definition, pk, changes) })
  }

  updateMany<D extends ResourceDefinition>(
    definition: D,
    query: UpdateQuery<D>,
    changes: RowChanges<D>,
  ): Promise<number> {
    const run = () => this.#records.updateMany(definition, query, changes)
    return this.call({ callee: this.updateMany, definition, run })
  }

  increment<D extends ResourceDefinition>(definition: D, pk: string, by: Increments<D>): Promise<Row<D>> {
    return this.call({ callee: this.increment, definition, run: () => this.#records.increment(definition, pk, by) })
  }

  remove<D extends ResourceDefinition>(definition: D, pk: string, options?: RemoveOptions): Promise<void> {
    return this.call({ callee: this.remove, definition, run: () => this.#records.remove(definition, pk, options) })
  }

  removeMany<D extends ResourceDefinition>(definition: D, query: RemoveQuery<D>): Promise<number> {
    return this.call({ callee: this.removeMany, definition, run: () => this.#records.removeMany(definition, query) })
  }

  transaction<T>(work: (records: TransactionRecords) => Promise<T>): Promise<T> {
    return this.call({
      callee: this.transaction,
      run: call =>
        this.#records.transaction(transaction => transaction.tx.activity.during(call, () => work(transaction))),
    })
  }

  sql<const Columns extends ShapeFields>(columns: Columns, options?: SqlOptions): SqlTemplate<Columns> {
    const template = this.#records.sql(columns, options)
    const sql: SqlTemplate<Columns> = (texts, ...parts) =>
      this.call({ callee: sql, run: () => template(texts, ...parts) })
    return sql
  }

  get asService(): Records {
    return this.#records.asService
  }
}

export class TrackedTransactionRecords extends TrackedRecords implements TransactionRecords {
  readonly #records: TransactionRecords

  constructor(records: TransactionRecords, context: InTransaction) {
    super(records, context)
    this.#records = records
  }

  get tx(): Transaction {
    return this.#records.tx
  }

  get caller(): Caller {
    return this.#records.caller
  }

  get now(): Date {
    return this.#records.now
  }

  lock<D extends ResourceDefinition>(definition: D, pk: string): Promise<Row<D> | null> {
    return this.call({ callee: this.lock, definition, run: () => this.#records.lock(definition, pk) })
  }

  acting(as: ActingAs): TransactionRecords {
    return this.#records.acting(as)
  }

  override get asService(): TransactionRecords {
    return this.#records.asService
  }
}
