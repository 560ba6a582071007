// The one way in which records are written for a caller: rules, hooks, computed members, stamps, then the store.

import type { Input } from '../formats/format.ts'
import type { Change, Operation } from '../model/define.ts'
import type { ValueField } from '../model/field.ts'
import { guardsOf } from '../model/guards.ts'
import { type Filter, toFilter } from '../model/query.ts'
import { type StoredRecord, sameValue, storedValue, type Values } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import { changeStamps, creationStamps } from '../model/stamps.ts'
import { type Fault, Problem } from '../problem.ts'
import { checkPreconditions } from './conditional.ts'
import { type Given, identify } from './identify.ts'
import { withIssued } from './issued.ts'
import { located } from './located.ts'
import { type Context, type Inside, inTransaction } from './platform.ts'
import { checkReferences, hasGuardedReferences, keepHiddenLinks } from './references.ts'
import { type CollectedValues, collectValues, defaultOf, mustBeFaultless, type ReadValues } from './values.ts'

/** Headers that bind a write to a state of the record. */
export type Preconditions = Parameters<typeof checkPreconditions>[0]

export interface Creation {
  readonly resource: Resource
  readonly input: Input
  readonly given: Given
}

export const createRecord = (context: Context, creation: Creation): Promise<StoredRecord> =>
  located(creation.input.pointer, () => create(context, creation))

const create = async (context: Context, { resource, input, given }: Creation): Promise<StoredRecord> => {
  const decision = context.platform.access.permit(resource, 'create', context.caller)
  const { values, pk } = readNew(context, { resource, input, given })
  const guards = guardsOf(context.sight.view(resource), context.sight)
  const { hooks } = resource.definition
  if (!context.tx && !hooks && decision === true && !hasGuardedReferences(resource, values, context)) {
    complete(resource, values, null, context)
    return context.platform.store.single.insert(resource, pk, values, { guards })
  }
  return inTransaction(context, async inside => {
    // The work may run again after a deadlock: each run starts from what the caller sent.
    const change = changeOf(context, { kind: 'create', resource, pk, before: null, values: { ...values } })
    await checkReferences(resource, values, inside)
    await hooks?.before?.(change, inside.tx)
    complete(resource, change.values, null, context)
    const record = await inside.tx.insert(resource, pk, change.values, { guards })
    await hooks?.after?.(change, inside.tx)
    await mustStillMatch(resource, pk, decision, inside)
    return withIssued(resource, await asItStands(inside, resource, record), change.values)
  })
}

/** The values and the pk of a new record. All faults of both are reported together. */
const readNew = (context: Context, { resource, input, given }: Creation): { values: Values; pk: string } => {
  const read = collectValues({ resource, input, mode: 'create', before: null }, context)
  let pk: string
  try {
    pk = identify(resource, read.values, given, context)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid') read.faults.unshift(...furtherFaults(read, error))
    mustBeFaultless(read)
    throw error
  }
  mustBeFaultless(read)
  return { values: read.values, pk }
}

/** A pk that is made of fields cannot be judged while those are at fault. */
const furtherFaults = ({ faults }: CollectedValues, { details }: Problem): readonly Fault[] =>
  (details.errors ?? []).filter(
    ({ member, code }) =>
      (faults.length === 0 || code !== 'pk_of_members') && !faults.some(fault => fault.member === member),
  )

/** What a hook did afterwards may show in the record, such as in what it counts. */
const asItStands = async (inside: Inside, resource: Resource, record: StoredRecord): Promise<StoredRecord> => {
  if (!resource.definition.hooks?.after) return record
  const guards = guardsOf(inside.sight.view(resource), inside.sight)
  return (await inside.tx.get(resource, record.pk, { guards })) ?? record
}

const changeOf = ({ caller, sender, platform }: Context, write: Omit<Change, 'caller' | 'sender' | 'now'>): Change => ({
  ...write,
  caller,
  sender,
  now: platform.clock(),
})

export interface Update {
  readonly resource: Resource
  readonly pk: string
  readonly operation: 'replace' | 'patch'
  readonly preconditions: Preconditions
  /** What to write, given the record as it stands. */
  readonly read: (before: StoredRecord) => ReadValues
  /** Where in the body a member stands; at the top level when nothing is said. */
  readonly pointer?: Input['pointer']
}

export interface Updated {
  readonly record: StoredRecord
  readonly changed: boolean
}

/** Null when there is no such record in the sight of the caller. */
export const updateRecord = (context: Context, update: Update): Promise<Updated | null> =>
  update.pointer ? located(update.pointer, () => change(context, update)) : change(context, update)

const change = (context: Context, update: Update): Promise<Updated | null> =>
  inTransaction(context, async inside => {
    const { resource, pk, preconditions } = update
    const held = await hold(inside, resource, pk, update.operation)
    if (!held) {
      if (preconditions['if-match'] !== undefined) throw new Problem('precondition_failed', 'There is no such record.')
      return null
    }
    const { before, decision } = held
    checkPreconditions(preconditions, before)
    const { values: sent, version } = update.read(before)
    if (version !== undefined && version !== before.version) {
      throw new Problem('stale', `The present version is ${before.version}.`)
    }
    const values = changesOnly(resource, sent, before)
    if (Object.keys(values).length === 0) return { record: before, changed: false }
    await checkReferences(resource, values, inside)
    await keepHiddenLinks({ resource, pk, values }, inside)
    const underWay = changeOf(context, { kind: 'update', resource, pk, before, values })
    await resource.definition.hooks?.before?.(underWay, inside.tx)
    complete(resource, values, before, context)
    const guards = guardsOf(context.sight.view(resource), context.sight)
    const record = await inside.tx.update(resource, pk, values, { guards })
    if (!record) return null
    await resource.definition.hooks?.after?.(underWay, inside.tx)
    await mustStillMatch(resource, pk, decision, inside)
    return { record: await asItStands(inside, resource, record), changed: true }
  })

export interface Removal {
  readonly resource: Resource
  readonly pk: string
  readonly preconditions: Preconditions
}

/** Throws 404 when there is no such record in the sight of the caller. */
export const removeRecord = (context: Context, { resource, pk, preconditions }: Removal): Promise<void> =>
  inTransaction(context, async inside => {
    const held = await hold(inside, resource, pk, 'delete')
    if (!held) throw new Problem('not_found')
    const { before } = held
    checkPreconditions(preconditions, before)
    const change = changeOf(context, { kind: 'delete', resource, pk, before, values: {} })
    await resource.definition.hooks?.before?.(change, inside.tx)
    await inside.tx.remove(resource, pk)
    await resource.definition.hooks?.after?.(change, inside.tx)
  })

/** The record, locked, when the caller may see it; 403 when seeing is all that the caller may do. */
export const hold = async (
  inside: Inside,
  resource: Resource,
  pk: string,
  operation: Operation,
): Promise<{ before: StoredRecord; decision: true | Filter } | null> => {
  const decision = inside.platform.access.permit(resource, operation, inside.caller)
  const visible = toFilter(inside.platform.access.permit(resource, 'read', inside.caller))
  const guards = guardsOf(inside.sight.view(resource), inside.sight)
  const before = await inside.tx.lock(resource, pk, { visible, guards })
  if (!before) return null
  await mustStillMatch(resource, pk, decision, inside)
  return { before, decision }
}

/** A rule that looks at the record holds before the write and after it: nobody writes a record out of their own reach. */
const mustStillMatch = async (
  resource: Resource,
  pk: string,
  decision: true | Filter,
  { tx }: Inside,
): Promise<void> => {
  if (decision === true) return
  if (!(await tx.get(resource, pk, { visible: decision }))) throw new Problem('forbidden')
}

const changesOnly = (resource: Resource, sent: Values, before: StoredRecord): Values => {
  const changes: Values = {}
  for (const [name, value] of Object.entries(sent)) {
    const member = resource.members.get(name)
    if (member && !sameValue(value, storedValue(member, before))) changes[name] = value
  }
  return changes
}

type OwnedMember = Member & { readonly field: ValueField }

const isOwned = (member: Member): member is OwnedMember =>
  member.field.role === 'value' && (member.field.compute !== undefined || member.field.options.default !== undefined)

const owned = new WeakMap<Resource, readonly OwnedMember[]>()

/** Members that get a value whether or not the caller gives one. */
const ownedMembers = (resource: Resource): readonly OwnedMember[] => {
  let members = owned.get(resource)
  if (!members) {
    members = [...resource.members.values()].filter(isOwned)
    owned.set(resource, members)
  }
  return members
}

/** Adds what the service owns: computed members, defaults of its own members, and stamps. */
const complete = (
  resource: Resource,
  values: Values,
  before: StoredRecord | null,
  { platform, caller }: Context,
): void => {
  const whole = before ? { ...valuesOf(resource, before), ...values } : values
  for (const { name, field } of ownedMembers(resource)) {
    if (field.compute) values[name] = field.compute(whole)
    else if (!before && values[name] === undefined) values[name] = defaultOf(field.options)
  }
  const stampsOf = before ? changeStamps : creationStamps
  Object.assign(values, stampsOf(resource, { caller, now: platform.clock() }))
}

const valuesOf = (resource: Resource, record: StoredRecord): Values => {
  const values: Values = {}
  for (const member of resource.members.values()) values[member.name] = storedValue(member, record)
  return values
}
