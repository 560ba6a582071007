// One record by its identifier: find, replace, patch, delete; and create.

import { fault } from '../fault.ts'
import type { Format, RecordInput } from '../formats/format.ts'
import { linkFiltersOf } from '../model/access.ts'
import { toFilter } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { readParameters } from '../query/parameters.ts'
import { inTransaction } from '../records/context.ts'
import { viewWithIssued, wholePk } from '../records/identify.ts'
import { purgeRecord, visibleTrash } from '../records/trash.ts'
import type { Answer } from './answer.ts'
import { type Body, readInput } from './body.ts'
import type { Context, Inside } from './context.ts'
import { checkPreconditions } from './etags.ts'
import { readAsOf, stillVisible } from './history.ts'
import { fetchIncluded } from './include.ts'
import { applied, returnPreference } from './prefer.ts'
import { requestsTrash } from './trash.ts'
import type { LastStep } from './work.ts'
import { createFromInput, prepareInput, removeIfMatching, updateFromInput } from './write-input.ts'
import {
  answerWith,
  type Done,
  type ItemTask,
  optionsOf,
  type Showing,
  together,
  withoutBody,
  written,
} from './written.ts'

export interface WriteTask extends ItemTask {
  readonly body: Body
  /** Of the answer. */
  readonly format: Format
}

const pkOf = (context: Context, { resource, request }: ItemTask): string =>
  wholePk(resource, request.params.pk ?? '', context)

export const find = async (context: Context, task: ItemTask): Promise<Answer> => {
  const { resource } = task
  const reader = context.tx ?? context.platform.store
  const pk = pkOf(context, task)
  if (requestsTrash(resource, task.request.search)) {
    const trash = visibleTrash(context, resource)
    const view = context.visibility.view(trash.resource)
    const linkFilters = linkFiltersOf(view, context.visibility)
    const record = await reader.get(trash.resource, pk, { ...trash, linkFilters, requester: context.requester })
    if (!record) throw new Problem('not_found')
    return answerWith(context, { ...task, resource: trash.resource }, { record, status: 200 })
  }
  const linkFilters = linkFiltersOf(context.visibility.view(resource), context.visibility)
  const visible = toFilter(context.platform.access.permit(resource, 'read', context.caller))
  const asOf = task.request.search.includes('asOf')
  const source = asOf ? await readAsOf(context, resource, readParameters(task.request.search)) : undefined
  const record = await reader.get(resource, pk, { visible, linkFilters, source, requester: context.requester })
  if (!record || (source && (await stillVisible(context, resource, [record])).length === 0))
    throw new Problem('not_found')
  return answerWith(context, task, { record, status: 200 })
}

export const create = async (context: Context, task: WriteTask): Promise<LastStep> => {
  const { resource, body } = task
  // The permission to create is checked before the body is read.
  context.platform.access.permit(resource, 'create', context.caller)
  const options = await optionsOf(context, task, Array.isArray(body.json) ? body.json.length : 1)
  if (Array.isArray(body.json)) return createAll(context, { task, options }, body)
  const input = await prepareInput(context, resource, readInput(body, resource))
  return async inside => {
    const given = { pk: input.pk, by: givenBy(input) } as const
    return together(inside, options, async own => {
      const record = await createFromInput(own, { resource, input, given })
      return written(own, { task, options }, { record, status: 201 })
    })
  }
}

const givenBy = (input: RecordInput) => (input.refusesUnknown ? 'document' : 'body')

const maxBulk = 1000

/** A list creates all or none. */
const createAll = async (context: Context, showing: Showing, body: Body): Promise<LastStep> => {
  const { resource } = showing.task
  const list = body.json as readonly unknown[]
  if (list.length === 0) throw new Problem('bad_request', 'The list is empty.')
  if (list.length > maxBulk) throw new Problem('too_costly', `At most ${maxBulk} records can be created at once.`)
  const inputs = await readAll(context, resource, { ...body, json: list })
  return inside => together(inside, showing.options, own => createEach(own, showing, inputs))
}

const createEach = async (
  context: Context,
  { task: { resource, request }, options }: Showing,
  inputs: readonly (RecordInput | Problem)[],
): Promise<Answer> => {
  const records = await inTransaction(context, async inside => {
    const made: StoredRecord[] = []
    const faults: Problem[] = []
    for (const [at, input] of inputs.entries()) {
      try {
        if (input instanceof Problem) throw input
        made.push(await createFromInput(inside, { resource, input, given: { pk: input.pk, by: givenBy(input) } }))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        faults.push(atIndex(error, at))
        // A body that cannot be read leaves the transaction as it was; a refusal of the database does not.
        if (error.code !== 'invalid') break
      }
    }
    if (faults.length > 0) throw joined(faults)
    return made
  })
  const preferred = returnPreference(request)
  if (preferred === 'minimal') return { kind: 'nothing', status: 201, headers: applied(preferred) }
  const view = viewWithIssued(options.view, records[0])
  return {
    kind: 'page',
    status: 201,
    ...(preferred && { headers: applied(preferred) }),
    isSecret: view !== options.view,
    document: { view, paging: null, links: { self: request.path } },
    batch: { records, included: await fetchIncluded(context, options, records) },
  }
}

/** Each entry, or what is wrong with it. */
const readAll = async (
  context: Context,
  resource: Resource,
  { json, ...body }: Body & { readonly json: readonly unknown[] },
): Promise<(RecordInput | Problem)[]> => {
  const inputs: (RecordInput | Problem)[] = []
  for (const one of json) {
    try {
      inputs.push(await prepareInput(context, resource, readInput({ ...body, json: one }, resource)))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      inputs.push(error)
    }
  }
  return inputs
}

const atIndex = (problem: Problem, at: number): Problem => {
  const errors = problem.details.errors ?? [{ message: problem.message, code: problem.code, pointer: '' }]
  return new Problem(problem, {
    ...problem.details,
    errors: errors.map(fault => ({ ...fault, pointer: `/${at}${fault.pointer ?? ''}` })),
  })
}

/** All faults in one problem, under the code of the last: what broke off the work comes last. */
const joined = (faults: readonly Problem[]): Problem => {
  const last = faults.at(-1) as Problem
  return new Problem(last, {
    detail: `${faults.length} records are invalid.`,
    errors: faults.flatMap(one => one.details.errors ?? []),
  })
}

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
    const done = await inTransaction(own, inside => putRecord(inside, task, { input, pk }))
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

/** Null when there is no such record. */
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

const putRecord = async (inside: Inside, task: WriteTask, { input, pk }: Replacement): Promise<Done> => {
  const { resource } = task
  const record = await overwrite(inside, task, { input, pk })
  if (record) return { record, status: 200 }
  const mayCreate = inside.platform.access.decide(resource, 'create', inside.caller) !== false
  if (!mayCreate || (await isHidden(inside, resource, pk))) throw new Problem('not_found')
  return { record: await createFromInput(inside, { resource, input, given: { pk, by: 'path' } }), status: 201 }
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

const mustFitPath = (given: string, { input, pk }: { input: RecordInput; pk: string }): void => {
  if (given === pk) return
  const reason = fault('pk_of_path')
  throw new Problem('invalid', {
    detail: `pk ${reason.message}.`,
    errors: [{ pointer: input.pointer('pk'), member: 'pk', ...reason }],
  })
}

export const remove = async (context: Context, task: ItemTask): Promise<Answer> => {
  const { resource, request } = task
  const pk = pkOf(context, task)
  const check = (record: StoredRecord) => checkPreconditions(request.headers, record)
  if (requestsTrash(resource, request.search))
    await inTransaction(context, async inside => {
      await purgeRecord(inside, { resource, pk, check })
      await inside.platform.reportPurge(inside, { resource, pk })
    })
  else await removeIfMatching(context, { resource, pk, preconditions: request.headers })
  return { kind: 'nothing', status: 204 }
}
