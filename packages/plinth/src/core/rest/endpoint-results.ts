// Is what a handler returns of the shape that its endpoint declares? The compiler checks it too, except behind casts and in JavaScript.

import type { StoredRecord } from '../model/record.ts'
import type { Shape } from '../model/value-field.ts'
import type { Endpoint } from './endpoint.ts'

interface ResultCheck {
  record(result: unknown, resource: string): StoredRecord
  value(result: unknown, shape: Shape): object
  list(result: unknown, shape: Shape): readonly object[]
  text(result: unknown): string
}

export const createResultCheck = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): ResultCheck => {
  const refuse = (expected: string, found: string): Error =>
    new Error(`The endpoint ${method} ${path} must return ${expected}, and returned ${found}.`)
  const value = (result: unknown, { name, fields }: Shape): object => {
    if (!isObject(result)) throw refuse(`a value of the shape ${name}`, kindOf(result))
    const missing = Object.entries(fields).find(
      ([key, { options, optional }]) => options.required && !optional && isAbsent(result[key]),
    )
    if (missing) throw refuse(`a value of the shape ${name}`, `one without '${missing[0]}', which is required`)
    return result
  }
  return {
    value,
    record: (result, resource) => {
      if (!isRecord(result))
        throw refuse(`a record of ${resource}`, isObject(result) ? "an object without 'pk'" : kindOf(result))
      return result
    },
    list: (result, shape) => {
      if (!Array.isArray(result)) throw refuse(`a list of the shape ${shape.name}`, kindOf(result))
      return result.map(one => value(one, shape))
    },
    text: result => {
      if (isAbsent(result)) throw refuse('a text', kindOf(result))
      return String(result)
    },
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRecord = (value: unknown): value is StoredRecord => isObject(value) && typeof value.pk === 'string'

const kindOf = (value: unknown): string => {
  if (isAbsent(value)) return String(value)
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`
}
