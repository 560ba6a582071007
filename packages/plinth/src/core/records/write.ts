// The one way in which records are written, for callers and by code alike: permissions, hooks, defaults, computed fields,
// dates, then the store, which counts the version and logs the change.

import type { Operation } from '../model/access-rules.ts'
import { follows } from '../model/hook-set.ts'
import { numberFields } from '../model/number-fields.ts'
import { everything, type Filter, toFilter } from '../model/query.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { WriteMoment } from '../model/stamps.ts'
import { stateFields } from '../model/state-fields.ts'
import type { Transaction } from '../model/transaction.ts'
import { Problem } from '../problem.ts'
import { checkStates } from './check-states.ts'
import { looksAtRecord, mustPassChecks } from './checked.ts'
import { checkRequired, complete, computedChanges, computedFrom } from './complete.ts'
import {
  endsWithWrite,
  type InTransaction,
  inTransaction,
  linkFiltersFor,
  momentOf,
  type RecordContext,
} from './context.ts'
import { createFollowing, followingOf, isFollowed, showsFollowing, writeFollowing } from './following.ts'
import { type Change, runHooks } from './hooks.ts'
import { independentRuns } from './independent-runs.ts'
import { withIssued } from './issued.ts'
import { assignNumbers } from './numbers.ts'
import { checkReferences, guardedReferences, keepHiddenLinks } from './references.ts'
import { changesOnly, type SentValues, toValues } from './sent-values.ts'

export interface Creation extends SentValues {
  readonly pk: string
}

export const createRecord = async (context: RecordContext, creation: Creation): Promise<StoredRecord> => {
  const { resource, pk } = creation
  const { hooks } = resource
  const decision = context.platform.access.permit(resource, 'create', context.caller)
  const values = toValues(context, creation)
  const options = { linkFilters: linkFiltersFor(context, resource) }
  const isPlain = !hooks.has.create && numberFields(resource).length === 0 && decision === true
  // What follows in a transaction under way is written by further statements.
  const isOne =
    isPlain && !context.requires && (hooks.following.length === 0 || !(context.tx || showsFollowing(resource)))
  if (isOne && guardedReferences(resource, values, context).length === 0) {
    const { caller, sender, tx } = context
    const now = momentOf(context)
    finish(values, { creation, caller, now, anyState: context.anyState })
    if (tx) return tx.insert(resource, pk, values, options)
    const by = { caller, sender, now }
    const following = followingOf({ ...context, now }, resource, { pk, values })
    return context.platform.store.single.insert(resource, pk, values, { ...options, by, following })
  }
  return inTransaction(context, async transaction => {
    const change = await beginCreation(transaction, creation, values)
    await completeAll(transaction, [{ creation, change }])
    const isLast = endsWithWrite(context, transaction, {
      decision,
      following: [...hooks.afterCreate, ...hooks.following],
    })
    const inserted = await transaction.tx.insert(resource, pk, change.values, { ...options, isLast })
    const record = await runAfter(transaction, 'afterCreate', { ...change, record: inserted })
    await mustStillMatch(transaction, { resource, pk }, decision)
    return withIssued(resource, record, change.values)
  })
}

/**
 * Creates many records in their order, in few statements, and reads none of them back. One by one where a rule looks at the
 * record, or where hooks may look at records before it.
 */
export const createRecords = async (
  transaction: InTransaction,
  resource: Resource,
  records: readonly Omit<Creation, 'resource'>[],
): Promise<void> => {
  const { hooks } = resource
  const decision = transaction.platform.access.permit(resource, 'create', transaction.caller)
  if (decision !== true || !hooks.batched) {
    for (const record of records) await createRecord(transaction, { resource, ...record })
    return
  }
  for (const some of independentRuns(resource, records)) {
    const [only, second] = some
    if (only && !second) {
      await createRecord(transaction, { resource, ...only })
      continue
    }
    const pending: PendingCreation[] = []
    for (const record of some) {
      const creation = { resource, ...record }
      pending.push({ creation, change: await beginCreation(transaction, creation, toValues(transaction, creation)) })
    }
    await completeAll(transaction, pending)
    const changes = pending.map(({ change }) => change)
    await transaction.tx.insertAll(
      resource,
      changes.map(({ pk, values }) => ({ pk, values })),
    )
    await createFollowing(transaction, resource, changes)
    if (hooks.afterCreate.length > 0) await runAfterAll(transaction, resource, changes)
  }
}

const readAtOnce = 500

/** The hooks of records that one statement has written: they are read by another one. */
const runAfterAll = async (
  transaction: InTransaction,
  resource: Resource,
  changes: readonly Change[],
): Promise<void> => {
  for (let from = 0; from < changes.length; from += readAtOnce) {
    const some = changes.slice(from, from + readAtOnce)
    const written: Filter = { op: 'in', path: { steps: [], field: resource.pk }, values: some.map(({ pk }) => pk) }
    const { records } = await transaction.tx.find(resource, everything(resource, written, some.length))
    const byPk = new Map(records.map(record => [record.pk, record]))
    for (const change of some) {
      const record = byPk.get(change.pk)
      if (record) await runHooks(transaction, 'afterCreate', { ...change, record })
    }
  }
}

/** References and hooks, on values of its own: in a transaction of its own the work may run again after a deadlock. */
const beginCreation = async (transaction: InTransaction, creation: Creation, values: Values): Promise<Change> => {
  const { resource, pk } = creation
  const change: Change = { resource, pk, before: null, values: { ...values } }
  await checkReferences(resource, values, transaction)
  await runHooks(transaction, 'beforeCreate', change)
  return change
}

interface PendingCreation {
  readonly creation: Creation
  readonly change: Change
}

/** What the service adds to records of one resource, before the statement. Hooks may number further records, so they are over. */
const completeAll = async (transaction: InTransaction, pending: readonly PendingCreation[]): Promise<void> => {
  const [first] = pending
  const now = momentOf(transaction)
  if (first)
    await assignNumbers(transaction.tx, first.creation.resource, {
      records: pending.map(({ change }) => change.values),
      now,
    })
  for (const { creation, change } of pending)
    finish(change.values, { creation, caller: transaction.caller, now, anyState: transaction.anyState })
}

interface Finish extends WriteMoment {
  readonly creation: Creation
  readonly anyState: boolean | undefined
}

const finish = (values: Values, { creation, caller, now, anyState }: Finish): void => {
  const { resource, isRead } = creation
  complete(values, { resource, isNew: true, before: null, caller, now })
  if (!isRead) checkRequired(resource, values)
  if (!anyState) checkStates(resource, values, null)
  if (resource.definition.checks) mustPassChecks({ resource, before: null, values })
}

export interface Update {
  readonly resource: Resource
  readonly pk: string
  /** `patch` unless given. */
  readonly operation?: 'replace' | 'patch'
  /** What changes, or a function that derives it from the current record. */
  readonly values: Values | ((before: StoredRecord) => Values)
  /** The values come from a body, and were checked when it was read. */
  readonly isRead?: boolean
}

export interface Updated {
  readonly record: StoredRecord
  readonly changed: boolean
}

/** Returns null when there is no such record that the caller may read. */
export const updateRecord = async (context: RecordContext, update: Update): Promise<Updated | null> => {
  const isAlone = !context.tx && !context.code
  return (isAlone ? await updateAtOnce(context, update) : null) ?? updateInTransaction(context, update)
}

/**
 * Reads the record without a lock and writes it in one statement, unless it has changed in between. Null where that may not be done or
 * did not succeed: the record has to be locked first.
 */
const updateAtOnce = async (context: RecordContext, update: Update): Promise<Updated | null> => {
  const { resource, pk, values, operation = 'patch' } = update
  const { platform, caller, sender } = context
  const { single } = platform.store
  if (!single.update) return null
  if (resource.hooks.followsEveryUpdate || (typeof values !== 'function' && resource.hooks.followsUpdate(values)))
    return null
  if (platform.access.permit(resource, operation, caller) !== true) return null
  const visible = toFilter(platform.access.permit(resource, 'read', caller))
  const options = { linkFilters: linkFiltersFor(context, resource) }
  const before = await platform.store.get(resource, pk, { visible, ...options })
  if (!before) return null
  const input = typeof values === 'function' ? values(before) : values
  const changes = changesOnly(resource, toValues(context, { ...update, values: input }), before)
  if (Object.keys(changes).length === 0) return { record: before, changed: false }
  if (resource.hooks.followsUpdate(changes) || guardedReferences(resource, changes, context).length > 0) return null
  const now = momentOf(context)
  complete(changes, { resource, isNew: false, before, caller, now })
  if (!context.anyState) checkStates(resource, changes, before)
  if (resource.definition.checks) mustPassChecks({ resource, before, values: changes })
  const by = { caller, sender, now }
  const record = await single.update(resource, pk, changes, { ...options, by, version: before.version })
  return record && { record, changed: true }
}

const updateInTransaction = (context: RecordContext, update: Update): Promise<Updated | null> =>
  inTransaction(context, async transaction => {
    const { resource, pk, values } = update
    const mayBePlain = typeof values !== 'function' && isPlain(transaction, resource, values)
    if (mayBePlain && !(resource.definition.checks && looksAtRecord(resource, values)))
      return updatePlain(transaction, { ...update, values })
    const target = await hold(transaction, { resource, pk, operation: update.operation ?? 'patch' })
    if (!target) return null
    const { before, decision } = target
    const input = typeof values === 'function' ? values(before) : values
    const changes = changesOnly(resource, toValues(transaction, { ...update, values: input }), before)
    if (Object.keys(changes).length === 0) return { record: before, changed: false }
    await checkReferences(resource, changes, transaction)
    await keepHiddenLinks({ resource, pk, values: changes }, transaction)
    const change: Change = { resource, pk, before, values: changes }
    await runHooks(transaction, 'beforeUpdate', change)
    complete(changes, { resource, isNew: false, before, caller: transaction.caller, now: momentOf(transaction) })
    if (!transaction.anyState) checkStates(resource, changes, before)
    if (resource.definition.checks) mustPassChecks({ resource, before, values: changes })
    const { hooks } = resource
    const following = [...hooks.afterUpdate, ...hooks.following].filter(hook => follows(hook, changes))
    const updated = await transaction.tx.update(resource, pk, changes, {
      linkFilters: linkFiltersFor(transaction, resource),
      isLast: endsWithWrite(context, transaction, { decision, following }),
    })
    if (!updated) return null
    const record = await runAfter(transaction, 'afterUpdate', { ...change, record: updated })
    await mustStillMatch(transaction, { resource, pk }, decision)
    return { record, changed: true }
  })

/** Can the record be written without reading it first? Not where hooks, computed fields or states depend on it. */
const isPlain = ({ isService }: RecordContext, resource: Resource, values: Values): boolean =>
  isService === true &&
  !resource.hooks.followsUpdate(values) &&
  computedFrom(resource, values).length === 0 &&
  !stateFields(resource).some(({ name }) => values[name] !== undefined)

const updatePlain = async (
  transaction: InTransaction,
  { resource, pk, ...update }: Update & { readonly values: Values },
): Promise<Updated | null> => {
  const values = toValues(transaction, { resource, ...update })
  complete(values, { resource, isNew: false, before: null, caller: transaction.caller, now: momentOf(transaction) })
  const record = await transaction.tx.update(resource, pk, values)
  return record && { record, changed: true }
}

interface Removal {
  readonly resource: Resource
  readonly pk: string
  /** Deletes records for good, without the trash. */
  readonly permanently?: boolean
  /** Throws when the current record must not be deleted. */
  readonly check?: (before: StoredRecord) => void
}

/** Returns false when there is no such record that the caller may read. */
export const removeRecord = (context: RecordContext, removal: Removal): Promise<boolean> =>
  inTransaction(context, async transaction => {
    const { resource, pk, check, ...options } = removal
    if (context.isService && !resource.hooks.has.delete && !check) return transaction.tx.remove(resource, pk, options)
    const target = await hold(transaction, { resource, pk, operation: 'delete' })
    if (!target) return false
    check?.(target.before)
    const change: Change = { resource, pk, before: target.before, values: {} }
    await runHooks(transaction, 'beforeDelete', change)
    await transaction.tx.remove(resource, pk, options)
    await runHooks(transaction, 'afterDelete', change)
    return true
  })

interface Target {
  readonly resource: Resource
  readonly pk: string
}

/** The record, locked, when the caller may see it; 403 when seeing is all that the caller may do. */
export const hold = async (
  transaction: InTransaction,
  { resource, pk, operation }: Target & { readonly operation: Operation },
): Promise<{ before: StoredRecord; decision: true | Filter } | null> => {
  const { access } = transaction.platform
  const decision = access.permit(resource, operation, transaction.caller)
  const visible = toFilter(access.permit(resource, 'read', transaction.caller))
  const before = await transaction.tx.lock(resource, pk, {
    visible,
    linkFilters: linkFiltersFor(transaction, resource),
  })
  if (!before) return null
  await mustStillMatch(transaction, { resource, pk }, decision)
  return { before, decision }
}

/** A rule that looks at the record holds before and after the write: no caller moves a record out of their own reach. */
const mustStillMatch = async (
  { tx }: InTransaction,
  { resource, pk }: Target,
  decision: true | Filter,
): Promise<void> => {
  if (decision === true) return
  if (!(await tx.get(resource, pk, { visible: decision }))) throw new Problem('forbidden')
}

/**
 * Writes the rows that follow, and runs the hooks after a write. What they write may show in the record, such as in what it counts: then
 * it is read again.
 */
const runAfter = async (
  transaction: InTransaction,
  name: 'afterCreate' | 'afterUpdate',
  change: Change & { readonly record: StoredRecord },
): Promise<StoredRecord> => {
  const { tx } = transaction
  const { resource, record } = change
  if (!isFollowed(change) && !resource.hooks[name].some(hook => follows(hook, change.values))) return record
  const linkFilters = linkFiltersFor(transaction, resource)
  // Rules on related records may look at any table.
  const writes = () => tx.writes(linkFilters?.size ? undefined : resource)
  const before = writes()
  await writeFollowing(transaction, change)
  await runHooks(transaction, name, change)
  return writes() === before ? record : ((await tx.get(resource, record.pk, { linkFilters })) ?? record)
}

/** Fills computed fields of a record that exists, such as new ones. Nothing else of it changes, so no hooks run. */
export const recompute = async (tx: Transaction, resource: Resource, record: StoredRecord): Promise<void> => {
  const changes = computedChanges(resource, record)
  if (changes) await tx.update(resource, record.pk, changes)
}
