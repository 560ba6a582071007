// One text for each JSON value (RFC 8785): members in the order of their names' code units, no blanks, numbers and texts
// as ECMAScript writes them. What is signed is this text, so it does not matter how the value was stored or sent.

import type { Json } from '../../core/model/json.ts'

export const toCanonicalJson = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${toCanonicalJson(value[name] ?? null)}`)
  return `{${members.join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
