// Searches for what is near a vector, as data.

import type { ResourceField } from './resource.ts'
import type { ValueField } from './value-field.ts'
import type { Vector } from './vectors.ts'

/** The records that have a vector, with their distance from this one. */
export interface RecordsNear {
  readonly kind: 'near'
  readonly field: ResourceField
  readonly vector: Vector
}

/** The name of the distance of a record among those that are near. */
export const distanceName = '_distance'

const definition: ValueField = {
  role: 'value',
  type: {
    name: 'distance',
    // Whatever is bound to it is a number.
    column: 'integer',
    schema: { type: 'number' },
    widget: 'number',
    read: Number,
    readText: Number,
    wildcards: false,
  },
  options: { required: true },
  optionNames: {},
}

const fields = new WeakMap<ResourceField['owner'], ResourceField>()

/** The distance as a field of the records, by which they are sorted. */
export const distanceOf = (owner: ResourceField['owner']): ResourceField => {
  const known = fields.get(owner)
  if (known) return known
  const field: ResourceField = { name: distanceName, definition, owner, target: null, inverseOf: null, back: null }
  fields.set(owner, field)
  return field
}
