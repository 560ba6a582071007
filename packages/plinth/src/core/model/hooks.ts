// Hooks: code that runs when records are written, in the transaction of the write.

import type { Caller, Sender } from './caller.ts'
import type { CodeContext } from './code-context.ts'
import type { FollowingRows } from './following-rows.ts'
import type { HookName } from './hook-set.ts'
import type { StoredRecord, Values } from './record.ts'
import type { TransactionRecords } from './records.ts'
import type { Resource } from './resource.ts'

/** What every hook finds in its context. */
export interface HookContext extends CodeContext {
  readonly resource: Resource
  readonly pk: string
  readonly caller: Caller
  /** Is null for what no request asked for. */
  readonly sender: Sender | null
  /** The moment of the write, by the service's clock. */
  readonly now: Date
  /** The code of the service writes for itself: checks of what the caller may do do not apply. */
  readonly isService: boolean
  /**
   * Throws the problem `recent_sign_in_required` unless the caller has signed in recently, or entered the password again: for what
   * `requires` of the resource cannot express.
   */
  mustHaveSignedInRecently(): Promise<void>
  /** Reads and writes in the same transaction, with the permissions of the caller. `asService` has none. */
  readonly records: TransactionRecords
}

/** What is written, beside `HookContext`. `New` are the values of a new record, `Changes` those of an update. */
interface Written<Row, New, Changes> {
  readonly beforeCreate: { readonly before: null; readonly values: New }
  readonly afterCreate: { readonly before: null; readonly values: New; readonly record: Row }
  readonly beforeUpdate: { readonly before: Row; readonly values: Changes }
  readonly afterUpdate: { readonly before: Row; readonly values: Changes; readonly record: Row }
  readonly beforeDelete: { readonly before: Row }
  readonly afterDelete: { readonly before: Row }
  readonly afterRestore: { readonly record: Row }
}

/** The contexts of all hooks, by name. */
export type HookContexts<Row, New, Changes> = {
  readonly [Name in HookName]: HookContext & Written<Row, New, Changes>[Name]
}

type FieldIn<Context> = Context extends { readonly values: infer Changes } ? keyof Changes & string : never

type ValuesIn<Context> = Context extends { readonly values: infer Values } ? Values : never

type Hook<Context> = (context: Context) => Promise<void> | void

/**
 * Code that runs in the transaction of a write, by the moment. Await nothing but the transaction: other writers may wait for it. A
 * problem that a hook throws refuses the write.
 */
export interface HooksOver<Contexts extends Record<HookName, unknown>> {
  /** `values` are those of the new record, and may be changed. */
  readonly beforeCreate?: Hook<Contexts['beforeCreate']>
  /** Runs after a record was created, for records that follow from it. */
  readonly afterCreate?: Hook<Contexts['afterCreate']>
  /** `values` are what changes, and may be changed; `before` is the record as it was. */
  readonly beforeUpdate?: Hook<Contexts['beforeUpdate']>
  /** `record` is the record after the change. */
  readonly afterUpdate?: Hook<Contexts['afterUpdate']>
  readonly beforeDelete?: Hook<Contexts['beforeDelete']>
  readonly afterDelete?: Hook<Contexts['afterDelete']>
  /** Runs after a record came back from the trash as it was. No other hooks run then. */
  readonly afterRestore?: Hook<Contexts['afterRestore']>
  /** Rows of other resources that follow from the record. They are written before `afterCreate` and `afterUpdate` run. */
  readonly follow?: readonly FollowingRows<ValuesIn<Contexts['afterCreate']>>[]
  /**
   * The fields that the hooks of updates and the rows of `follow` are about. They run where one of these changes, and other updates are written without them, in
   * fewer statements. All fields unless given.
   */
  readonly fields?: readonly FieldIn<Contexts['beforeUpdate']>[]
  /**
   * The hooks of a new record do not read other new records of the resource, except those it refers to, and they change no records
   * by which an import finds others. `createMany` and imports then write many records in one statement: first all `beforeCreate` hooks
   * run, then the statement, then all `afterCreate` hooks.
   */
  readonly batched?: boolean
}

/** The contexts of hooks of resources of any kind. */
export type AnyHookContexts = HookContexts<StoredRecord, Values, Values>

/** Hooks of resources of any kind, such as `treeHooks`. */
export type Hooks = HooksOver<AnyHookContexts>
