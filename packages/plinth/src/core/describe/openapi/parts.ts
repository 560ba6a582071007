// Parts of the API description: its operations, and texts in it.

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

// A part of an OpenAPI document: some resources and modules, in one format.

export interface TrimOptions {
  /** Operations with one of these tags. All of them unless given. */
  readonly only?: ReadonlySet<string>
  /** Media types to leave out. Bodies and answers that have no other form keep the one that they have. */
  readonly without?: ReadonlySet<string>
}

interface TrimmedDocument extends JsonObject {
  readonly paths: JsonObject
  readonly tags: readonly JsonObject[]
}

/** The document with these operations, and with the components that they need. */
export const trimOpenApi = (document: object, { only, without = new Set() }: TrimOptions): JsonObject => {
  const whole = document as TrimmedDocument
  const trimmed = withoutMediaTypes({ ...whole, paths: pathsOf(whole.paths, only) }, without) as TrimmedDocument
  return {
    ...trimmed,
    tags: trimmed.tags.filter(({ name }) => only?.has(String(name)) ?? true),
    components: reachable(trimmed.components as unknown as Components, trimmed.paths) as JsonObject,
  }
}

const pathsOf = (paths: JsonObject, only: ReadonlySet<string> | undefined): JsonObject => {
  if (!only) return paths
  const isKept = (operation: Json): boolean =>
    ((operation as JsonObject).tags as readonly string[] | undefined)?.some(tag => only.has(tag)) ?? false
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    const fields = Object.entries(item as JsonObject)
    const operations = fields.filter(([name, field]) => name !== 'parameters' && isKept(field))
    const shared = fields.filter(([name]) => name === 'parameters')
    return operations.length === 0 ? [] : [[path, Object.fromEntries([...shared, ...operations])] as const]
  })
  return Object.fromEntries(kept)
}

const withoutMediaTypes = (part: Json, left: ReadonlySet<string>): Json => {
  if (left.size === 0 || typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(one => withoutMediaTypes(one, left))
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const isContent = name === 'content' && typeof value === 'object' && value !== null && !Array.isArray(value)
      return [name, withoutMediaTypes(isContent ? remaining(value as JsonObject, left) : value, left)]
    }),
  )
}

const remaining = (content: JsonObject, left: ReadonlySet<string>): JsonObject => {
  const kept = Object.entries(content).filter(([mediaType]) => !left.has(mediaType))
  return kept.length === 0 ? content : Object.fromEntries(kept)
}
