// The values of a form, which are texts, as the JSON that the fields of a resource take.

import type { Json, JsonSchema } from '../model/json.ts'
import { parseJson } from '../model/json-text.ts'
import type { Resource, ResourceField } from '../model/resource.ts'

/** One value of a form: its name, and its text. */
export type FormValue = readonly [name: string, text: string]

/** Values at fault are left as they are: reading the record names the fault. */
export const toFields = (resource: Resource, values: readonly FormValue[]): Readonly<Record<string, unknown>> => {
  const texts = new Map<string, string[]>()
  for (const [name, text] of values) {
    const known = texts.get(name)
    if (known) known.push(text)
    else texts.set(name, [text])
  }
  return Object.fromEntries([...texts].map(([name, all]) => [name, toValue(resource.fields.get(name), name, all)]))
}

const toValue = (field: ResourceField | undefined, name: string, texts: readonly string[]): unknown => {
  const schema = schemaOf(field, name)
  const [first = ''] = texts
  if (schema.type !== 'array') return texts.length > 1 ? texts : toJson(first, schema)
  if (texts.length === 1 && first.startsWith('[')) return toJson(first, {})
  const items = (schema.items ?? {}) as JsonSchema
  return texts.flatMap(text => (text === '' ? [] : [toJson(text, items)]))
}

const plainText: JsonSchema = { type: 'string' }

/** Relations are given by the keys of their records, and files that a record has already by theirs. */
const schemaOf = (field: ResourceField | undefined, name: string): JsonSchema => {
  if (name === 'version') return { type: 'integer' }
  const definition = field?.definition
  if (definition?.role === 'links') return { type: 'array', items: plainText }
  if (definition?.role !== 'value') return plainText
  const { file, schema } = definition.type
  if (file) return file.most === null ? plainText : { type: 'array', items: plainText }
  return schema
}

const toJson = (text: string, { type }: JsonSchema): Json => {
  if (text === '') return null
  if (type === 'string') return text
  try {
    return parseJson(text) as Json
  } catch {
    return text
  }
}
