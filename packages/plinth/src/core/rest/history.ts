// `asOf`: records as they were at a moment.

import { fault } from '../fault.ts'
import { isAdmin } from '../model/caller.ts'
import { defineResource } from '../model/define.ts'
import { timestamp } from '../model/fields.ts'
import { assigned } from '../model/identifier.ts'
import { among, both, everything, type RecordsAsOf, toFilter } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { type Fault, Problem } from '../problem.ts'
import { type Parameters, single } from '../query/parameters.ts'
import { badParameter, refuse } from '../query/query-faults.ts'
import { readValue } from '../query/query-value.ts'
import type { Context } from './context.ts'

/** The pk is the name of the resource. */
export const historyStarts = defineResource('historyStarts', {
  about: 'Since when the history of each resource is complete.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { since: timestamp({ required: true }) },
  access: {},
})

const instant = timestamp({}).type

export const readAsOf = async (
  { platform: { records }, caller }: Context,
  resource: Resource,
  parameters: Parameters,
): Promise<RecordsAsOf | undefined> => {
  const faults: Fault[] = []
  const text = single(parameters, 'asOf', faults)
  if (text === undefined && faults.length === 0) return undefined
  // The past holds what rules have hidden since.
  if (!isAdmin(caller)) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
  if (!resource.keepsHistory) refuse([{ parameter: 'asOf', ...fault('no_history', { resource: resource.name }) }])
  const moment = readValue(text ?? '', instant, reason => faults.push({ parameter: 'asOf', ...reason }))
  if (faults.length > 0 || typeof moment !== 'string') return refuse(faults)
  const start = await records.first(historyStarts, { where: { pk: resource.name } })
  const since = start?.since ?? null
  if (since === null || moment < since)
    refuse([badParameter('asOf', moment, fault('history_start', { since: since ?? 'the next start' }))])
  return { kind: 'asOf', moment }
}

/** A record that the caller may no longer read takes its past along. Deleted records are judged by their past alone. */
export const stillVisible = async (
  { platform: { access, store }, caller, tx }: Context,
  resource: Resource,
  past: readonly StoredRecord[],
): Promise<readonly StoredRecord[]> => {
  const visible = toFilter(access.permit(resource, 'read', caller))
  if (!visible || past.length === 0) return past
  const reader = tx ?? store
  const which = among(
    resource,
    past.map(({ pk }) => pk),
  )
  const present = await reader.find(resource, everything(resource, which, past.length))
  const seen = await reader.find(resource, everything(resource, both(which, visible), past.length))
  const hidden = new Set(present.records.map(({ pk }) => pk))
  for (const { pk } of seen.records) hidden.delete(pk)
  return past.filter(({ pk }) => !hidden.has(pk))
}
