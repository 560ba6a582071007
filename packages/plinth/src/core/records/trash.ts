// Deleted records: who may see, restore and purge them.

import { isAdmin } from '../model/caller.ts'
import { both, type Filter, type RecordsInTrash, toFilter } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { type InTransaction, inTransaction, linkFiltersFor, type RecordContext } from './context.ts'
import { runHooks } from './hooks.ts'

export interface VisibleTrash {
  /** The resource with the fields that say when and by whom a record was deleted. */
  readonly resource: Resource
  readonly source: RecordsInTrash
  readonly visible: Filter | null
}

/**
 * What the caller sees of the trash: records that the rules let them read and delete, of those that they have deleted themselves. So a
 * deletion by others hides a record at once. Administrators see the deletions of all.
 */
export const visibleTrash = (
  { platform: { access }, caller }: Pick<RecordContext, 'platform' | 'caller'>,
  resource: Resource,
): VisibleTrash => {
  const visible = both(
    toFilter(access.permit(resource, 'read', caller)),
    toFilter(access.permit(resource, 'delete', caller)),
  )
  if (caller.pk === null) throw new Problem('unauthorized')
  return {
    resource: resource.inTrash ?? resource,
    source: { kind: 'trash', by: isAdmin(caller) ? null : caller.pk },
    visible,
  }
}

interface TrashedTarget {
  readonly resource: Resource
  readonly pk: string
  /** Throws when the deleted record must stay as it is. */
  readonly check?: (record: StoredRecord) => void
}

/** Problem `not_found` when the caller sees no such record in the trash; `conflict` or `taken` for what is in its way. */
export const restoreRecord = (context: RecordContext, { resource, pk }: TrashedTarget): Promise<StoredRecord> =>
  inTransaction(context, async transaction => {
    const { tx } = transaction
    const trash = visibleTrash(transaction, resource)
    if (!(await tx.get(trash.resource, pk, trash))) throw new Problem('not_found')
    if (!(await tx.restore(resource, pk))) throw new Problem('not_found')
    await runRestoreHooks(transaction, resource, pk)
    const visible = toFilter(transaction.platform.access.permit(resource, 'read', transaction.caller))
    const record = await tx.get(resource, pk, { visible, linkFilters: linkFiltersFor(transaction, resource) })
    if (!record) throw new Problem('forbidden')
    return record
  })

const runRestoreHooks = async (transaction: InTransaction, resource: Resource, pk: string): Promise<void> => {
  const record = resource.hooks.afterRestore.length > 0 ? await transaction.tx.get(resource, pk) : null
  if (record) await runHooks(transaction, 'afterRestore', { resource, pk, before: null, values: {}, record })
}

/** Deletes a record from the trash for good. Problem `not_found` when the caller sees no such record there. */
export const purgeRecord = (context: RecordContext, { resource, pk, check }: TrashedTarget): Promise<void> =>
  inTransaction(context, async transaction => {
    const trash = visibleTrash(transaction, resource)
    const record = await transaction.tx.get(trash.resource, pk, trash)
    if (!record) throw new Problem('not_found')
    check?.(record)
    await transaction.tx.purge(resource, pk)
  })
