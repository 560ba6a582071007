// Parts of the API description: its operations, and texts in it.

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

/** A text as it is, other values as JSON; nothing for what is missing. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const objectsIn = (value: Json | undefined): [string, JsonObject][] =>
  isObject(value) ? Object.entries(value).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : [])) : []

export const operationsOf = ({ paths }: JsonObject): ListedOperation[] =>
  objectsIn(paths).flatMap(([path, item]) =>
    objectsIn(item).map(([method, { tags, operationId, summary }]) => ({
      method,
      path,
      tag: Array.isArray(tags) ? textOf(tags[0]) : '',
      id: textOf(operationId),
      summary: textOf(summary),
    })),
  )
