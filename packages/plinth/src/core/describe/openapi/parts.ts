// The API description in parts, one for each operation: readers that show one of them need not take in all.

import type { Json } from '../../model/json.ts'
import { type Components, type JsonObject, reachable } from './document.ts'

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

/** A whole document with one operation and the components that it needs; null when there is no such operation. */
export const partOf = (document: JsonObject, operationId: string): JsonObject | null => {
  for (const [path, item] of objectsIn(document.paths)) {
    const [method, operation] = objectsIn(item).find(([, one]) => one.operationId === operationId) ?? []
    if (method === undefined || operation === undefined) continue
    const { parameters } = item
    const paths = { [path]: { ...(parameters !== undefined && { parameters }), [method]: operation } }
    const components: Components = isObject(document.components) ? document.components : {}
    return { ...document, tags: [], paths, components: reachable(components, paths) as JsonObject }
  }
  return null
}
