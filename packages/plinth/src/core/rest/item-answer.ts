// One record as an answer: in the caller's view, with what the query asks to include, or shortened after a write.

import type { Request } from '../http/exchange.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { readParameters } from '../query/parameters.ts'
import { type ItemOptions, readItemOptions } from '../query/read-query.ts'
import { inTransaction } from '../records/context.ts'
import { viewWithIssued } from '../records/issued.ts'
import type { Answer } from './answer.ts'
import { fetchIncluded } from './include.ts'
import type { Context } from './platform.ts'
import { chargeInclude } from './price.ts'

export interface ItemTask {
  readonly resource: Resource
  readonly request: Request
}

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

const show = async (context: Context, options: ItemOptions, { record, status }: Done): Promise<Answer> => {
  const included = await fetchIncluded(context, options, [record])
  const view = viewWithIssued(options.view, record)
  return { kind: 'item', status, document: { view, record, included }, isSecret: view !== options.view }
}

/** How a write is to be answered: read before anything is written, so that a bad parameter leaves no record behind. */
export interface Showing {
  readonly task: ItemTask
  readonly options: ItemOptions
}

/** The answer to a write, shortened when the caller prefers it so (RFC 7240). */
export const written = async (context: Context, { task, options }: Showing, done: Done): Promise<Answer> => {
  const headers =
    done.status === 201 ? { Location: task.request.base + addressOf(task.resource, done.record.pk) } : undefined
  if (/(^|,)\s*return=minimal\s*(,|;|$)/i.test(task.request.headers.prefer?.toString() ?? '')) {
    return {
      kind: 'nothing',
      status: done.status === 201 ? 201 : 204,
      headers: { ...headers, 'Preference-Applied': 'return=minimal' },
    }
  }
  const answer = await show(context, options, done)
  return headers && answer.kind === 'item' ? { ...answer, headers } : answer
}

/** With `include`, the write and the reading of its answer are one transaction: what cannot be answered leaves nothing behind. */
export const together = (context: Context, { include }: ItemOptions, work: (own: Context) => Promise<Answer>) =>
  include.length === 0 ? work(context) : inTransaction(context, work)
