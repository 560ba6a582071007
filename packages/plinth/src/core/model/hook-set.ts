// The hooks of a resource in a running service: its own, and after them those of extensions in the order of modules.

import type { CodeContext } from './code-context.ts'
import { didYouMean } from './definition-error.ts'
import type { FollowingRows } from './following-rows.ts'

/** The moments at which hooks run. */
export const hookNames = [
  'beforeCreate',
  'afterCreate',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
  'afterRestore',
] as const

/** The name of a hook, such as `beforeCreate`. */
export type HookName = (typeof hookNames)[number]

/** Hooks as a definition has them, whatever their types. */
export type DeclaredHooks = { readonly [Name in HookName]?: (context: never) => Promise<void> | void } & {
  readonly fields?: readonly string[]
  readonly batched?: boolean
  readonly follow?: readonly FollowingRows[]
}

/** Hooks with the definition that has them and the context of their code. */
export interface HookSource {
  readonly hooks: DeclaredHooks
  /** The object whose place is that of the hooks in messages. */
  readonly definition: object
  readonly code: CodeContext
}

export interface AttachedHook extends Pick<HookSource, 'definition' | 'code'> {
  readonly name: HookName
  /** It follows changes of these fields alone; null for those of all fields. */
  readonly fields: readonly string[] | null
  readonly run: (context: object) => Promise<void> | void
}

/** Rows that follow from a record, when one of the fields changes; all fields when null. */
export interface AttachedRows extends FollowingRows<object> {
  readonly fields: readonly string[] | null
}

export type HookSet = { readonly [Name in HookName]: readonly AttachedHook[] } & {
  readonly following: readonly AttachedRows[]
  /** Do hooks have a part in this kind of write? Others are written in fewer statements. */
  readonly has: { readonly [Kind in 'create' | 'delete']: boolean }
  /** The same for an update of these fields; rows that follow count as well. */
  followsUpdate(values: object): boolean
  /** The same for every update, whatever changes. */
  readonly followsEveryUpdate: boolean
  readonly isEmpty: boolean
  /** Every hook of a new record allows that many are written in one statement. */
  readonly batched: boolean
}

const hooksNamed = (sources: readonly HookSource[], name: HookName): readonly AttachedHook[] =>
  sources.flatMap(({ hooks, definition, code }) => {
    const run = hooks[name]
    // The names say what each hook gets.
    const fields = name.endsWith('Update') ? (hooks.fields ?? null) : null
    return run ? [{ name, fields, run: run as AttachedHook['run'], definition, code }] : []
  })

/** Does it follow a write of these fields? */
export const follows = ({ fields }: Pick<AttachedHook, 'fields'>, values: object): boolean =>
  fields === null || fields.some(field => Object.hasOwn(values, field))

export const createHookSet = (sources: readonly HookSource[]): HookSet => {
  const [beforeCreate, afterCreate] = [hooksNamed(sources, 'beforeCreate'), hooksNamed(sources, 'afterCreate')]
  const [beforeUpdate, afterUpdate] = [hooksNamed(sources, 'beforeUpdate'), hooksNamed(sources, 'afterUpdate')]
  const [beforeDelete, afterDelete] = [hooksNamed(sources, 'beforeDelete'), hooksNamed(sources, 'afterDelete')]
  const following = sources.flatMap(({ hooks: { follow = [], fields = null } }) =>
    // The names say what each gets.
    follow.map(rows => ({ ...(rows as FollowingRows<object>), fields })),
  )
  const ofUpdate = [...beforeUpdate, ...afterUpdate, ...following]
  const ofCreation = sources.filter(({ hooks }) => hooks.beforeCreate || hooks.afterCreate)
  return {
    ...{ beforeCreate, afterCreate, beforeUpdate, afterUpdate, beforeDelete, afterDelete },
    afterRestore: hooksNamed(sources, 'afterRestore'),
    following,
    has: {
      create: ofCreation.length > 0,
      delete: beforeDelete.length + afterDelete.length > 0,
    },
    followsUpdate: values => ofUpdate.some(hook => follows(hook, values)),
    followsEveryUpdate: ofUpdate.some(({ fields }) => fields === null),
    isEmpty: sources.every(({ hooks }) => hookNames.every(name => !hooks[name]) && !hooks.follow?.length),
    batched: ofCreation.every(({ hooks }) => hooks.batched === true),
  }
}

const known: readonly string[] = [...hookNames, 'fields', 'batched', 'follow']

/** What is wrong with the names of hooks, and of the fields that they follow. `names`: those of all fields of the resource. */
export const hookFaults = (hooks: DeclaredHooks = {}, names: readonly string[]): readonly string[] => [
  ...Object.keys(hooks)
    .filter(name => !known.includes(name))
    .map(name => `unknown hook '${name}'${didYouMean(known, name) || `; the hooks are ${hookNames.join(', ')}`}`),
  ...(hooks.fields ?? [])
    .filter(name => !names.includes(name))
    .map(name => `hooks: unknown field '${name}'${didYouMean(names, name)}`),
]
