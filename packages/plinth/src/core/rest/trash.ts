// `trash=only`: the deleted records, searched, read and purged.

import { fault } from '../fault.ts'
import { linkFiltersOf } from '../model/link-filters.ts'
import type { Filter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { keepsTrash } from '../model/trash.ts'
import { type Fault, Problem } from '../problem.ts'
import { type Parameters, readParameters, single } from '../query/parameters.ts'
import { badParameter, refuse } from '../query/query-faults.ts'
import { inTransaction } from '../records/context.ts'
import { purgeRecord, visibleTrash } from '../records/trash.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { checkPreconditions } from './etags.ts'
import { answerWith, type ItemTask, pkOf } from './written.ts'

const choices = ['only'] as const

/** Says whether a search may name the parameter: most requests have none, and are not read twice. */
const mayAskForTrash = (search: string): boolean => search.includes('trash')

/** Are the deleted records asked for, and not the present ones? */
const asksForTrash = (resource: Resource, parameters: Parameters): boolean => {
  const faults: Fault[] = []
  const value = single(parameters, 'trash', faults)
  if (value === undefined && faults.length === 0) return false
  if (!keepsTrash(resource)) refuse([{ parameter: 'trash', ...fault('no_trash', { resource: resource.name }) }])
  if (value !== 'only') faults.push(badParameter('trash', value ?? '', fault('choice', { choices })))
  if (parameters.has('asOf'))
    faults.push({ parameter: 'trash', ...fault('contradiction', { first: 'trash', second: 'asOf' }) })
  if (faults.length > 0) refuse(faults)
  return true
}

/** The same for the query of a request. */
export const requestsTrash = (resource: Resource, search: string): boolean =>
  mayAskForTrash(search) && asksForTrash(resource, readParameters(search))

interface TrashSearch {
  readonly resource: Resource
  /** What the address itself restricts, such as the records of a relation. */
  readonly scope?: Filter
}

/** The trash that a search asks for; null when it asks for the present records. */
export const readTrash = (context: Context, { resource, scope }: TrashSearch, parameters: Parameters) => {
  if (scope) throw new Problem('bad_parameter', 'Only whole resources have a trash: leave out trash.')
  return asksForTrash(resource, parameters) ? visibleTrash(context, resource) : null
}

/** The order of deletion, the latest first, unless the caller asks for another one. */
export const latestFirst = (parameters: Parameters): Parameters =>
  parameters.has('sort') || parameters.has('pks') || parameters.has('pks[]')
    ? parameters
    : new Map([...parameters, ['sort', ['-deletedDate']]])

export const findDeleted = async (context: Context, task: ItemTask): Promise<Answer> => {
  const reader = context.tx ?? context.platform.store
  const trash = visibleTrash(context, task.resource)
  const linkFilters = linkFiltersOf(context.visibility.view(trash.resource), context.visibility)
  const options = { ...trash, linkFilters, requester: context.requester }
  const record = await reader.get(trash.resource, pkOf(context, task), options)
  if (!record) throw new Problem('not_found')
  return answerWith(context, { ...task, resource: trash.resource }, { record, status: 200 })
}

/** Deletes a record from the trash for good. */
export const purge = (context: Context, task: ItemTask): Promise<void> => {
  const { resource, request } = task
  const pk = pkOf(context, task)
  return inTransaction(context, async transaction => {
    await purgeRecord(transaction, { resource, pk, check: record => checkPreconditions(request.headers, record) })
    await transaction.platform.reportPurge(transaction, { resource, pk })
  })
}
