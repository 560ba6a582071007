// The types of an application, for clients in the same repository. `plinth types` writes the same for others.

import type { ResourceDefinition } from '../core/model/define.ts'
import type { PublishedName, ResourceSchema } from '../core/model/schema-of.ts'
import type { Endpoint } from '../core/rest/endpoint.ts'
import type { EndpointName, EndpointSchema } from '../core/rest/endpoint-schema.ts'

interface TypedModule {
  readonly resources: readonly ResourceDefinition[]
  readonly endpoints?: unknown
}

type EndpointsOf<M extends TypedModule> = Extract<M['endpoints'], readonly Endpoint[]>[number]

/** The types of an application, for `createClient<SchemaOf<typeof app>>()`. Endpoints are those that modules list. */
export type SchemaOf<App extends { readonly modules: readonly TypedModule[] }> = {
  readonly resources: {
    readonly [D in App['modules'][number]['resources'][number] as PublishedName<D>]: ResourceSchema<D>
  }
  readonly endpoints: {
    readonly [E in EndpointsOf<App['modules'][number]> as EndpointName<E>]: EndpointSchema<E>
  }
}
