// Hooks of resources: which of them have a part in a write, what they are given, and how they run.

import { hooksOf } from '../model/define.ts'
import type { Change, Hooks, Restoration } from '../model/hooks.ts'
import type { TransactionRecords } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import { RunningCode } from '../model/running-code.ts'
import { momentOf, type Within } from './context.ts'

/** The hooks that have a part in this kind of write. */
export const hooksFor = (resource: Resource, kind: Change['kind']): Hooks | null => {
  const hooks = hooksOf(resource)
  return hooks && (hooks.on ?? [kind]).includes(kind) ? hooks : null
}

/** What hooks are given of any write. */
export const changeOf = <W extends Pick<Change, 'resource' | 'pk'>>(inside: Within, write: W): W & Restoration => {
  let records: TransactionRecords | undefined
  return {
    ...write,
    caller: inside.caller,
    sender: inside.sender,
    now: momentOf(inside),
    isService: inside.isService === true,
    get records() {
      records ??= inside.platform.recordsIn(inside)
      return records
    },
  }
}

/** Runs the hook of this name, if there is one for this kind of write. */
export const runHook = async ({ tx }: Within, name: 'before' | 'after', change: Change): Promise<void> => {
  const { resource, kind } = change
  const hook = hooksFor(resource, kind)?.[name]
  if (hook) await tx.activity.during(hookCode(resource, name), () => hook(change, tx))
}

/** Runs the hook for a record that came back from the trash, if there is one. */
export const runRestoredHook = async ({ tx }: Within, restoration: Restoration): Promise<void> => {
  const { resource } = restoration
  const hook = hooksOf(resource)?.restored
  if (hook) await tx.activity.during(hookCode(resource, 'restored'), () => hook(restoration, tx))
}

/** Its place is that of the hooks, or of the resource where they are a part of its definition. */
const hookCode = (resource: Resource, hook: string): RunningCode =>
  new RunningCode(`hook ${hook} of ${resource.name}`, hooksOf(resource) ?? {}, resource.definition)
