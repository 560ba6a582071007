// Counts and sums of related records: what they add up, and of which type the sum is.

import type { ResourceField } from './resource.ts'
import type { ValueType } from './value-field.ts'

/** The field whose values a sum adds up; null for a count, and for every other field. */
export const summedField = ({ owner, definition }: ResourceField): ResourceField | null => {
  if (definition.role !== 'count' || definition.sum === undefined) return null
  return owner.fields.get(definition.relation)?.target?.fields.get(definition.sum) ?? null
}

/** The type of a sum, which is that of its values without their limits; null for a count, and for every other field. */
export const sumType = (field: ResourceField): ValueType | null => {
  const summed = summedField(field)
  if (summed?.definition.role !== 'value') return null
  const { type } = summed.definition
  const { minimum: _minimum, maximum: _maximum, ...schema } = type.schema
  return { ...type, schema }
}

/** What is wrong with the sums of a resource. */
export const sumFaults = (fields: Iterable<ResourceField>): readonly string[] =>
  [...fields].flatMap(field => {
    const { name, definition } = field
    if (definition.role !== 'count' || definition.sum === undefined) return []
    const target = field.owner.fields.get(definition.relation)?.target
    // A relation that does not exist is a fault of its own.
    if (!target) return []
    const summed = target.fields.get(definition.sum)
    const where = `sum in ${name} of '${definition.sum}', which`
    if (!summed) return [`${where} is not a field of ${target.name}`]
    if (summed.definition.role !== 'value' || summed.definition.type.column !== 'integer')
      return [`${where} must be a number, an amount or a duration`]
    return summed.definition.options.readable !== undefined && definition.options.readable === undefined
      ? [`${where} only some callers may read: give ${name} a rule 'readable', too`]
      : []
  })
