// What can be wrong with the definition of a field: unknown options, limits and defaults that contradict each other.

import { callerDefaultFaults, callerPathOf } from './caller-default.ts'
import { didYouMean } from './definition-error.ts'
import type { Field, OnDelete, ToOneField } from './field.ts'
import type { FieldOptions } from './field-options.ts'
import type { JsonSchema } from './json.ts'
import { sameValue } from './record.ts'
import { machineFaults } from './state-machine.ts'
import { ValueFault } from './value-fault.ts'
import { type ValueField, valueToJson } from './value-field.ts'

export const fieldFaults = (field: Field): readonly string[] => [
  ...unknownOptions(field),
  ...(field.role === 'value' ? valueFaults(field) : []),
  ...(field.role === 'one' ? referenceFaults(field) : []),
  ...callerDefaultFaults(field),
]

const unknownOptions = ({ options, optionNames }: Field): string[] => {
  const known = Object.keys(optionNames)
  return Object.keys(options)
    .filter(name => !known.includes(name))
    .map(name => `unknown option '${name}'${didYouMean(known, name) || `; the options are ${known.join(', ')}`}`)
}

const valueFaults = (field: ValueField): string[] => [
  ...limitFaults(field.type.schema),
  ...defaultFaults(field),
  ...stateFaults(field),
  ...Object.entries(field.type.parts ?? {}).flatMap(([name, part]) =>
    [...fieldFaults(part), ...(callerPathOf(part) ? ['a part cannot have a default of the caller'] : [])].map(
      message => `part '${name}': ${message}`,
    ),
  ),
]

const limits = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
] as const

/** The schema holds the limits in force: given ones and defaults, such as the length of a text. */
const limitFaults = (schema: JsonSchema): string[] => {
  const items = schema.items
  const own = limits.flatMap(([low, high]) => {
    const [min, max] = [schema[low], schema[high]]
    if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return []
    return [`min ${min} is greater than max ${max}, so no value is valid; swap or correct them`]
  })
  return typeof items === 'object' && items !== null && !Array.isArray(items)
    ? [...own, ...limitFaults(items as JsonSchema)]
    : own
}

/** Defaults are stored as they are, so each must be what reading the same value from a caller would store. */
const defaultFaults = (field: ValueField): string[] => {
  const { type, options } = field
  const value = options.default
  if (callerPathOf(field)) return []
  if (type.defaultFault !== undefined) return [type.defaultFault]
  if (value === undefined || typeof value === 'function') return []
  const written = type.column === 'integer' && typeof value === 'number' ? valueToJson(type, value) : value
  const fault = (why: string) => [`default ${JSON.stringify(written).slice(0, 80)} ${why}`]
  if (value === null) return fault('is the same as no default; leave it out')
  if (type.column === 'integer' && !Number.isSafeInteger(value)) return fault('must be a whole number')
  try {
    const read = type.read(valueToJson(type, value))
    return sameValue(read, value) ? [] : fault(`must be given as it is stored: ${JSON.stringify(read)}`)
  } catch (error) {
    if (!(error instanceof ValueFault)) return fault(`cannot be a value of type ${type.name}`)
    return fault(error.message)
  }
}

const stateFaults = ({ type: { machine }, options: { default: usual }, compute, transient }: ValueField): string[] => {
  if (!machine) return []
  return [
    ...machineFaults(machine),
    ...(compute || transient ? ["'transitions' belong to a field that is stored as it is written"] : []),
    ...(typeof usual === 'string' && machine.states.includes(usual) && !machine.initial.includes(usual)
      ? [`default '${usual}' is not among the states of new records; add it to 'initial'`]
      : []),
  ]
}

const deletions: readonly OnDelete[] = ['refuse', 'cascade', 'clear']

const referenceFaults = ({ onDelete, options }: ToOneField): string[] => [
  ...(deletions.includes(onDelete)
    ? []
    : [`onDelete '${onDelete}' is none of ${deletions.join(', ')}${didYouMean(deletions, onDelete)}`]),
  ...(options.required && onDelete === 'clear'
    ? ["required and onDelete 'clear' contradict each other; use 'refuse' or 'cascade', or make the field optional"]
    : []),
  ...(isTextOrNothing(options.default) ? [] : [`default ${JSON.stringify(options.default)} must be a pk`]),
]

const isTextOrNothing = (value: FieldOptions['default']): boolean =>
  value === undefined || typeof value === 'string' || typeof value === 'function'
