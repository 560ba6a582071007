// Hooks: code that runs when records are written, in the transaction of the write.

import type { Caller, Sender } from './caller.ts'
import type { StoredRecord, Values } from './record.ts'
import type { TransactionRecords } from './records.ts'
import type { Resource } from './resource.ts'
import type { Transaction } from './transaction.ts'

/** A write under way, before it reaches the table. `values` may be changed by the hook. */
export interface Change {
  readonly kind: 'create' | 'update' | 'delete'
  readonly resource: Resource
  readonly pk: string
  /** The record before the change; null at creation. */
  readonly before: StoredRecord | null
  /** What will be written: all members at creation, only those that change at an update, none at a deletion. */
  readonly values: Values
  readonly caller: Caller
  /** Null for what no request asked for. */
  readonly sender: Sender | null
  /** The moment of the write, by the service's clock. */
  readonly now: Date
  /** The code of the service writes for itself: checks of what the caller may do do not apply. */
  readonly isService: boolean
  /** Reads and writes in the same transaction, with the permissions of the caller. */
  readonly records: TransactionRecords
}

/** Code that runs when records are written, inside the transaction of the write. Use `defineHooks` for typed rows. */
export interface Hooks {
  /** The writes that the hooks have a part in; all of them unless given. Others are written in fewer statements. */
  readonly on?: readonly Change['kind'][]
  /** In the transaction, before the write. Await nothing but the transaction: others wait for it. */
  readonly before?: (change: Change, tx: Transaction) => Promise<void> | void
  /** In the transaction, after the write: for records that follow from this one. */
  readonly after?: (change: Change, tx: Transaction) => Promise<void> | void
  /** In the transaction, after a record came back from the trash as it was. No other hooks run then. */
  readonly restored?: (restoration: Restoration, tx: Transaction) => Promise<void> | void
  /**
   * The hooks of a new record do not read other new records of the resource, except those it refers to, and they change no records
   * by which an import finds others. `createAll` and imports then write many records in one statement: first all `before` hooks
   * run, then the statement, then all `after` hooks.
   */
  readonly batched?: boolean
}

/** A record that came back from the trash. */
export type Restoration = Omit<Change, 'kind' | 'before' | 'values'>
