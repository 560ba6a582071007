// defineHooks: hooks typed by the definition whose records they follow.

import { markPlace } from '../source-place.ts'
import { noteHooks } from './attached-hooks.ts'
import type { ResourceModel } from './definition.ts'
import type { Change, Hooks } from './hooks.ts'
import type { Row, RowChanges } from './row.ts'
import type { Transaction } from './transaction.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** A change of a record of `D`. The values of `input` fields are what their `prepare` returns. */
export type ChangeOf<D> = Omit<Change, 'before' | 'values'> & {
  readonly before: Row<D> | null
  readonly values: Writable<RowChanges<D>>
}

/** Hooks, typed by the definition of their resource. */
export interface HooksOf<D> extends Pick<Hooks, 'on' | 'restored' | 'batched'> {
  readonly before?: (change: ChangeOf<D>, tx: Transaction) => Promise<void> | void
  readonly after?: (change: ChangeOf<D>, tx: Transaction) => Promise<void> | void
}

/** The registry attaches hooks to their resource, so the records that they get are those of the definition. */
export const defineHooks = <D extends ResourceModel>(definition: D, hooks: HooksOf<D>): Hooks => {
  const placed = markPlace(hooks as Hooks, defineHooks)
  noteHooks(definition, placed)
  return placed
}
