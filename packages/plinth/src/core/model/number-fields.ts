// The fields of resources that are sequences.

import type { ResourceDefinition } from './define.ts'
import { didYouMean } from './definition-error.ts'
import { keepFields } from './keep-fields.ts'
import { type Numbering, numberingFaults } from './numbering.ts'
import type { Resource, ResourceField } from './resource.ts'
import { isScalar } from './value-field.ts'

export type NumberField = ResourceField & { readonly numbering: Numbering }

export const numberingOf = ({ definition }: Pick<ResourceField, 'definition'>): Numbering | undefined =>
  definition.role === 'value' ? definition.type.numbering : undefined

/** The fields that the service numbers. */
export const numberFields = keepFields((field): NumberField | null => {
  const numbering = numberingOf(field)
  return numbering ? { ...field, numbering } : null
})

/** The definition with what keeps the numbers of each sequence unique. */
export const withUniqueNumbers = (definition: ResourceDefinition): ResourceDefinition => {
  const groups = Object.entries(definition.fields).flatMap(([name, field]) => {
    const per = numberingOf({ definition: field })?.per
    return per === undefined ? [] : [[per, name]]
  })
  if (groups.length === 0) return definition
  return { ...definition, origin: definition, uniqueTogether: [...(definition.uniqueTogether ?? []), ...groups] }
}

/** What is wrong with the sequences of a resource, by field. */
export const sequenceFaults = (resource: Resource): readonly (readonly [field: string, message: string])[] =>
  numberFields(resource).flatMap(({ name, numbering }) => [
    ...numberingFaults(numbering).map(message => [name, message] as const),
    ...perFaults(resource, numbering).map(message => [name, message] as const),
    ...(resource.definition.storedIn
      ? [[name, `a sequence belongs to ${resource.definition.storedIn.resource}, which holds the records`] as const]
      : []),
  ])

/** A record that moves would leave a gap, and double a number. */
const perFaults = ({ fields }: Resource, { per }: Numbering): readonly string[] => {
  if (per === undefined) return []
  const definition = fields.get(per)?.definition
  if (!definition) return [`per '${per}' is not a field${didYouMean(fields.keys(), per)}`]
  const isValue =
    definition.role === 'one' || (definition.role === 'value' && isScalar(definition.type) && !definition.transient)
  if (!isValue) return [`per '${per}' must be a reference or a value`]
  return definition.options.fixed || definition.options.serverOwned
    ? []
    : [`per '${per}' can change, and the number would not fit any more; make it 'fixed'`]
}
