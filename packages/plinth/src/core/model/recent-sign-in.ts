// Acts that need a recent sign-in: a browser that was left open, or a cookie that was stolen, is not enough for them.

import type { Caller } from './caller.ts'
import type { Writes } from './caller-requirements.ts'
import type { ResourceModel } from './definition.ts'
import { didYouMean } from './definition-error.ts'
import type { DeclaredHooks } from './hook-set.ts'
import type { HookContext } from './hooks.ts'
import type { RecordReader } from './records.ts'

/**
 * Throws the problem `recent_sign_in_required` unless the caller has been verified lately. The module that identifies callers passes
 * it; `records` has no permissions.
 */
export type RecentSignInCheck = (records: RecordReader, caller: Caller, now: Date) => Promise<void>

type Writing = HookContext & { readonly values: Readonly<Record<string, unknown>> }

const check = async (context: HookContext): Promise<void> => {
  if (!context.isService) await context.mustHaveSignedInRecently()
}

const checkCreation =
  (writes: Writes) =>
  async (context: Writing): Promise<void> => {
    const isSet = (name: string): boolean => (context.values[name] ?? null) !== null
    if (writes === true || writes.some(isSet)) await check(context)
  }

/** The hooks that keep the requirements of a definition. They come before all others. */
export const requirementHooks = ({ requires }: Pick<ResourceModel, 'requires'>): readonly DeclaredHooks[] => {
  const { create, update, delete: deletion } = requires?.recentSignIn ?? {}
  return [
    ...(create ? [{ beforeCreate: checkCreation(create), batched: true }] : []),
    ...(update ? [{ beforeUpdate: check, ...(update !== true && { fields: update }) }] : []),
    ...(deletion ? [{ beforeDelete: check }] : []),
  ]
}

/** What is wrong with the names of fields in the requirements. */
export const requirementFaults = (
  { requires }: Pick<ResourceModel, 'requires'>,
  names: readonly string[],
): readonly string[] =>
  [requires?.recentSignIn.create, requires?.recentSignIn.update]
    .flatMap(writes => (writes === true ? [] : (writes ?? [])))
    .filter(name => !names.includes(name))
    .map(name => `requires: unknown field '${name}'${didYouMean(names, name)}`)
