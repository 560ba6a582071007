// The fields of a resource as parameters of a search.

import type { Json, JsonSchema } from '../../model/json.ts'
import type { Resource } from '../../model/resource.ts'
import { titleOf } from '../names.ts'
import { isSearchable } from '../ui-schema.ts'
import { type JsonObject, ref } from './document.ts'
import { type Named, searchParameters, shapeParameters, text, wholeParameters } from './parameters.ts'

const oneOrSeveral = (value: JsonSchema): JsonSchema => ({ anyOf: [value, { type: 'array', items: value }] })

export const searchSchemas: JsonObject = {
  TextSearch: {
    description: 'Equality; several values are alternatives. `*` and `%` are wildcards in text.',
    ...oneOrSeveral(text),
  },
  NumberSearch: oneOrSeveral({ type: 'number' }),
  BooleanSearch: oneOrSeveral({ type: 'boolean' }),
  TimeSearch: {
    description: 'ISO 8601 text with any offset, or milliseconds since 1970.',
    ...oneOrSeveral({ type: ['string', 'integer'] }),
  },
}

const searchSchemaOf = { integer: 'NumberSearch', boolean: 'BooleanSearch', timestamp: 'TimeSearch' } as const

const taken = new Set(
  Object.values<Named>({ ...searchParameters, ...wholeParameters, ...shapeParameters }).map(([name]) => name),
)

/** One parameter for each field that a search may name. */
export const fieldParameters = ({ fields }: Resource, language: string): Json[] =>
  [...fields.values()]
    .filter(field => isSearchable(field) && !taken.has(field.name))
    .map(field => {
      const { definition } = field
      const column =
        definition.role === 'count' ? 'integer' : definition.role === 'value' ? definition.type.column : 'text'
      const schema = column in searchSchemaOf ? searchSchemaOf[column as keyof typeof searchSchemaOf] : 'TextSearch'
      return { name: field.name, in: 'query', description: titleOf(field, language), schema: ref('schemas', schema) }
    })
