// Hooks typed by the definition whose records they follow.

import type { ResourceModel } from './definition.ts'
import type { HookName } from './hook-set.ts'
import type { HookContexts, HooksOver } from './hooks.ts'
import type { GivenValues, Row, RowChanges } from './row.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The values of a new record. Those of `input` fields are what their `prepare` returns. */
type NewValues<D> = D extends ResourceModel<infer Fields> ? Writable<GivenValues<Fields>> : never

type ContextsOf<D> = HookContexts<Row<D>, NewValues<D>, Writable<RowChanges<D>>>

/** The hooks of a resource, typed by its definition. */
export type HooksOf<D> = HooksOver<ContextsOf<D>>

/** What a hook of a resource gets: `HookContextOf<typeof loans, 'beforeCreate'>`, for functions that hooks call. */
export type HookContextOf<D, Name extends HookName = HookName> = ContextsOf<D>[Name]
