// One record as an answer: in the view of the caller, with what the query asks to include, or shortened after a write.

import type { Format } from '../formats/format.ts'
import type { Request } from '../http/exchange.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { readParameters } from '../query/parameters.ts'
import { type ItemOptions, readItemOptions } from '../query/read-query.ts'
import { inTransaction } from '../records/context.ts'
import { wholePk } from '../records/identify.ts'
import { viewWithIssued } from '../records/issued.ts'
import type { Answer, Headers } from './answer.ts'
import type { Body } from './body.ts'
import type { Context } from './context.ts'
import { fetchIncluded } from './include.ts'
import { applied, returnPreference } from './prefer.ts'
import { chargeInclude } from './query-budget.ts'

export interface ItemTask {
  readonly resource: Resource
  readonly request: Request
}

export interface WriteTask extends ItemTask {
  readonly body: Body
  /** The format of the answer. */
  readonly format: Format
}

/** The identifier in the address. */
export const pkOf = (context: Context, { resource, request }: ItemTask): string =>
  wholePk(resource, request.params.pk ?? '', context)

export const addressOf = (resource: Resource, pk: string): string =>
  `/api/rest/${resource.name}/${encodeURIComponent(pk)}`

export interface Done {
  readonly record: StoredRecord
  readonly status: 200 | 201
}

/** The record in the caller's view, with what the query asks to include. */
export const answerWith = async (context: Context, task: ItemTask, done: Done): Promise<Answer> =>
  show(context, await optionsOf(context, task), done)

/** What the query asks for. `records`: how many the answer holds. */
export const optionsOf = async (
  context: Context,
  { resource, request }: ItemTask,
  records = 1,
): Promise<ItemOptions> => {
  const options = readItemOptions(readParameters(request.search), resource, context.visibility)
  await chargeInclude(context, request, { options, records })
  return options
}

type ItemAnswer = Extract<Answer, { kind: 'item' }>

const show = async (context: Context, options: ItemOptions, { record, status }: Done): Promise<ItemAnswer> => {
  const included = options.include.length > 0 ? await fetchIncluded(context, options, [record]) : []
  const view = viewWithIssued(options.view, record)
  return { kind: 'item', status, document: { view, record, included }, isSecret: view !== options.view }
}

/** How a write is to be answered: read before anything is written, so that a bad parameter leaves no record behind. */
export interface WriteResponse {
  readonly task: ItemTask
  readonly options: ItemOptions
}

/** The answer to a write, shortened when the caller prefers it so. */
export const written = async (context: Context, showing: WriteResponse, done: Done): Promise<Answer> => {
  const { task, options } = showing
  const location = done.status === 201 && { Location: task.request.base + addressOf(task.resource, done.record.pk) }
  const preferred = returnPreference(task.request)
  const headers: Headers = { ...location, ...(preferred && applied(preferred)) }
  if (preferred === 'minimal') return withoutBody(showing, done, headers)
  return { ...(await show(context, options, done)), headers }
}

/** Callers get the tag of the record all the same, for their next change. */
export const withoutBody = (
  { options: { view } }: WriteResponse,
  { record, status }: Done,
  headers?: Headers,
): Answer => ({
  kind: 'nothing',
  status: status === 201 ? 201 : 204,
  leftOut: { view, record, included: [] },
  headers,
})

/**
 * Makes the write and the reading of its answer one transaction with `include`: what cannot be answered leaves nothing
 * behind.
 */
export const together = (context: Context, { include }: ItemOptions, work: (own: Context) => Promise<Answer>) =>
  include.length === 0 ? work(context) : inTransaction(context, work)
