import type { Format } from './format.ts'
import { hal } from './hal.ts'
import { json } from './json.ts'
import { jsonApi } from './json-api.ts'
import { xml } from './xml.ts'

export const formatsByName = { json, hal, 'json-api': jsonApi, xml } satisfies Record<Format['name'], Format>

/** In the order of preference where a caller has none. */
export const formats: readonly Format[] = [json, hal, jsonApi, xml]

/** Those that have a place for what is no record. */
export const valueFormats: readonly Format[] = formats.filter(({ value }) => value !== undefined)
