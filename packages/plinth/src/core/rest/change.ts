// Changes a record: replaces it, or patches some of its fields.

import { fault } from '../fault.ts'
import type { RecordInput } from '../formats/format.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { wholePk } from '../records/identify.ts'
import type { Answer } from './answer.ts'
import { readInput } from './body.ts'
import type { Context, TransactionContext } from './context.ts'
import { returnPreference } from './prefer.ts'
import { createFromInput, prepareInput, updateFromInput } from './write-input.ts'
import { type Done, optionsOf, pkOf, together, type WriteTask, withoutBody, written } from './written.ts'

/** What both ways to change a record begin with: the body is read once the caller may change records at all. */
const readChange = async (context: Context, task: WriteTask, operation: 'replace' | 'patch') => {
  const { resource, body } = task
  const pk = pkOf(context, task)
  context.platform.access.permit(resource, operation, context.caller)
  const options = await optionsOf(context, task)
  const input = await prepareInput(context, resource, readInput(body, resource))
  mustFitPath(input.pk === undefined ? pk : wholePk(resource, input.pk, context), { input, pk })
  return { pk, options, input }
}

export const replace = async (context: Context, task: WriteTask): Promise<Answer> => {
  const { pk, options, input } = await readChange(context, task, 'replace')
  return together(context, options, async own => {
    const done = await inTransaction(own, transaction => putRecord(transaction, task, { input, pk }))
    return written(own, { task, options }, done)
  })
}

/** The record that the body names, for addresses that name none. It must exist. */
export const replaceNamed = async (context: Context, task: WriteTask): Promise<Answer> => {
  const { resource, body } = task
  context.platform.access.permit(resource, 'replace', context.caller)
  const options = await optionsOf(context, task)
  const input = await prepareInput(context, resource, readInput(body, resource))
  const { pk } = input
  if (pk === undefined) {
    throw new Problem('invalid', {
      detail: 'The body must identify the record by `pk` or `id`.',
      errors: [{ pointer: input.pointer('pk'), member: 'pk', ...fault('required') }],
    })
  }
  return together(context, options, async own => {
    const record = await overwrite(own, task, { input, pk: wholePk(resource, pk, own) })
    if (!record) throw new Problem('not_found')
    return written(own, { task, options }, { record, status: 200 })
  })
}

interface Replacement {
  readonly input: RecordInput
  readonly pk: string
}

/** Returns null when there is no such record. */
const overwrite = async (
  context: Context,
  { resource, request }: WriteTask,
  { input, pk }: Replacement,
): Promise<StoredRecord | null> => {
  const updated = await updateFromInput(context, {
    resource,
    pk,
    input,
    mode: 'replace',
    preconditions: request.headers,
  })
  return updated?.record ?? null
}

const putRecord = async (
  transaction: TransactionContext,
  task: WriteTask,
  { input, pk }: Replacement,
): Promise<Done> => {
  const { resource } = task
  const record = await overwrite(transaction, task, { input, pk })
  if (record) return { record, status: 200 }
  const mayCreate = transaction.platform.access.decide(resource, 'create', transaction.caller) !== false
  if (!mayCreate || (await isHidden(transaction, resource, pk))) throw new Problem('not_found')
  return { record: await createFromInput(transaction, { resource, input, source: { pk, by: 'path' } }), status: 201 }
}

/** Does the record exist, hidden from the caller? */
const isHidden = async ({ tx }: Context, resource: Resource, pk: string): Promise<boolean> =>
  tx !== null && (await tx.get(resource, pk)) !== null

export const patch = async (context: Context, task: WriteTask): Promise<Answer> => {
  const { resource, request, body } = task
  const { pk, options, input } = await readChange(context, task, 'patch')
  return together(context, options, async own => {
    const updated = await updateFromInput(own, {
      resource,
      pk,
      input,
      mode: body.mergePatch ? 'merge' : 'patch',
      preconditions: request.headers,
    })
    if (!updated) throw new Problem('not_found')
    const done = { record: updated.record, status: 200 } as const
    // JSON:API clients read the document of every update; others get 204 when nothing changed, unless they prefer the record.
    return updated.changed || task.format.isAlwaysDocument || returnPreference(request)
      ? written(own, { task, options }, done)
      : withoutBody({ task, options }, done)
  })
}

const mustFitPath = (bodyPk: string, { input, pk }: { input: RecordInput; pk: string }): void => {
  if (bodyPk === pk) return
  const reason = fault('pk_of_path')
  throw new Problem('invalid', {
    detail: `pk ${reason.message}.`,
    errors: [{ pointer: input.pointer('pk'), member: 'pk', ...reason }],
  })
}
