// `similar`: the record that others are to be like.

import { fault } from '../fault.ts'
import type { Resource } from '../model/resource.ts'
import { type Parameters, single } from './parameters.ts'
import { note } from './query-faults.ts'
import type { QueryScope } from './scope.ts'

const similarParameter = 'similar'

/** The name of the parameter, for resources that are searched by words; a field of this name has its own meaning. */
export const similarParameterOf = ({ definition, fields }: Resource): readonly string[] =>
  definition.search && !fields.has(similarParameter) ? [similarParameter] : []

/** Other rankings, and what names its records itself. */
const others = ['search', 'near', 'pks', 'pks[]']

/** Reads the parameter: a pk. Null where records are to be like no other one. */
export const readSimilar = (parameters: Parameters, resource: Resource, { faults }: QueryScope): string | null => {
  const [parameter] = similarParameterOf(resource)
  if (parameter === undefined || !parameters.has(parameter)) return null
  const sent = single(parameters, parameter, faults)?.trim()
  if (!sent) return null
  for (const other of others)
    if (parameters.get(other)?.some(text => text.trim() !== ''))
      note(faults, { parameter: other, ...fault('contradiction', { first: parameter, second: other }) })
  return sent
}
