// Input → values to be written, with every fault of the body named at once.

import { type FaultReason, fault } from '../fault.ts'
import type { RecordInput } from '../formats/format.ts'
import type { Caller } from '../model/caller.ts'
import { defaultOf } from '../model/caller-default.ts'
import type { LinkField, ToOneField } from '../model/field.ts'
import { type Link, type StoredRecord, sameValue, type Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { storedValue } from '../model/resource.ts'
import { machineOf } from '../model/state-fields.ts'
import { stepFault } from '../model/state-machine.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ValueField } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { unknownField } from '../records/unknown-field.ts'
import { invalid } from './body.ts'
import type { Context } from './context.ts'
import { unknownParts } from './unknown-fields.ts'

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
  if (faults.length > 0) throw invalid(faults)
  if (forbidden.length > 0) throw new Problem('forbidden', { errors: forbidden })
}

/** Reads values as `readValues` does, for a caller that has faults of its own to add. */
export const collectValues = (task: ReadTask, context: Context): CollectedValues => {
  const faults: Fault[] = []
  const forbidden: Fault[] = []
  const values: Values = {}
  let version: number | undefined
  for (const name of Object.keys(task.input.fields)) {
    const sent = task.input.fields[name]
    const field = task.resource.fields.get(name)
    const here = (reason: FaultReason): Fault => ({ pointer: task.input.pointer(name), member: name, ...reason })
    if (name === 'version') {
      if (typeof sent === 'number') version = sent
      else if (sent !== null) faults.push(here(fault('whole_number')))
    } else if (!field || (task.input.isStrict && !existsFor(field, context))) {
      if (task.input.isStrict) faults.push(here(unknownField(name, namesFor(task.resource, context))))
      else if (task.input.refusesUnknown)
        faults.push(here(fault('unknown_attribute', { resource: task.resource.name })))
    } else if (isWritable(field)) {
      const refused = task.input.refused?.get(name)
      if (!context.platform.access.mayWrite(field, context.caller)) {
        if (!isSentBack(field, sent, task, context)) forbidden.push(here(fault('forbidden')))
      } else if (refused) faults.push(...refused.at(task.input.pointer(name), name))
      else
        readField({ field, sent, mode: task.mode, before: task.before, caller: context.caller }, values, fault =>
          faults.push(...fault.at(task.input.pointer(name), name)),
        )
      if (task.input.isStrict && field.definition.role === 'value')
        faults.push(...unknownParts(field.definition.type, sent, { pointer: task.input.pointer(name), member: name }))
      if (name in values && task.input.prepared?.has(name)) values[name] = task.input.prepared.get(name)
    } else if (field.definition.role === 'inverse' && task.input.refusesUnknown && !isOwnSentBack(field, sent, task)) {
      // JSON:API 1.1, "Updating a Resource's To-Many Relationships": what is not supported is refused, not dropped.
      forbidden.push(here(fault('by_relationship')))
    }
  }
  if (task.mode === 'create' || task.mode === 'replace') completeValues(task, values, faults, context)
  return { values, version, faults, forbidden }
}

/** To callers who may neither read nor write a field, it is unknown: it must not show in what is reported. */
const existsFor = (field: ResourceField, context: Context): boolean =>
  context.visibility.view(field.owner).fields.has(field.name) ||
  (isWritable(field) && context.platform.access.mayWrite(field, context.caller))

const namesFor = ({ fields }: Resource, context: Context): readonly string[] =>
  [...fields.values()].filter(field => existsFor(field, context)).map(({ name }) => name)

/** A record that is sent back as it was read changes no field that the caller may not write. */
const isSentBack = (
  field: ResourceField,
  sent: unknown,
  { mode, before }: ReadTask,
  { visibility }: Context,
): boolean => {
  if (!before || !visibility.view(field.owner).fields.has(field.name)) return false
  const stored = storedValue(field, before)
  if (sent === null || sent === undefined) return mode === 'patch' || stored === null
  try {
    return sameValue(readSent(field, sent), stored)
  } catch (error) {
    if (error instanceof ValueFault) return false
    throw error
  }
}

/** A to-one relation that the other record holds, sent as it was read; null where the caller may not see it. */
const isOwnSentBack = ({ name, definition }: ResourceField, sent: unknown, { before }: ReadTask): boolean =>
  definition.role === 'inverse' &&
  definition.single === true &&
  (sent === null || (before?.[name] as Link | null | undefined)?.pk === sent)

type WritableField = ValueField | ToOneField | LinkField

const isWritable = (field: ResourceField): field is ResourceField & { field: WritableField } => {
  const { definition } = field
  if (definition.options.serverOwned || field.name === 'pk') return false
  return (
    definition.role === 'one' || definition.role === 'links' || (definition.role === 'value' && !definition.compute)
  )
}

interface FieldTask {
  readonly field: ResourceField
  readonly sent: unknown
  readonly mode: WriteMode
  readonly before: StoredRecord | null
  readonly caller: Caller
}

const readField = (
  { field, sent, mode, before, caller }: FieldTask,
  values: Values,
  refuse: (fault: ValueFault) => void,
): void => {
  const { options } = field.definition
  if (sent === null || sent === undefined) {
    if (mode === 'patch') return
    if (options.required && !(mode !== 'merge' && options.default !== undefined))
      refuse(new ValueFault(fault('required')))
    else
      values[field.name] =
        field.definition.role === 'links' ? [] : mode === 'merge' ? null : defaultOf(field.definition, caller)
    return
  }
  try {
    const value = keepOwned(field, readSent(field, sent), before)
    if (before && isFixed(field) && !sameValue(value, storedValue(field, before))) {
      refuse(new ValueFault(fault('fixed')))
    }
    const machine = machineOf(field)
    const reason = machine && stepFault(machine, before?.[field.name] ?? null, value)
    if (reason) refuse(new ValueFault(reason))
    values[field.name] = value
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    refuse(error)
  }
}

const keepOwned = ({ name, definition }: ResourceField, value: unknown, before: StoredRecord | null): unknown =>
  definition.role === 'value' && definition.type.keep ? definition.type.keep(value, before?.[name] ?? null) : value

const maxLinks = 1000

const readSent = ({ definition }: ResourceField, sent: unknown): unknown => {
  if (definition.role === 'value') return definition.type.read(sent)
  if (definition.role === 'one') return readReference(sent)
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
  const implied = impliedFields(resource)
  for (const field of resource.fields.values()) {
    const { name, definition } = field
    if (name in values || !isWritable(field) || Object.hasOwn(input.fields, name) || implied.includes(name)) continue
    if (mode === 'replace' && isKept(field, context)) continue
    if (definition.role === 'links') continue
    const value = defaultOf(definition, context.caller)
    if (value === null && definition.options.required) {
      faults.push({ pointer: input.pointer(name), member: name, ...fault('required') })
    } else values[name] = value
  }
}

/** References that make up the pk are given with it. */
const impliedFields = ({ definition: { identifier } }: Resource): readonly string[] =>
  identifier.kind === 'shared' ? [identifier.by] : identifier.kind === 'composite' ? identifier.by : []

/** Says whether a value is given at creation for good: by its options, or because the pk is made of it. */
export const isFixed = ({ name, definition, owner }: ResourceField): boolean => {
  const { identifier } = owner.definition
  if (identifier.kind === 'hashed' && identifier.of === name) return true
  return definition.options.fixed === true || impliedFields(owner).includes(name)
}

/** A replacement keeps relations, fixed fields, states, and whatever the caller could not have read or may not write. */
const isKept = (field: ResourceField, { visibility, platform, caller }: Context): boolean =>
  field.definition.role !== 'value' ||
  isFixed(field) ||
  machineOf(field) !== undefined ||
  !visibility.view(field.owner).fields.has(field.name) ||
  !platform.access.mayWrite(field, caller)
