// The formats. This list is the only place that names them: a new format is a file beside these, and one line here.

import type { Format } from './format.ts'
import { hal } from './hal.ts'
import { json } from './json.ts'
import { jsonApi } from './json-api.ts'
import { xml } from './xml.ts'

/** The formats in the order of preference where a caller has none. */
export const formatsByName = {
  json,
  hal,
  'json-api': jsonApi,
  xml,
} as const satisfies Readonly<Record<string, Format>>

export const formats: readonly Format[] = Object.values(formatsByName)

/** The formats that have a place for what is no record. */
export const valueFormats: readonly Format[] = formats.filter(({ value }) => value !== undefined)
