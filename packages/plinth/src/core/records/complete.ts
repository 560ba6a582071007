// What the service adds to a record at each write: defaults, computed fields, dates and users. And what values must be like.

import { fault } from '../fault.ts'
import { defaultOf } from '../model/caller-default.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { ToOneField } from '../model/field.ts'
import { isColumn } from '../model/indexes.ts'
import { keepFields, keepFieldsThat } from '../model/keep-fields.ts'
import { type StoredRecord, sameValue, type Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { storedValue } from '../model/resource.ts'
import { changeStamps, creationStamps, type WriteMoment } from '../model/stamps.ts'
import { ValueFault } from '../model/value-fault.ts'
import { type ValueField, valueToJson } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { unknownField } from './unknown-field.ts'

interface ComputedField extends Pick<ResourceField, 'name'> {
  readonly compute: NonNullable<ValueField['compute']>
  /** Null: from any field of the record. */
  readonly from: readonly string[] | null
}

export const computedFields = keepFields(({ name, definition }): ComputedField | null =>
  definition.role === 'value' && definition.compute
    ? { name, compute: definition.compute, from: definition.computedFrom ?? null }
    : null,
)

interface DefaultedField extends Pick<ResourceField, 'name'> {
  readonly definition: ValueField | ToOneField
}

/** The fields that get a value in new records where none is given. */
const defaultedFields = keepFields(({ name, definition }): DefaultedField | null => {
  if (definition.role !== 'one' && (definition.role !== 'value' || definition.compute)) return null
  return definition.options.default === undefined ? null : { name, definition }
})

/** Is it a column without which there is no record? The store itself gives the pk and the version. */
const isRequired = (field: ResourceField): boolean =>
  isColumn(field) && field.definition.options.required === true && field.name !== 'pk' && field.name !== 'version'

const requiredFields = keepFieldsThat(isRequired)

/** The required fields that are there before the service adds its own. */
const requiredBefore = keepFieldsThat(field => isRequired(field) && !isComputed(field) && !isStamp(field))

const isComputed = ({ definition }: ResourceField): boolean =>
  definition.role === 'value' && definition.compute !== undefined

const isStamp = ({ name, owner }: ResourceField): boolean => !Object.hasOwn(owner.definition.fields, name)

/** The fields that a change of these values changes too: the whole record has to be known then. */
export const computedFrom = (resource: Resource, values: Values): readonly ComputedField[] =>
  computedFields(resource).filter(({ from }) => from === null || from.some(name => values[name] !== undefined))

export interface Completion extends WriteMoment {
  readonly resource: Resource
  readonly isNew: boolean
  /** Is null for a new record, and where no field is computed. */
  readonly before: StoredRecord | null
}

/** Adds computed fields, defaults, dates and users to the values. */
export const complete = (values: Values, completion: Completion): void => {
  const { resource, isNew, before } = completion
  const stamps = isNew ? creationStamps(resource, completion) : stampsOfChange(values, completion)
  if (isNew) addDefaults(values, completion)
  const computed = isNew ? computedFields(resource) : computedFrom(resource, values)
  if (computed.length > 0) compute(values, computed, before && valuesOf(resource, before))
  Object.assign(values, stamps)
}

/** Before fields are computed from them: they get every value that is required. */
const addDefaults = (values: Values, { resource, caller }: Completion): void => {
  for (const { name, definition } of defaultedFields(resource))
    if (values[name] === undefined) values[name] = defaultOf(definition, caller)
  if (computedFields(resource).length > 0) checkRequired(resource, values, requiredBefore(resource))
}

const compute = (values: Values, computed: readonly ComputedField[], before: Values | null): void => {
  const whole = before ? { ...before, ...values } : values
  for (const { name, compute } of computed) {
    const value = compute(whole)
    // What stays as it was is not written: the history has no entry for it. Records are read without their write-only fields.
    const isKnown = before !== null && before[name] !== undefined
    if (!isKnown || !sameValue(value ?? null, before[name] ?? null)) values[name] = value
  }
}

/** The computed fields of a record that are not what they would be if it was written now; null when all are. */
export const computedChanges = (resource: Resource, record: StoredRecord): Values | null => {
  const whole = valuesOf(resource, record)
  const changes: Values = {}
  for (const { name, compute } of computedFields(resource)) {
    const value = compute(whole)
    if (!sameValue(value ?? null, whole[name] ?? null)) changes[name] = value
  }
  return Object.keys(changes).length > 0 ? changes : null
}

/** Values that note nothing but use, such as a last visit, do not modify the record. */
const stampsOfChange = (values: Values, { resource, caller, now }: Completion): Values => {
  const isUse = Object.keys(values).every(name => resource.fields.get(name)?.definition.options.activity)
  return isUse ? {} : changeStamps(resource, { caller, now })
}

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
  if (faults.length > 0) throw invalidValues(resource, faults)
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
  required: readonly ResourceField[] = requiredFields(resource),
): void => {
  const faults: Fault[] = required
    .filter(({ name }) => (values[name] ?? null) === null)
    .map(({ name }) => ({ pointer: `/${name}`, member: name, ...fault('required') }))
  // Code that misspelt the field has a value that is lost.
  if (faults.length > 0) throw invalidValues(resource, [...faults, ...unknownFaults(resource, values)])
}

const unknownFaults = ({ fields }: Resource, values: Values): readonly Fault[] =>
  Object.keys(values)
    .filter(name => !fields.has(name))
    .map(name => ({ pointer: `/${name}`, member: name, ...unknownField(name, [...fields.keys()]) }))

export const invalidValues = ({ name }: Resource, faults: readonly Fault[]): Problem => {
  const detail = faults.map(({ member: field, message }) => `${name}.${field} ${message}`).join('; ')
  const cause = new DefinitionError(
    faults.map(({ member: field = '', message }) => ({ resource: name, field: field, message })),
  )
  return new Problem('invalid', { detail: `${detail}.`, errors: faults, cause })
}
