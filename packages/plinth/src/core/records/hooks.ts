// Runs the hooks of resources: what they find in their context, and in which order they run.

import type { Caller, Sender } from '../model/caller.ts'
import type { CodeContext } from '../model/code-context.ts'
import { type AttachedHook, follows, type HookName } from '../model/hook-set.ts'
import type { HookContext } from '../model/hooks.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { TransactionRecords } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import { RunningCode } from '../model/running-code.ts'
import { type InTransaction, momentOf, mustHaveSignedInRecently } from './context.ts'

/** A write under way. */
export interface Change {
  readonly resource: Resource
  readonly pk: string
  /** The record before the change; null at creation. */
  readonly before: StoredRecord | null
  /** What will be written: all values at creation, only those that change at an update, none at a deletion. */
  readonly values: Values
}

type Written = Change & { readonly record?: StoredRecord }

/** Runs the hooks of this name, one after the other. `record` is the record after the write. */
export const runHooks = async (transaction: InTransaction, name: HookName, change: Written): Promise<void> => {
  for (const hook of change.resource.hooks[name]) {
    if (!follows(hook, change.values)) continue
    const context = new HookCall(transaction, change, hook.code)
    await transaction.tx.activity.during(toCode(hook, change.resource), () => hook.run(context))
  }
}

const toCode = ({ name, definition }: AttachedHook, resource: Resource): RunningCode =>
  new RunningCode(`hook ${name} of ${resource.name}`, definition, resource.definition)

/** The context of one call of a hook. */
class HookCall implements HookContext {
  readonly resource: Resource
  readonly pk: string
  readonly before: StoredRecord | null
  readonly values: Values
  readonly record: StoredRecord | undefined
  readonly caller: Caller
  readonly sender: Sender | null
  readonly now: Date
  readonly isService: boolean
  readonly settings: CodeContext['settings']
  readonly #transaction: InTransaction
  readonly #code: CodeContext
  #records: TransactionRecords | undefined

  constructor(transaction: InTransaction, change: Written, code: CodeContext) {
    this.resource = change.resource
    this.pk = change.pk
    this.before = change.before
    this.values = change.values
    this.record = change.record
    this.caller = transaction.caller
    this.sender = transaction.sender
    this.now = momentOf(transaction)
    this.isService = transaction.isService === true
    this.settings = code.settings
    this.#transaction = transaction
    this.#code = code
  }

  mustHaveSignedInRecently(): Promise<void> {
    return mustHaveSignedInRecently(this.#transaction)
  }

  get records(): TransactionRecords {
    this.#records ??= this.#transaction.platform.recordsIn({ ...this.#transaction, isHook: true })
    return this.#records
  }

  get log(): CodeContext['log'] {
    return this.#code.log
  }
}
