// What the service adds to a record at each write: defaults, computed fields, dates and users. And what values must be like.

import { fault } from '../fault.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { FieldOptions } from '../model/field-options.ts'
import { type StoredRecord, sameValue, type Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { storedValue } from '../model/resource.ts'
import { changeStamps, creationStamps, type WriteMoment } from '../model/stamps.ts'
import { ValueFault } from '../model/value-fault.ts'
import { type ValueField, valueToJson } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'

type OwnedField = ResourceField & { readonly definition: ValueField }

const isOwned = (field: ResourceField): field is OwnedField =>
  field.definition.role === 'value' &&
  (field.definition.compute !== undefined || field.definition.options.default !== undefined)

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
  ownedFields(resource).some(({ definition }) => definition.compute !== undefined)

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
  const whole = before ? { ...valuesOf(resource, before), ...values } : values
  for (const { name, definition } of ownedFields(resource)) {
    if (definition.compute) {
      const value = definition.compute(whole)
      // What stays as it was is not written: the history has no entry for it. Records are read without their write-only fields.
      const isKnown = before !== null && Object.hasOwn(before, name)
      if (!isKnown || !sameValue(value ?? null, before[name] ?? null)) values[name] = value
    } else if (isNew && values[name] === undefined) values[name] = defaultOf(definition.options)
  }
  Object.assign(values, stamps)
}

/** The computed fields of a record that are not what they would be if it was written now; null when all are. */
export const computedChanges = (resource: Resource, record: StoredRecord): Values | null => {
  const whole = valuesOf(resource, record)
  const changes: Values = {}
  for (const { name, definition } of ownedFields(resource)) {
    const value = definition.compute?.(whole)
    if (definition.compute && !sameValue(value ?? null, whole[name] ?? null)) changes[name] = value
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

const valuesOf = (resource: Resource, record: StoredRecord): Values => {
  const values: Values = {}
  for (const field of resource.fields.values()) values[field.name] = storedValue(field, record)
  return values
}

export const defaultOf = ({ default: value }: FieldOptions): unknown =>
  value === undefined ? null : typeof value === 'function' ? value() : value

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
export const checkRequired = (resource: Resource, values: Values): void => {
  const faults = [...resource.fields.values()].flatMap(({ name, definition }): Fault[] => {
    const isColumn = definition.role === 'one' || (definition.role === 'value' && !definition.transient)
    const isGiven = name === 'pk' || name === 'version' || (values[name] ?? null) !== null
    if (!isColumn || isGiven || !definition.options.required) return []
    return [{ pointer: `/${name}`, member: name, ...fault('required') }]
  })
  mustHaveNone(resource, faults)
}

const mustHaveNone = ({ name }: Resource, faults: readonly Fault[]): void => {
  const [first] = faults
  if (!first) return
  const detail = faults.map(({ member: field, message }) => `${name}.${field} ${message}`).join('; ')
  const cause = new DefinitionError(
    faults.map(({ member: field = '', message }) => ({ resource: name, field: field, message })),
  )
  throw new Problem('invalid', { detail: `${detail}.`, errors: faults, cause })
}
