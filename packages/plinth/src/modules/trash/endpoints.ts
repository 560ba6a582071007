// `POST …/{pk}/restore`, for each resource with a trash.

import type { ResourceDefinition } from '../../core/model/define.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { HasTrait } from '../../core/model/schema-of.ts'
import { keepsTrash } from '../../core/model/trash.ts'
import { type InTransaction, inTransaction, momentOf } from '../../core/records/context.ts'
import { wholePk } from '../../core/records/identify.ts'
import { recordsWithin } from '../../core/records/records.ts'
import { restoreRecord } from '../../core/records/trash.ts'
import { type DeclaredEndpoint, defineEndpoint, type Endpoint, type WithoutBody } from '../../core/rest/endpoint.ts'
import { allowed } from '../../core/rest/permits.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import { defineAudit } from '../audit/index.ts'

export const trashAudit = defineAudit(['RECORD_RESTORED', 'RECORD_PURGED'])

export const trashEndpoints = ({ platform: { registry } }: Service): readonly Endpoint[] =>
  registry.resources.filter(resource => keepsTrash(resource) && !resource.definition.internal).map(restoreEndpoint)

/** The endpoint of the trash of a resource, as the compiler knows it. */
export type TrashEndpoint<D extends ResourceDefinition> = D extends unknown
  ? HasTrait<D, 'trash'> extends true
    ? DeclaredEndpoint<
        'POST',
        `/api/rest/${D['name']}/{pk}/restore`,
        `restore${Capitalize<D['name']>}`,
        object,
        WithoutBody,
        { readonly 200: D }
      >
    : never
  : never

const restoreEndpoint = (resource: Resource): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: `/api/rest/${resource.name}/{pk}/restore`,
    id: `restore${resource.name.charAt(0).toUpperCase()}${resource.name.slice(1)}`,
    tag: resource.name,
    summary: 'Restore a record from the trash',
    description:
      'The record comes back as it was, with all that was deleted with it. 409 names the field when another record has a unique value by now, or when a record that it refers to is gone.',
    access: allowed(resource, 'delete'),
    // Records in the trash have pages of their own, which offer it.
    button: false,
    answers: { 200: { about: 'The record.', item: resource.definition } },
    problems: [401, 403, 404, 409],
    answer: async ({ context, request }) => {
      const pk = wholePk(resource, request.params.pk ?? '', context)
      const record = await inTransaction(context, async transaction => {
        const restored = await restoreRecord(transaction, { resource, pk })
        await audit(transaction, 'RECORD_RESTORED', { resource, pk })
        return restored
      })
      const view = context.visibility.view(resource)
      return { kind: 'item', status: 200, document: { view, record, included: [] } }
    },
  })

interface TrashedRecord {
  readonly resource: Resource
  readonly pk: string
}

const audit = (
  transaction: InTransaction,
  type: (typeof trashAudit.types)[number],
  { resource, pk }: TrashedRecord,
) => {
  const { caller, sender } = transaction
  const by = { caller, sender, now: momentOf(transaction) }
  return trashAudit.recordChange(recordsWithin(transaction), by, { type, data: { resource: resource.name, pk } })
}

export const auditPurge: Platform['reportPurge'] = (transaction, purged) => audit(transaction, 'RECORD_PURGED', purged)
