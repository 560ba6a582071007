// Typed records over a context: what module code reads and writes with.

import { anonymous, type Caller } from '../model/caller.ts'
import type { ResourceDefinition } from '../model/define.ts'
import { numberFields } from '../model/number-fields.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { ActingAs, Records, TransactionRecords } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import type { Increments, NewRow, Row, RowChanges } from '../model/row.ts'
import type { RemoveQuery, RowQuery, UpdateQuery } from '../model/row-query.ts'
import type { RunningCode } from '../model/running-code.ts'
import { sql as fragment, type SqlOptions, type SqlRow, type SqlTemplate } from '../model/sql.ts'
import type { OwnStatement, RemoveOptions, Transaction } from '../model/transaction.ts'
import { keepsTrash } from '../model/trash.ts'
import type { ShapeFields } from '../model/value-field.ts'
import { missingRecord } from '../problem.ts'
import { checkStates } from './check-states.ts'
import { mustPassChecks } from './checked.ts'
import { checkRequired, checkValues, complete } from './complete.ts'
import { matchingAll, type PlainWhere } from './condition.ts'
import {
  asService,
  fullVisibility,
  type InTransaction,
  inTransaction,
  momentOf,
  type RecordContext,
  type RecordPlatform,
  unrestricted,
  withoutCaller,
} from './context.ts'
import { identify } from './identify.ts'
import { checkChangeOptions } from './plain-query.ts'
import { RowReader, soleKey } from './reader.ts'
import { type Creation, createRecord, createRecords, removeRecord, updateRecord } from './write.ts'

/**
 * The records of a caller, in the transaction of the context or outside of any.
 *
 * @example const mine = await recordsFor(context).find(loans, { where: { borrower: caller.pk ?? '' } })
 */
export const recordsFor = (context: RecordContext): Records => new ContextRecords(context)

/**
 * The records of hooks and other code inside a transaction.
 *
 * @example await inTransaction(context, transaction => recordsWithin(transaction).lock(books, loan.pk))
 */
export const recordsWithin = (transaction: InTransaction): TransactionRecords => new InsideRecords(transaction)

/** The service's own, for work that no caller asks for. */
export const serviceRecords = (platform: Pick<RecordPlatform, 'store' | 'clock'>, code?: RunningCode): Records =>
  recordsFor({
    ...(code && { code }),
    platform: { ...platform, access: unrestricted, recordsIn: recordsWithin, mustBeRecent: withoutCaller },
    caller: anonymous,
    sender: null,
    visibility: fullVisibility,
    isService: true,
    tx: null,
  })

/** The service's own in a transaction that is under way, for code of applications that runs in the transaction. */
export const serviceRecordsIn = (tx: Transaction): TransactionRecords => recordsWithin(asServiceIn(tx))

const asServiceIn = (tx: Transaction): InTransaction => ({
  platform: {
    access: unrestricted,
    store: { ...tx, transaction: work => work(tx), single: tx },
    clock: () => tx.by.now,
    recordsIn: recordsWithin,
    mustBeRecent: withoutCaller,
  },
  caller: tx.by.caller,
  sender: tx.by.sender,
  visibility: fullVisibility,
  isService: true,
  tx,
})

class ContextRecords<C extends RecordContext> extends RowReader<C> implements Records {
  create<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<Row<D>> {
    return this.call(this.create, definition, async () => {
      const resource = this.resource(definition)
      const record = await createRecord(this.context, { resource, ...this.identified(resource, values) })
      return record as Row<D>
    })
  }

  update<D extends ResourceDefinition>(definition: D, pk: string, changes: RowChanges<D>): Promise<Row<D>> {
    return this.call(this.update, definition, async () => {
      const resource = this.resource(definition)
      const updated = await updateRecord(this.context, { resource, pk, values: changes as Values })
      if (!updated) throw missingRecord(resource, pk)
      return updated.record as Row<D>
    })
  }

  updateMany<D extends ResourceDefinition>(
    definition: D,
    query: UpdateQuery<D>,
    changes: RowChanges<D>,
  ): Promise<number> {
    return this.inside(this.updateMany, definition, async transaction => {
      checkChangeOptions(query)
      const { where } = query
      const resource = this.resource(definition)
      let count = 0
      for (const pk of await new InsideRecords(transaction).matching(definition, { where }))
        if (await updateRecord(transaction, { resource, pk, values: changes as Values })) count++
      return count
    })
  }

  increment<D extends ResourceDefinition>(definition: D, pk: string, by: Increments<D>): Promise<Row<D>> {
    return this.call(this.increment, definition, async () => {
      const resource = this.resource(definition)
      const values = (before: StoredRecord) => incremented(before, by)
      const updated = await updateRecord(this.context, { resource, pk, values })
      if (!updated) throw missingRecord(resource, pk)
      return updated.record as Row<D>
    })
  }

  remove<D extends ResourceDefinition>(definition: D, pk: string, options?: RemoveOptions): Promise<void> {
    return this.call(this.remove, definition, async () => {
      const removal = { resource: this.resource(definition), pk, ...options }
      if (!(await removeRecord(this.context, removal))) throw missingRecord(removal.resource, pk)
    })
  }

  removeMany<D extends ResourceDefinition>(definition: D, query: RemoveQuery<D>): Promise<number> {
    return this.inside(this.removeMany, definition, async transaction => {
      checkChangeOptions(query)
      const { where, limit } = query
      const resource = this.resource(definition)
      if (transaction.isService && !resource.hooks.has.delete && !keepsTrash(resource)) {
        const condition = this.condition(resource, mustBePresent(where)) ?? matchingAll
        return transaction.tx.removeWhere(resource, condition, limit)
      }
      const matches = { where, ...(limit !== undefined && { limit }) }
      let count = 0
      for (const pk of await new InsideRecords(transaction).matching(definition, matches))
        if (await removeRecord(transaction, { resource, pk })) count++
      return count
    })
  }

  createMany<D extends ResourceDefinition>(definition: D, records: readonly NewRow<D>[]): Promise<void> {
    return this.inside(this.createMany, definition, async transaction => {
      const resource = this.resource(definition)
      const identified = records.map(values => this.identified(resource, values))
      await createRecords(transaction, resource, identified)
    })
  }

  ensure<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<boolean> {
    return this.inside(this.ensure, definition, async transaction => {
      const resource = this.resource(definition)
      return ensureRecord(transaction, { resource, ...this.identified(resource, values) })
    })
  }

  upsert<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<void> {
    return this.inside(this.upsert, definition, async transaction => {
      const resource = this.resource(definition)
      const record = { resource, ...this.identified(resource, values) }
      if (await ensureRecord(transaction, record)) return
      // Another transaction may have deleted the record since it was found.
      if (!(await updateRecord(transaction, record))) await createRecord(transaction, record)
    })
  }

  transaction<T>(work: (records: TransactionRecords) => Promise<T>): Promise<T> {
    return this.call(this.transaction, null, call =>
      inTransaction(this.context, async transaction =>
        transaction.tx.activity.during(call, () => work(new InsideRecords(transaction))),
      ),
    )
  }

  sql<const Columns extends ShapeFields>(columns: Columns, { write = false }: SqlOptions = {}): SqlTemplate<Columns> {
    mustTakeSql(this.context)
    const sql: SqlTemplate<Columns> = (texts, ...parts) =>
      this.call(sql, null, async () => {
        const statement: OwnStatement = {
          sql: fragment(texts, ...parts),
          columns,
          resource: name => this.reader.resource(name),
        }
        const rows = write
          ? await inTransaction(this.context, inside => inside.tx.writeOwn(statement))
          : await this.reader.readOwn(statement)
        return rows as readonly SqlRow<Columns>[]
      })
    return sql
  }

  get asService(): Records {
    return this.context.isService ? this : new ContextRecords(asService(this.context))
  }

  /** The pks of all matches. */
  protected async matching<D extends ResourceDefinition>(
    definition: D,
    query: RowQuery<D>,
  ): Promise<readonly string[]> {
    const sole = soleKey(mustBePresent(query.where))
    return sole === null ? (await this.rows(definition, query)).map(({ pk }) => pk) : [sole]
  }

  /** Runs the work of a method in the transaction under way, or in one of its own. */
  protected inside<T>(
    callee: (...args: never[]) => Promise<T>,
    definition: ResourceDefinition,
    work: (transaction: InTransaction) => Promise<T>,
  ): Promise<T> {
    return this.call(callee, definition, () => inTransaction(this.context, work))
  }

  protected identified(resource: Resource, input: object): { readonly pk: string; readonly values: Values } {
    const { pk, ...values } = input as Values & { readonly pk?: string }
    return { pk: identify(resource, values, { pk, by: 'code' }, this.context), values }
  }
}

/** A statement of the application sees and changes everything: that must be said. */
const mustTakeSql = ({ isHook, isService }: RecordContext): void => {
  if (isHook)
    throw new Error(
      'records.sql is not for hooks: every write would wait for it; use it in an endpoint, a job or a command',
    )
  if (!isService) throw new Error('records.sql knows no permissions: use records.asService.sql')
}

/** Refuses a missing condition, which would match everything and most likely is a mistake. */
const mustBePresent = (where: object | undefined): PlainWhere => {
  if (!where) throw new Error('a change of many records needs `where`; it is {} for all of them')
  return where as PlainWhere
}

class InsideRecords extends ContextRecords<InTransaction> implements TransactionRecords {
  readonly tx: Transaction = this.context.tx

  get caller(): Caller {
    return this.context.caller
  }

  get now(): Date {
    return momentOf(this.context)
  }

  lock<D extends ResourceDefinition>(definition: D, pk: string): Promise<Row<D> | null> {
    return this.call(this.lock, definition, async () => {
      const resource = this.resource(definition)
      return (await this.tx.lock(resource, pk, this.readOptions(resource))) as Row<D> | null
    })
  }

  acting({ caller, now, anyState }: ActingAs): TransactionRecords {
    const { isService, platform } = this.context
    return new InsideRecords({
      ...this.context,
      ...(caller && { caller, ...(!isService && { visibility: platform.access.visibility(caller) }) }),
      ...(now && { now }),
      ...(anyState && { anyState }),
    })
  }

  override get asService(): TransactionRecords {
    return this.context.isService ? this : new InsideRecords({ ...asService(this.context), tx: this.tx })
  }
}

/** Creates a record unless one of its pk is there; false when there was. */
const ensureRecord = async (transaction: InTransaction, { resource, pk, values }: Creation): Promise<boolean> => {
  const { has, following } = resource.hooks
  if (transaction.isService && !has.create && following.length === 0 && numberFields(resource).length === 0)
    return transaction.tx.ensure(resource, pk, whole(transaction, resource, values))
  if (await transaction.tx.get(resource, pk)) return false
  await createRecord(transaction, { resource, pk, values })
  return true
}

/** A new record as it is written where no hook has a part in it. */
const whole = (transaction: InTransaction, resource: Resource, values: Values): Values => {
  const record = { ...values }
  checkValues(resource, record)
  complete(record, { resource, isNew: true, before: null, caller: transaction.caller, now: momentOf(transaction) })
  checkRequired(resource, record)
  if (!transaction.anyState) checkStates(resource, record, null)
  if (resource.definition.checks) mustPassChecks({ resource, before: null, values: record })
  return record
}

/** The sums. The record is locked, so that no other writer changes what was read. */
const incremented = (before: StoredRecord, by: object): Values => {
  const sums = Object.entries(by).map(([name, amount]) => [name, Number(before[name] ?? 0) + Number(amount)])
  return Object.fromEntries(sums)
}
