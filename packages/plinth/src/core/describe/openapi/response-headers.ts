// The headers of responses.

import type { JsonSchema } from '../../model/json.ts'
import { type JsonObject, ref } from './document.ts'
import { text } from './parameters.ts'

const header = (description: string, schema: JsonSchema = text): JsonObject => ({ description, schema })

export const headers: JsonObject = {
  ETag: header('The version of this representation, for `If-Match` and `If-None-Match`.'),
  Location: header('The URL of the new record.', { type: 'string', format: 'uri-reference' }),
  'X-Total-Count': header('The total number of records, if it was counted.', { type: 'integer', minimum: 0 }),
  'Preference-Applied': header('`return=minimal` or `return=representation` if the request preferred it.'),
  Link: header('The other pages: `next`, `prev`, `first` and `last` (RFC 8288).'),
  'Accept-Patch': header('The media types of patches (RFC 5789).'),
  Vary: header('The request headers that the response depends on.'),
  'WWW-Authenticate': header('The supported authentication schemes.'),
  'Retry-After': header('Seconds to wait before retrying.', { type: 'integer', minimum: 0 }),
  Allow: header('The methods of this path.'),
  Deprecation: header('The endpoint is deprecated (RFC 9745).'),
  'Access-Control-Allow-Origin': header('The allowed origin.'),
  'Access-Control-Allow-Methods': header('The allowed methods.'),
  'Access-Control-Allow-Headers': header('The allowed request headers.'),
  'Access-Control-Allow-Credentials': header('Whether credentials are allowed.', { type: 'string', enum: ['true'] }),
}

export const headerRefs = (...names: readonly (keyof typeof headers & string)[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, ref('headers', name)]))
