// Creates a record, or each record of a list: all or none.

import type { RecordInput } from '../formats/format.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import { Problem, problemAsFault } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { viewWithIssued } from '../records/issued.ts'
import type { Answer } from './answer.ts'
import { type Body, readInput } from './body.ts'
import type { Context } from './context.ts'
import { fetchIncluded } from './include.ts'
import { applied, returnPreference } from './prefer.ts'
import type { LastStep } from './work.ts'
import { createFromInput, prepareInput } from './write-input.ts'
import { optionsOf, together, type WriteResponse, type WriteTask, written } from './written.ts'

export const create = async (context: Context, task: WriteTask): Promise<LastStep> => {
  const { resource, body } = task
  // The permission to create is checked before the body is read.
  context.platform.access.permit(resource, 'create', context.caller)
  const options = await optionsOf(context, task, Array.isArray(body.json) ? body.json.length : 1)
  if (Array.isArray(body.json)) return createAll(context, { task, options }, body)
  const input = await prepareInput(context, resource, readInput(body, resource))
  return async stepContext => {
    const source = { pk: input.pk, by: sourceOf(input) } as const
    return together(stepContext, options, async own => {
      const record = await createFromInput(own, { resource, input, source })
      return written(own, { task, options }, { record, status: 201 })
    })
  }
}

const sourceOf = (input: RecordInput) => (input.refusesUnknown ? 'document' : 'body')

const maxBulk = 1000

/** A list creates all or none. */
const createAll = async (context: Context, showing: WriteResponse, body: Body): Promise<LastStep> => {
  const { resource } = showing.task
  const list = body.json as readonly unknown[]
  if (list.length === 0) throw new Problem('bad_request', 'The list is empty.')
  if (list.length > maxBulk) throw new Problem('too_costly', `At most ${maxBulk} records can be created at once.`)
  const inputs = await readAll(context, resource, { ...body, json: list })
  return stepContext => together(stepContext, showing.options, own => createEach(own, showing, inputs))
}

const createEach = async (
  context: Context,
  { task: { resource, request }, options }: WriteResponse,
  inputs: readonly (RecordInput | Problem)[],
): Promise<Answer> => {
  const records = await inTransaction(context, async transaction => {
    const made: StoredRecord[] = []
    const faults: Problem[] = []
    for (const [at, input] of inputs.entries()) {
      try {
        if (input instanceof Problem) throw input
        made.push(
          await createFromInput(transaction, { resource, input, source: { pk: input.pk, by: sourceOf(input) } }),
        )
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
  const errors = problem.details.errors ?? [problemAsFault(problem)]
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
