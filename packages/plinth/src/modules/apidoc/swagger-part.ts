// A part of the API description as Swagger UI draws it fastest. It takes about three times as long for OpenAPI 3.1 as for 3.0,
// so it gets what it shows in the words of 3.0. Programs read the whole document, which is not touched.

import { isObject, partOf } from '../../core/describe/openapi/parts.ts'
import type { JsonObject } from '../../core/describe/openapi.ts'
import type { Json } from '../../core/model/json.ts'

/** Null when there is no such operation. */
export const toSwaggerPart = (document: JsonObject, operationId: string): JsonObject | null => {
  const part = partOf(document, operationId)
  if (!part) return null
  const { openapi: _, info, ...rest } = part
  return { openapi: '3.0.3', info: info ?? {}, ...inOldWords(rest) }
}

const inOldWords = (part: JsonObject): JsonObject => {
  const old: Record<string, Json> = {}
  for (const [name, value] of Object.entries(part)) {
    if (name === 'type' && Array.isArray(value)) Object.assign(old, ofTypes(value))
    else if (name === 'const') old.enum = [value]
    else if (name === 'anyOf' && Array.isArray(value)) Object.assign(old, ofChoices(value))
    else old[name] = translated(value)
  }
  return old
}

const translated = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(translated)
  return isObject(value) ? inOldWords(value) : value
}

const ofTypes = (types: readonly Json[]): JsonObject => {
  const [type, ...others] = types.filter(one => one !== 'null')
  const nullable = types.includes('null') && { nullable: true }
  if (type === undefined || others.length > 0)
    return { anyOf: [type ?? 'null', ...others].map(one => ({ type: one })), ...nullable }
  return { type, ...nullable }
}

const isNull = (choice: Json): boolean => isObject(choice) && choice.type === 'null'

const ofChoices = (choices: readonly Json[]): JsonObject => ({
  anyOf: choices.filter(choice => !isNull(choice)).map(translated),
  ...(choices.some(isNull) && { nullable: true }),
})
