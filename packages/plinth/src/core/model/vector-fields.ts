// The fields of a resource whose values are vectors.

import { didYouMean } from './definition-error.ts'
import type { Resource, ResourceField } from './resource.ts'
import type { ValueType } from './value-field.ts'
import { distances, maxVectorSize, type VectorShape } from './vectors.ts'

/** Has the resource a field of vectors? */
export const hasVectors = ({ fields }: Resource): boolean => [...fields.values()].some(field => vectorTypeOf(field))

/** What is wrong with the vectors of a resource. */
export const vectorFaults = ({ fields }: Resource): readonly string[] => {
  const own = [...fields.values()].flatMap(field => vectorTypeOf(field)?.vector ?? [])
  return [
    ...own.flatMap(({ size }) =>
      Number.isInteger(size) && size >= 1 && size <= maxVectorSize
        ? []
        : [`a vector has the size ${size}; it must be a whole number from 1 to ${maxVectorSize}`],
    ),
    ...own.flatMap(({ distance }) =>
      distances.includes(distance)
        ? []
        : [
            `a vector has the distance '${distance}'${didYouMean(distances, distance)}; known are ${distances.join(', ')}`,
          ],
    ),
    ...(own.length > 0 && fields.has('near')
      ? ["the field 'near' has the name of the parameter that compares vectors; choose another name"]
      : []),
  ]
}

/** The type of the field with its shape, where its values are vectors. */
export const vectorTypeOf = ({ definition }: ResourceField): (ValueType & { readonly vector: VectorShape }) | null => {
  if (definition.role !== 'value') return null
  const { type } = definition
  return type.vector ? { ...type, vector: type.vector } : null
}
