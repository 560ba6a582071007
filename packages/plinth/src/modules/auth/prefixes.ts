import { aliasOf, type Endpoint } from '../../core/rest/endpoint.ts'

/** Each endpoint below `/api/auth`, and the same below `/apiauth`. */
export const underBothPrefixes = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.flatMap(endpoint => [
    endpoint,
    aliasOf(endpoint, { path: endpoint.path.replace('/api/auth', '/apiauth'), id: `${endpoint.id}Alias` }),
  ])
