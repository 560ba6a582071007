// Fields and shapes in one service: what depends on settings is made with their values.

import type { Field } from './field.ts'
import type { ResolveSetting } from './setting.ts'
import type { Shape, ShapeFields, ValueField } from './value-field.ts'

export const dependsOnSettings = (field: Field): boolean =>
  field.role === 'value' &&
  (field.withSettings !== undefined || Object.values(field.type.parts ?? {}).some(dependsOnSettings))

const settledField = (field: ValueField, resolve: ResolveSetting): ValueField => {
  const { type, withSettings } = field
  if (withSettings) return withSettings(resolve)
  if (!type.parts || !type.withParts || !dependsOnSettings(field)) return field
  return { ...field, type: type.withParts(settledValues(type.parts, resolve)) }
}

const settledValues = <F extends ShapeFields>(fields: F, resolve: ResolveSetting): ShapeFields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, settledField(field, resolve)]))

/** The same fields if none of them depends on settings. */
export const settledFields = <F extends Readonly<Record<string, Field>>>(fields: F, resolve: ResolveSetting): F => {
  if (!Object.values(fields).some(dependsOnSettings)) return fields
  const settled = Object.entries(fields).map(([name, field]) => [
    name,
    field.role === 'value' ? settledField(field, resolve) : field,
  ])
  return Object.fromEntries(settled)
}

/** The settled shapes by service: all parts of an API description have the same shape. */
const settledShapes = new WeakMap<ResolveSetting, Map<Shape, Shape>>()

/** The same shape if it does not depend on settings. */
export const settledShape = <F extends ShapeFields>(shape: Shape<F>, resolve: ResolveSetting): Shape => {
  const known = settledShapes.get(resolve) ?? new Map<Shape, Shape>()
  settledShapes.set(resolve, known)
  const fields = settledFields(shape.fields, resolve)
  const settled = known.get(shape) ?? (fields === shape.fields ? shape : { ...shape, fields })
  known.set(shape, settled)
  return settled
}
