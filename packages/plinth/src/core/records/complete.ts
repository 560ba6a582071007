// What the service adds to a record at each write: defaults, computed fields, dates and users. And what values must be like.

import { fault } from '../fault.ts'
import { defaultOf } from '../model/caller-default.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { ToOneField } from '../model/field.ts'
import { type StoredRecord, sameValue, type Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { storedValue } from '../model/resource.ts'
import { changeStamps, creationStamps, type WriteMoment } from '../model/stamps.ts'
import { ValueFault } from '../model/value-fault.ts'
import { type ValueField, valueToJson } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { unknownField } from './unknown-field.ts'

type OwnedField = ResourceField & { readonly definition: ValueField | ToOneField }

const isOwned = (field: ResourceField): field is OwnedField => {
  const { definition } = field
  if (definition.role === 'one') return definition.options.default !== undefined
  return definition.role === 'value' && (definition.compute !== undefined || definition.options.default !== undefined)
}

const computeOf = (definition: ValueField | ToOneField): ValueField['compute'] =>
  definition.role === 'value' ? definition.compute : undefined

const owned = new WeakMap<Resource, readonly OwnedField[]>()

/** Fields that get a value whether or not one is given. */
const ownedFields = (resource: Resource): readonly OwnedField[] => {
  let fields = owned.get(resource)
  if (!fields) {
    fields = [...resource.fields.values()].filter(isOwned)
    owned.set(resource, fields)
  }
  return fields
}

/** Does a change of some fields change others too, so that the whole record has to be known? */
export const hasComputedFields = (resource: Resource): boolean =>
  ownedFields(resource).some(({ definition }) => computeOf(definition) !== undefined)

export interface Completion extends WriteMoment {
  readonly resource: Resource
  readonly isNew: boolean
  /** Is null for a new record, and where no field is computed. */
  readonly before: StoredRecord | null
}

/** Adds computed fields, defaults, dates and users to the values. */
export const complete = (values: Values, completion: Completion): void => {
  const { resource, isNew, before } = completion
  const stamps = stampsFor(values, completion)
  if (isNew) addDefaults(values, completion)
  const whole = before ? { ...valuesOf(resource, before), ...values } : values
  for (const { name, definition } of ownedFields(resource)) {
    const compute = computeOf(definition)
    if (compute) {
      const value = compute(whole)
      // What stays as it was is not written: the history has no entry for it. Records are read without their write-only fields.
      const isKnown = before !== null && Object.hasOwn(before, name)
      if (!isKnown || !sameValue(value ?? null, before[name] ?? null)) values[name] = value
    }
  }
  Object.assign(values, stamps)
}

/** Before fields are computed from them: they get every value that is required. */
const addDefaults = (values: Values, { resource, caller }: Completion): void => {
  for (const { name, definition } of ownedFields(resource))
    if (!computeOf(definition) && values[name] === undefined) values[name] = defaultOf(definition, caller)
  if (hasComputedFields(resource)) checkRequired(resource, values, field => !isComputed(field) && !isStamp(field))
}

const isComputed = ({ definition }: ResourceField): boolean =>
  definition.role === 'value' && definition.compute !== undefined

const isStamp = ({ name, owner }: ResourceField): boolean => !Object.hasOwn(owner.definition.fields, name)

/** The computed fields of a record that are not what they would be if it was written now; null when all are. */
export const computedChanges = (resource: Resource, record: StoredRecord): Values | null => {
  const whole = valuesOf(resource, record)
  const changes: Values = {}
  for (const { name, definition } of ownedFields(resource)) {
    const compute = computeOf(definition)
    const value = compute?.(whole)
    if (compute && !sameValue(value ?? null, whole[name] ?? null)) changes[name] = value
  }
  return Object.keys(changes).length > 0 ? changes : null
}

const stampsFor = (values: Values, { resource, isNew, caller, now }: Completion): Values => {
  if (isNew) return creationStamps(resource, { caller, now })
  return isActivity(resource, values) ? {} : changeStamps(resource, { caller, now })
}

/** Do the values note nothing but use, such as a last visit? Then the record is not modified. */
const isActivity = ({ fields }: Resource, values: Values): boolean =>
  Object.keys(values).every(name => fields.get(name)?.definition.options.activity)

/** A record as it would be written. */
export const valuesOf = (resource: Resource, record: StoredRecord): Values => {
  const values: Values = {}
  for (const field of resource.fields.values()) values[field.name] = storedValue(field, record)
  return values
}

/** Holds values that code gives to what their fields demand. Values of a body were checked when it was read. */
export const checkValues = (resource: Resource, values: Values): void => {
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields.get(name)?.definition
    if (field?.role !== 'value' || field.compute || field.transient || value === null || value === undefined) continue
    try {
      values[name] = normalised(field, value)
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      faults.push(...error.at(`/${name}`, name))
    }
  }
  mustHaveNone(resource, faults)
}

/** Reads a value as a body with it would be read, except that parts which the service owns are kept as they are. */
const normalised = ({ type }: ValueField, value: unknown): unknown => {
  type.checkStored?.(value)
  const read = type.read(valueToJson(type, value))
  return type.keep ? type.keep(read, value) : read
}

/** The database names one missing column; this names all of them. */
export const checkRequired = (
  resource: Resource,
  values: Values,
  isConcerned: (field: ResourceField) => boolean = () => true,
): void => {
  const faults = [...resource.fields.values()].filter(isConcerned).flatMap(({ name, definition }): Fault[] => {
    const isColumn = definition.role === 'one' || (definition.role === 'value' && !definition.transient)
    const isGiven = name === 'pk' || name === 'version' || (values[name] ?? null) !== null
    if (!isColumn || isGiven || !definition.options.required) return []
    return [{ pointer: `/${name}`, member: name, ...fault('required') }]
  })
  // Code that misspelt the field has a value that is lost.
  mustHaveNone(resource, faults.length > 0 ? [...faults, ...unknownFaults(resource, values)] : faults)
}

const unknownFaults = ({ fields }: Resource, values: Values): readonly Fault[] =>
  Object.keys(values)
    .filter(name => !fields.has(name))
    .map(name => ({ pointer: `/${name}`, member: name, ...unknownField(name, [...fields.keys()]) }))

/** Problem `invalid` when there are faults. */
export const mustHaveNone = ({ name }: Resource, faults: readonly Fault[]): void => {
  const [first] = faults
  if (!first) return
  const detail = faults.map(({ member: field, message }) => `${name}.${field} ${message}`).join('; ')
  const cause = new DefinitionError(
    faults.map(({ member: field = '', message }) => ({ resource: name, field: field, message })),
  )
  throw new Problem('invalid', { detail: `${detail}.`, errors: faults, cause })
}
