// The operations of the API description.

import type { Json } from '../../model/json.ts'
import type { JsonObject } from './document.ts'

export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly id: string
  readonly summary: string
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: Json | undefined): [string, JsonObject][] =>
  isObject(value) ? Object.entries(value).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : [])) : []

export const operationsOf = ({ paths }: JsonObject): ListedOperation[] =>
  objectsIn(paths).flatMap(([path, item]) =>
    objectsIn(item).map(([method, { tags, operationId, summary }]) => ({
      method,
      path,
      tag: Array.isArray(tags) ? String(tags[0]) : '',
      id: String(operationId),
      summary: String(summary),
    })),
  )
