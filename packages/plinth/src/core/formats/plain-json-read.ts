// Reads the bodies of JSON and HAL.

import { toToken } from '../model/json.ts'
import { type BodyObject, emptyFields, isObject, readIdentifierText, unreadable } from './body.ts'
import type { RecordInput } from './format.ts'

/** What the formats write beside the fields: callers may send it back, and it is never input. */
const beside = new Set(['pk', 'id', 'links', '_links', '_embedded'])

export const readPlain = (body: unknown): RecordInput => {
  if (!isObject(body)) throw unreadable('', 'must be an object')
  const fields = emptyFields()
  for (const name of Object.keys(body)) if (!beside.has(name)) fields[name] = body[name]
  return { pk: readPk(body), fields, pointer: field => `/${toToken(field)}`, refusesUnknown: false }
}

const readPk = (body: BodyObject): string | undefined => {
  const pk = readIdentifierText(body, 'pk', '/pk')
  const id = readIdentifierText(body, 'id', '/id')
  if (pk !== undefined && id !== undefined && pk !== id) throw unreadable('/id', 'gives `pk` and `id` that differ')
  return pk ?? id
}
