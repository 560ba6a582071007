// How an import is asked for, on the command line and over HTTP alike.

import { Problem } from '../../core/problem.ts'
import type { ImportMode } from './import-row.ts'

/** Parts of a text, separated by commas. */
export const listOf = (text = ''): readonly string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** Each `Author=author.name`; a column that is mapped to nothing is left out. */
export const readMapping = (pairs: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    pairs.map(pair => {
      const equals = pair.lastIndexOf('=')
      if (equals < 1) throw new Problem('bad_request', `The mapping takes column=field, but got '${pair}'.`)
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    }),
  )

export const importModes = ['create', 'update', 'upsert'] as const satisfies readonly ImportMode[]

/** By default `upsert` with a key, and `create` without. */
export const readMode = (given: string | null | undefined, key: readonly string[]): ImportMode => {
  const mode = importModes.find(one => one === (given ?? (key.length > 0 ? 'upsert' : 'create')))
  if (!mode) throw new Problem('bad_request', `The mode is one of: ${importModes.join(', ')}.`)
  if (mode !== 'create' && key.length === 0)
    throw new Problem('bad_request', `The mode ${mode} needs a key: the fields that identify the record of a row.`)
  return mode
}
