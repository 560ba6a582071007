// Input → values to be written, with every fault of the body named at once.

import { type FaultReason, fault } from '../fault.ts'
import type { RecordInput } from '../formats/format.ts'
import type { LinkField, ToOneField } from '../model/field.ts'
import { type Link, type StoredRecord, sameValue, type Values } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import { storedValue } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ValueField } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { defaultOf } from '../records/complete.ts'
import type { Context } from './context.ts'

/** `patch` ignores nulls, `merge` clears with them. */
export type WriteMode = 'create' | 'replace' | 'patch' | 'merge'

export interface ReadValues {
  readonly values: Values
  /** The version that the caller believes to be the present one. */
  readonly version: number | undefined
}

export interface ReadTask {
  readonly resource: Resource
  readonly input: RecordInput
  readonly mode: WriteMode
  /** The record to be changed; null at creation. */
  readonly before: StoredRecord | null
}

/** What was read, and everything that is wrong with it. */
export interface CollectedValues extends ReadValues {
  readonly faults: Fault[]
  readonly forbidden: readonly Fault[]
}

export const readValues = (task: ReadTask, context: Context): ReadValues => {
  const collected = collectValues(task, context)
  mustBeFaultless(collected)
  return collected
}

export const mustBeFaultless = ({ faults, forbidden }: CollectedValues): void => {
  if (faults.length > 0) throw new Problem('invalid', { detail: faultsInWords(faults), errors: faults })
  if (forbidden.length > 0) throw new Problem('forbidden', { errors: forbidden })
}

/** As `readValues`, for a caller that has faults of its own to add. */
export const collectValues = (task: ReadTask, context: Context): CollectedValues => {
  const faults: Fault[] = []
  const forbidden: Fault[] = []
  const values: Values = {}
  let version: number | undefined
  for (const name of Object.keys(task.input.members)) {
    const sent = task.input.members[name]
    const member = task.resource.members.get(name)
    const here = (reason: FaultReason): Fault => ({ pointer: task.input.pointer(name), member: name, ...reason })
    if (name === 'version') {
      if (typeof sent === 'number') version = sent
      else if (sent !== null) faults.push(here(fault('whole_number')))
    } else if (!member) {
      if (task.input.refusesUnknown) faults.push(here(fault('unknown_attribute', { resource: task.resource.name })))
    } else if (isWritable(member)) {
      if (!context.platform.access.mayWrite(member, context.caller)) {
        if (!isSentBack(member, sent, task, context)) forbidden.push(here(fault('forbidden')))
      } else
        readMember({ member, sent, mode: task.mode, before: task.before }, values, fault =>
          faults.push(...fault.at(task.input.pointer(name), name)),
        )
      if (name in values && task.input.prepared?.has(name)) values[name] = task.input.prepared.get(name)
    } else if (member.field.role === 'inverse' && task.input.refusesUnknown && !isOwnSentBack(member, sent, task)) {
      // JSON:API 1.1, "Updating a Resource's To-Many Relationships": what is not supported is refused, not dropped.
      forbidden.push(here(fault('by_relationship')))
    }
  }
  if (task.mode === 'create' || task.mode === 'replace') completeValues(task, values, faults, context)
  return { values, version, faults, forbidden }
}

/** A record that is sent back as it was read changes no field that the caller may not write. */
const isSentBack = (member: Member, sent: unknown, { mode, before }: ReadTask, { visibility }: Context): boolean => {
  if (!before || !visibility.view(member.owner).members.has(member.name)) return false
  const stored = storedValue(member, before)
  if (sent === null || sent === undefined) return mode === 'patch' || stored === null
  try {
    return sameValue(readSent(member, sent), stored)
  } catch (error) {
    if (error instanceof ValueFault) return false
    throw error
  }
}

/** A to-one relation that the other record holds, sent as it was read; null where the caller may not see it. */
const isOwnSentBack = ({ name, field }: Member, sent: unknown, { before }: ReadTask): boolean =>
  field.role === 'inverse' &&
  field.single === true &&
  (sent === null || (before?.[name] as Link | null | undefined)?.pk === sent)

const faultsInWords = (faults: readonly Fault[]): string =>
  faults.length === 1 ? `${faults[0]?.member} ${faults[0]?.message}.` : `${faults.length} fields are invalid.`

type WritableField = ValueField | ToOneField | LinkField

const isWritable = (member: Member): member is Member & { field: WritableField } => {
  const { field } = member
  if (field.options.serverOwned || member.name === 'pk') return false
  return field.role === 'one' || field.role === 'links' || (field.role === 'value' && !field.compute)
}

interface MemberTask {
  readonly member: Member
  readonly sent: unknown
  readonly mode: WriteMode
  readonly before: StoredRecord | null
}

const readMember = (
  { member, sent, mode, before }: MemberTask,
  values: Values,
  refuse: (fault: ValueFault) => void,
): void => {
  const { options } = member.field
  if (sent === null || sent === undefined) {
    if (mode === 'patch') return
    if (options.required && !(mode !== 'merge' && options.default !== undefined))
      refuse(new ValueFault(fault('required')))
    else values[member.name] = member.field.role === 'links' ? [] : mode === 'merge' ? null : defaultOf(options)
    return
  }
  try {
    const value = keepOwned(member, readSent(member, sent), before)
    if (before && isFixed(member) && !sameValue(value, storedValue(member, before))) {
      refuse(new ValueFault(fault('fixed')))
    }
    values[member.name] = value
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    refuse(error)
  }
}

const keepOwned = ({ name, field }: Member, value: unknown, before: StoredRecord | null): unknown =>
  field.role === 'value' && field.type.keep ? field.type.keep(value, before?.[name] ?? null) : value

const maxLinks = 1000

const readSent = ({ field }: Member, sent: unknown): unknown => {
  if (field.role === 'value') return field.type.read(sent)
  if (field.role === 'one') return readReference(sent)
  if (!Array.isArray(sent)) throw new ValueFault(fault('list_of_references'))
  if (sent.length > maxLinks) throw new ValueFault(fault('max_entries', { max: maxLinks }))
  return [...new Set(sent.map(readReference))].sort()
}

/** A pk, or any object that carries one. */
const readReference = (sent: unknown): string => {
  const pk =
    typeof sent === 'object' && sent !== null
      ? ((sent as { pk?: unknown; id?: unknown }).pk ?? (sent as { id?: unknown }).id)
      : sent
  if (typeof pk !== 'string' || pk === '' || pk.length > 255 || !pk.isWellFormed() || pk.includes('\0')) {
    throw new ValueFault(fault('reference'))
  }
  return pk
}

/** What the caller left out: defaults at creation; at a replacement also null, except for what is kept. */
const completeValues = (
  { resource, input, mode }: ReadTask,
  values: Values,
  faults: Fault[],
  context: Context,
): void => {
  const implied = impliedMembers(resource)
  for (const member of resource.members.values()) {
    const { name, field } = member
    if (name in values || !isWritable(member) || Object.hasOwn(input.members, name) || implied.includes(name)) continue
    if (mode === 'replace' && isKept(member, context)) continue
    if (field.role === 'links') continue
    const value = defaultOf(field.options)
    if (value === null && field.options.required) {
      faults.push({ pointer: input.pointer(name), member: name, ...fault('required') })
    } else values[name] = value
  }
}

/** References that make up the pk are given with it. */
const impliedMembers = ({ definition: { identifier } }: Resource): readonly string[] =>
  identifier.kind === 'shared' ? [identifier.by] : identifier.kind === 'composite' ? identifier.by : []

/** Given at creation for good: by its options, or because the pk is made of it. */
export const isFixed = ({ name, field, owner }: Member): boolean => {
  const { identifier } = owner.definition
  if (identifier.kind === 'hashed' && identifier.of === name) return true
  return field.options.fixed === true || impliedMembers(owner).includes(name)
}

/** A replacement keeps relations, fixed members, and whatever the caller could not have read or may not write. */
const isKept = (member: Member, { visibility, platform, caller }: Context): boolean =>
  member.field.role !== 'value' ||
  isFixed(member) ||
  !visibility.view(member.owner).members.has(member.name) ||
  !platform.access.mayWrite(member, caller)
