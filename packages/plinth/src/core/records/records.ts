// Typed records over a context: what module code reads and writes with.

import { anonymous, type Caller } from '../model/caller.ts'
import type { ResourceDefinition } from '../model/define.ts'
import { linkFiltersOf } from '../model/link-filters.ts'
import { toFilter as toVisible } from '../model/query.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { ActingAs, Records, TransactionRecords } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import type { Increments, NewRow, Row, RowChanges } from '../model/row.ts'
import type { RemoveQuery, RowQuery, UpdateQuery } from '../model/row-query.ts'
import type { RunningCode } from '../model/running-code.ts'
import { type SqlOptions, type SqlRow, type SqlTemplate, sql } from '../model/sql.ts'
import type { OwnStatement, RemoveOptions, Transaction } from '../model/transaction.ts'
import { keepsTrash } from '../model/trash.ts'
import type { ShapeFields } from '../model/value-field.ts'
import { Problem } from '../problem.ts'
import { createScope } from '../query/scope.ts'
import { checkStates } from './check-states.ts'
import { mustPassChecks } from './checked.ts'
import { checkRequired, checkValues, complete } from './complete.ts'
import { matchingAll, type PlainWhere } from './condition.ts'
import {
  asService,
  fullVisibility,
  type InTransaction,
  inTransaction,
  linkFiltersFor,
  momentOf,
  type RecordContext,
  type RecordPlatform,
  unrestricted,
} from './context.ts'
import { identify } from './identify.ts'
import { isNumbered } from './numbers.ts'
import { checkChangeOptions } from './plain-query.ts'
import { type ReadPermissions, RowReader, soleKey } from './reader.ts'
import { TrackedRecords, TrackedTransactionRecords } from './tracked.ts'
import { createRecord, createRecords, removeRecord, updateRecord } from './write.ts'

/** The records of a caller, in the transaction of the context or outside of any. */
export const recordsFor = (context: RecordContext): Records => new TrackedRecords(new ContextRecords(context), context)

/** The records of hooks and other code inside a transaction. */
export const recordsWithin = (transaction: InTransaction): TransactionRecords =>
  new TrackedTransactionRecords(new InsideRecords(transaction), transaction)

/** The service's own, for work that no caller asks for. */
export const serviceRecords = (platform: Pick<RecordPlatform, 'store' | 'clock'>, code?: RunningCode): Records =>
  recordsFor({
    ...(code && { code }),
    platform: { ...platform, access: unrestricted, recordsIn: recordsWithin },
    caller: anonymous,
    sender: null,
    visibility: fullVisibility,
    isService: true,
    tx: null,
  })

/**
 * The service's own in a transaction that is under way, for code of Plinth itself. Code of applications may forget an `await`: it gets
 * records whose calls are known, by `trackedRecordsIn`.
 */
export const recordsIn = (tx: Transaction): TransactionRecords => new InsideRecords(asServiceIn(tx))

/** The same for code of applications that runs in the transaction. */
export const trackedRecordsIn = (tx: Transaction): TransactionRecords => recordsWithin(asServiceIn(tx))

const asServiceIn = (tx: Transaction): InTransaction => ({
  platform: {
    access: unrestricted,
    store: { ...tx, transaction: work => work(tx), single: tx },
    clock: () => tx.by.now,
    recordsIn: recordsWithin,
  },
  caller: tx.by.caller,
  sender: tx.by.sender,
  visibility: fullVisibility,
  isService: true,
  tx,
})

class ContextRecords extends RowReader implements Records {
  protected readonly context: RecordContext

  constructor(context: RecordContext) {
    super(context.tx ?? context.platform.store, permissionsOf(context))
    this.context = context
  }

  async create<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<Row<D>> {
    const resource = this.resource(definition)
    const record = await createRecord(this.context, { resource, ...this.identified(resource, values) })
    return record as Row<D>
  }

  async update<D extends ResourceDefinition>(definition: D, pk: string, changes: RowChanges<D>): Promise<Row<D>> {
    const resource = this.resource(definition)
    const updated = await updateRecord(this.context, { resource, pk, values: changes as Values })
    if (!updated) throw new Problem('not_found')
    return updated.record as Row<D>
  }

  async updateMany<D extends ResourceDefinition>(
    definition: D,
    query: UpdateQuery<D>,
    changes: RowChanges<D>,
  ): Promise<number> {
    checkChangeOptions(query)
    const { where } = query
    return inTransaction(this.context, async transaction => {
      const resource = this.resource(definition)
      let count = 0
      for (const pk of await matching(transaction, definition, { where }))
        if (await updateRecord(transaction, { resource, pk, values: changes as Values })) count++
      return count
    })
  }

  async increment<D extends ResourceDefinition>(definition: D, pk: string, by: Increments<D>): Promise<Row<D>> {
    const resource = this.resource(definition)
    const values = (before: StoredRecord) => incremented(before, by)
    const updated = await updateRecord(this.context, { resource, pk, values })
    if (!updated) throw new Problem('not_found')
    return updated.record as Row<D>
  }

  async remove<D extends ResourceDefinition>(definition: D, pk: string, options?: RemoveOptions): Promise<void> {
    const removal = { resource: this.resource(definition), pk, ...options }
    if (!(await removeRecord(this.context, removal))) throw new Problem('not_found')
  }

  async removeMany<D extends ResourceDefinition>(definition: D, query: RemoveQuery<D>): Promise<number> {
    checkChangeOptions(query)
    const { where, limit } = query
    return inTransaction(this.context, async transaction => {
      const resource = this.resource(definition)
      if (transaction.isService && !resource.hooks.has.delete && !keepsTrash(resource))
        return transaction.tx.removeWhere(
          resource,
          this.condition(resource, mustBePresent(where)) ?? matchingAll,
          limit,
        )
      let count = 0
      for (const pk of await matching(transaction, definition, { where, ...(limit !== undefined && { limit }) }))
        if (await removeRecord(transaction, { resource, pk })) count++
      return count
    })
  }

  createMany<D extends ResourceDefinition>(definition: D, records: readonly NewRow<D>[]): Promise<void> {
    return inTransaction(this.context, async transaction => {
      const resource = this.resource(definition)
      const identified = records.map(values => this.identified(resource, values))
      await createRecords(transaction, resource, identified)
    })
  }

  ensure<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<boolean> {
    return inTransaction(this.context, async transaction => {
      const resource = this.resource(definition)
      const { pk, values: others } = this.identified(resource, values)
      if (transaction.isService && !resource.hooks.has.create && !isNumbered(resource))
        return transaction.tx.ensure(resource, pk, whole(transaction, resource, others))
      if (await transaction.tx.get(resource, pk)) return false
      await createRecord(transaction, { resource, pk, values: others })
      return true
    })
  }

  upsert<D extends ResourceDefinition>(definition: D, values: NewRow<D>): Promise<void> {
    return inTransaction(this.context, async transaction => {
      const records = new InsideRecords(transaction)
      if (await records.ensure(definition, values)) return
      const resource = this.resource(definition)
      const { pk, values: changes } = this.identified(resource, values)
      if (await updateRecord(transaction, { resource, pk, values: changes })) return
      // Another transaction has deleted the record since it was found.
      await records.create(definition, values)
    })
  }

  transaction<T>(work: (records: TransactionRecords) => Promise<T>): Promise<T> {
    return inTransaction(this.context, transaction => work(recordsWithin(transaction)))
  }

  sql<const Columns extends ShapeFields>(columns: Columns, { write = false }: SqlOptions = {}): SqlTemplate<Columns> {
    mustTakeSql(this.context)
    return async (texts, ...parts) => {
      const statement: OwnStatement = {
        sql: sql(texts, ...parts),
        columns,
        resource: name => this.reader.resource(name),
      }
      const rows = write
        ? await inTransaction(this.context, inside => inside.tx.writeOwn(statement))
        : await this.reader.readOwn(statement)
      return rows as readonly SqlRow<Columns>[]
    }
  }

  get asService(): Records {
    return recordsFor(asService(this.context))
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

/** The pks of all matches. */
const matching = async <D extends ResourceDefinition>(
  transaction: InTransaction,
  definition: D,
  query: RowQuery<D>,
): Promise<readonly string[]> => {
  const sole = soleKey(mustBePresent(query.where))
  if (sole !== null) return [sole]
  return (await new InsideRecords(transaction).find(definition, query)).map(({ pk }) => pk)
}

/** Refuses a missing condition, which would match everything and most likely is a mistake. */
const mustBePresent = (where: object | undefined): PlainWhere => {
  if (!where) throw new Error('a change of many records needs `where`; it is {} for all of them')
  return where as PlainWhere
}

const permissionsOf = (context: RecordContext): ReadPermissions | null =>
  context.isService
    ? null
    : {
        visible: resource => toVisible(context.platform.access.permit(resource, 'read', context.caller)),
        linkFilters: resource => linkFiltersOf(context.visibility.view(resource), context.visibility),
        visibility: () => createScope(context.visibility).visibility,
      }

class InsideRecords extends ContextRecords implements TransactionRecords {
  protected override readonly context: InTransaction

  constructor(context: InTransaction) {
    super(context)
    this.context = context
  }

  get tx(): Transaction {
    return this.context.tx
  }

  get caller(): Caller {
    return this.context.caller
  }

  get now(): Date {
    return momentOf(this.context)
  }

  async lock<D extends ResourceDefinition>(definition: D, pk: string): Promise<Row<D> | null> {
    const resource = this.resource(definition)
    const options = { visible: this.visible(resource), linkFilters: linkFiltersFor(this.context, resource) }
    return (await this.tx.lock(resource, pk, options)) as Row<D> | null
  }

  acting({ caller, now, anyState }: ActingAs): TransactionRecords {
    return recordsWithin({
      ...this.context,
      ...(caller && { caller }),
      ...(now && { now }),
      ...(anyState && { anyState }),
    })
  }

  override get asService(): TransactionRecords {
    return recordsWithin({ ...asService(this.context), tx: this.tx })
  }
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
