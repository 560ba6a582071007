// The rows that follow from records: what they are, and writing them beside the record.

import { follows } from '../model/hook-set.ts'
import { equals } from '../model/query.ts'
import type { Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { FollowingRecords } from '../model/transaction.ts'
import { checkRequired, checkValues, complete, valuesOf } from './complete.ts'
import { type InTransaction, momentOf, type RecordContext } from './context.ts'
import type { Change } from './hooks.ts'
import { identify } from './identify.ts'

/** The rows that follow from a new record. */
export const followingOf = (
  context: RecordContext,
  resource: Resource,
  { pk, values }: { readonly pk: string; readonly values: Values },
): readonly FollowingRecords[] =>
  resource.hooks.following.map(({ definition, by, rows }) => {
    const target = context.platform.store.resource(definition)
    return { resource: target, records: rows(values).map(row => newRow(context, target, { ...row, [by]: pk })) }
  })

const newRow = (context: RecordContext, resource: Resource, values: Values) => {
  const { caller } = context
  const pk = identify(resource, values, { pk: undefined, by: 'code' }, context)
  checkValues(resource, values)
  complete(values, { resource, isNew: true, before: null, caller, now: momentOf(context) })
  checkRequired(resource, values)
  return { pk, values }
}

/** Does a record show anything of the rows that follow from it? Then it is read again once they are there. */
export const showsFollowing = ({ hooks, fields }: Resource): boolean =>
  hooks.following.some(({ definition }) =>
    [...fields.values()].some(
      ({ target, definition: { role } }) => role === 'count' || target?.name === definition.name,
    ),
  )

/** Writes the rows that follow from many new records of one resource. */
export const createFollowing = async (
  transaction: InTransaction,
  resource: Resource,
  changes: readonly Change[],
): Promise<void> => {
  const all = changes.map(change => followingOf(transaction, resource, change))
  for (const [at, { resource: target }] of (all[0] ?? []).entries())
    await transaction.tx.insertAll(
      target,
      all.flatMap(following => following[at]?.records ?? []),
    )
}

/** Do rows follow from the change? From a new record they do, whatever its values. */
export const isFollowed = ({ resource, before, values }: Change): boolean =>
  resource.hooks.following.some(rows => before === null || follows(rows, values))

/** Writes the rows that follow from a change of a record, in place of those from before. */
export const writeFollowing = async (transaction: InTransaction, change: Change): Promise<void> => {
  const { resource, pk, before, values } = change
  if (!isFollowed(change)) return
  const whole = before ? { ...valuesOf(resource, before), ...values } : values
  const all = followingOf(transaction, resource, { pk, values: whole })
  for (const [at, rows] of resource.hooks.following.entries()) {
    const following = all[at]
    if (!following || (before && !follows(rows, values))) continue
    const reference = following.resource.fields.get(rows.by)
    if (before && reference) await transaction.tx.removeWhere(following.resource, equals(reference, pk))
    await transaction.tx.insertAll(following.resource, following.records)
  }
}
