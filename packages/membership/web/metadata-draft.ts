// What a deployment says of its members has no fixed shape: a list of named texts is edited in fields, all else as JSON.

export interface MetadataField {
  readonly id: number
  readonly name: string
  readonly value: string
}

export type MetadataDraft =
  | { readonly mode: 'fields'; readonly fields: readonly MetadataField[] }
  | { readonly mode: 'json'; readonly text: string }

export type Read =
  | { readonly value: unknown }
  | { readonly fault: 'jsonBroken' | 'nameTwice' | 'nameMissing'; readonly reason: string }

const isNamedTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(one => typeof one === 'string')

const toFields = (value: Readonly<Record<string, string>>): readonly MetadataField[] =>
  Object.entries(value).map(([name, text], id) => ({ id, name, value: text }))

export const toDraft = (value: unknown): MetadataDraft => {
  if (value === null || value === undefined) return { mode: 'fields', fields: [] }
  if (isNamedTexts(value)) return { mode: 'fields', fields: toFields(value) }
  return { mode: 'json', text: JSON.stringify(value, null, 2) }
}

export const readDraft = (draft: MetadataDraft): Read => {
  if (draft.mode === 'json') return readJson(draft.text)
  const fields = draft.fields.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
  const names = fields.map(({ name }) => name.trim())
  if (names.includes('')) return { fault: 'nameMissing', reason: '' }
  if (new Set(names).size < names.length) return { fault: 'nameTwice', reason: '' }
  return { value: fields.length === 0 ? null : Object.fromEntries(fields.map(({ value }, at) => [names[at], value])) }
}

const readJson = (text: string): Read => {
  if (text.trim() === '') return { value: null }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: 'jsonBroken', reason: error instanceof Error ? error.message : '' }
  }
}

/** The same in the other form; null when it does not fit into fields. */
export const switchedTo = (draft: MetadataDraft, mode: MetadataDraft['mode']): MetadataDraft | null => {
  if (draft.mode === mode) return draft
  const read = readDraft(draft)
  if ('fault' in read) return null
  if (mode === 'json') return { mode, text: read.value === null ? '' : JSON.stringify(read.value, null, 2) }
  const fitting = toDraft(read.value)
  return fitting.mode === 'fields' ? fitting : null
}
