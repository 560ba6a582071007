// A cursor names the record before or after a page: by the sort that it belongs to and that record's values. It comes back
// from the caller, so nothing in it is trusted.

import { fault } from '../fault.ts'
import { parseJson } from '../model/json-text.ts'
import { distanceName } from '../model/near.ts'
import type { SortKey } from '../model/query.ts'
import type { ResourceField } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import { toName } from './query-path.ts'
import { typeOf } from './query-value.ts'

type Sort = readonly SortKey[]

/** Names an order of a resource: `films:-title,pk`. The last key is always the resource's own pk. */
const toSpec = (sort: Sort): string => {
  const keys = sort.map(({ path, descending }) => `${descending ? '-' : ''}${toName(path)}`)
  return `${sort.at(-1)?.path.field.owner.name}:${keys.join()}`
}

export const toCursor = (sort: Sort, values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([toSpec(sort), ...values])).toString('base64url')

/** The values of the sort keys in stored form; ValueFault when the text is not a cursor of this sort. */
export const readCursor = (text: string, sort: Sort): readonly unknown[] => {
  const content = parse(text)
  if (!Array.isArray(content) || typeof content[0] !== 'string') throw notOurs()
  const [spec, ...values] = content
  if (spec !== toSpec(sort)) {
    throw new ValueFault(fault('other_cursor'))
  }
  if (values.length !== sort.length || !sort.every((key, at) => isValueOf(key.path.field, values[at]))) throw notOurs()
  if (values.at(-1) === null) throw notOurs()
  return values
}

const notOurs = (): ValueFault => new ValueFault(fault('cursor'))

const utf8 = new TextDecoder('utf-8', { fatal: true })

const parse = (text: string): unknown => {
  if (!/^[\w-]+$/.test(text)) throw notOurs()
  try {
    return parseJson(utf8.decode(Buffer.from(text, 'base64url')))
  } catch {
    throw notOurs()
  }
}

const isValueOf = (field: ResourceField, value: unknown): boolean => {
  if (value === null) return true
  const type = typeOf(field)
  // Distances are the only numbers that are not kept as whole ones.
  if (field.name === distanceName) return Number.isFinite(value)
  if (type.column === 'integer') return Number.isSafeInteger(value)
  if (type.column === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string' && isStoredText(value, field)
}

/** Times, days and choices have one stored spelling; any text is its own. */
const isStoredText = (value: string, field: ResourceField): boolean => {
  try {
    return typeOf(field).readText(value) === value
  } catch (error) {
    if (error instanceof ValueFault) return false
    throw error
  }
}
