// Writes what a caller sent: the body becomes values, headers and versions are checked against the current record.

import type { RecordInput } from '../formats/format.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import { type Fault, Problem } from '../problem.ts'
import { identify, type PkSource } from '../records/identify.ts'
import { type Creation, createRecord, removeRecord, type Update, type Updated, updateRecord } from '../records/write.ts'
import type { Context } from './context.ts'
import { checkPreconditions } from './etags.ts'
import { type CollectedValues, collectValues, mustBeFaultless, readValues, type WriteMode } from './values.ts'

/** Headers that bind a write to a state of the record. */
export type Preconditions = Parameters<typeof checkPreconditions>[0]

export interface InputCreation {
  readonly resource: Resource
  readonly input: RecordInput
  readonly source: PkSource
}

export const createFromInput = (context: Context, { resource, input, source }: InputCreation): Promise<StoredRecord> =>
  located(input.pointer, async () => createRecord(context, readNew(context, { resource, input, source: source })))

/** A new record as it was sent. All faults of its values and of its pk are reported together. */
export const readNew = (context: Context, { resource, input, source }: InputCreation): Creation => {
  // The permission to create is checked before the body is read.
  context.platform.access.permit(resource, 'create', context.caller)
  const read = collectValues({ resource, input, mode: 'create', before: null }, context)
  let pk: string
  try {
    pk = identify(resource, read.values, source, context)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid') read.faults.unshift(...furtherFaults(read, error))
    mustBeFaultless(read)
    throw error
  }
  mustBeFaultless(read)
  return { resource, pk, values: read.values, isRead: true }
}

/** A pk that is made of fields cannot be checked while those are invalid. */
const furtherFaults = ({ faults }: CollectedValues, { details }: Problem): readonly Fault[] =>
  (details.errors ?? []).filter(
    ({ member: field, code }) =>
      (faults.length === 0 || code !== 'pk_of_members') && !faults.some(fault => fault.member === field),
  )

export interface InputUpdate {
  readonly resource: Resource
  readonly pk: string
  readonly input: RecordInput
  readonly mode: Exclude<WriteMode, 'create'>
  readonly preconditions?: Preconditions
}

/** Returns null when there is no such record that the caller may read. */
export const updateFromInput = (context: Context, update: InputUpdate): Promise<Updated | null> => {
  const { resource, pk, input, mode, preconditions } = update
  return located(input.pointer, () =>
    updateIfMatching(context, {
      resource,
      pk,
      operation: mode === 'replace' ? 'replace' : 'patch',
      values: before => {
        const { values, version } = readValues({ resource, input, mode, before }, context)
        if (version !== undefined && version !== before.version)
          throw new Problem('stale', {
            en: `The current version is ${before.version}.`,
            de: `Die aktuelle Version ist ${before.version}.`,
          })
        return values
      },
      preconditions,
    }),
  )
}

export interface CheckedUpdate extends Omit<Update, 'isRead'> {
  readonly preconditions?: Preconditions | undefined
  readonly values: (before: StoredRecord) => Values
}

/** Updates as `updateRecord` does, with values that were read from a request. */
export const updateIfMatching = async (
  context: Context,
  { preconditions = {}, values, ...update }: CheckedUpdate,
): Promise<Updated | null> => {
  const updated = await updateRecord(context, {
    ...update,
    isRead: true,
    values: before => {
      checkPreconditions(preconditions, before)
      return values(before)
    },
  })
  if (!updated && preconditions['if-match'] !== undefined)
    throw new Problem('precondition_failed', {
      en: 'This record does not exist.',
      de: 'Diesen Datensatz gibt es nicht.',
    })
  return updated
}

export interface CheckedRemoval {
  readonly resource: Resource
  readonly pk: string
  readonly preconditions?: Preconditions
}

/** Problem `not_found` when there is no such record that the caller may read. */
export const removeIfMatching = async (
  context: Context,
  { resource, pk, preconditions = {} }: CheckedRemoval,
): Promise<void> => {
  const check = (before: StoredRecord) => checkPreconditions(preconditions, before)
  if (!(await removeRecord(context, { resource, pk, check }))) throw new Problem('not_found')
}

export const prepareInput = async (context: Context, resource: Resource, input: RecordInput): Promise<RecordInput> => {
  const prepared = await prepareFields(context, resource, input.fields)
  return prepared.size === 0 ? input : { ...input, prepared }
}

/** What slow work makes of fields, by their names; of those that need none, nothing. */
export const prepareFields = async (
  context: Context,
  resource: Resource,
  sent: RecordInput['fields'],
): Promise<ReadonlyMap<string, unknown>> => {
  const prepared = new Map<string, unknown>()
  for (const field of slowFields(resource)) {
    if (sent[field.name] == null || !context.platform.access.mayWrite(field, context.caller)) continue
    const value = await prepare(field, sent[field.name])
    if (value !== undefined) prepared.set(field.name, value)
  }
  return prepared
}

const known = new WeakMap<Resource, readonly ResourceField[]>()

/** Fields whose values take slow work before they are written. */
export const slowFields = (resource: Resource): readonly ResourceField[] => {
  let fields = known.get(resource)
  if (!fields) {
    fields = [...resource.fields.values()].filter(({ definition }) => definition.role === 'value' && definition.prepare)
    known.set(resource, fields)
  }
  return fields
}

/** A value at fault is left as it is: reading the body names the fault. */
const prepare = async ({ definition }: ResourceField, sent: unknown): Promise<unknown> => {
  if (definition.role !== 'value' || !definition.prepare) return undefined
  try {
    return await definition.prepare(definition.type.read(sent))
  } catch (error) {
    if (error instanceof ValueFault) return undefined
    throw error
  }
}

export const located = async <T>(pointer: RecordInput['pointer'], work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem ? withPointers(error, pointer) : error
  }
}

const withPointers = (problem: Problem, pointer: RecordInput['pointer']): Problem => {
  const { errors } = problem.details
  if (!errors?.some(isUnlocated)) return problem
  const found = errors.map(fault =>
    isUnlocated(fault) && fault.member !== undefined ? { ...fault, pointer: pointer(fault.member) } : fault,
  )
  return new Problem(problem, { ...problem.details, errors: found, cause: problem.cause })
}

/** The field alone as a pointer: in the formats whose fields stand at the top level it is right as it is. */
const isUnlocated = ({ member: field, pointer }: { member?: string; pointer?: string }): boolean =>
  field !== undefined && pointer === `/${field}`
