// createClient: one object for everything that a service offers.

import { AtomicBatch, type AtomicOperations, type AtomicResult, sendAtomic } from './atomic.ts'
import { createConnection, type ServiceConnection, type ServiceConnectionOptions } from './connection.ts'
import { type CallEndpoint, callEndpoint, type EndpointCalls } from './endpoints.ts'
import { createFiles, type RecordFiles } from './files.ts'
import type { Transport } from './request.ts'
import { type Reference, ResourceCalls, type ResourceClient } from './resource.ts'
import type { ResourceName, ServiceSchema, UntypedSchema } from './schema.ts'

export interface ClientOptions extends ServiceConnectionOptions {
  /** The routes of endpoints by operation id, as `plinth types --out plinth.ts` writes them. */
  readonly endpoints?: Readonly<Record<string, string>>
}

export interface ClientCore<S extends ServiceSchema> extends ServiceConnection {
  /** Endpoints by operation id. Needs the option `endpoints`. */
  readonly endpoints: EndpointCalls<S>
  /** Endpoints by method and path. */
  readonly call: CallEndpoint<S>
  /** A resource by name: for names that are known at run time, or that `PlinthClient` uses for itself. */
  resource<R extends ResourceName<S>>(name: R): ResourceClient<S, R>
  /** The files of a record. */
  files(resource: ResourceName<S>, pk: string): RecordFiles
  /** Carries out all operations that `collect` asks for, or none. */
  atomic(collect: (operations: AtomicOperations<S>) => void): Promise<readonly (AtomicResult | null)[]>
}

/** Every resource by its name, and what concerns the whole service. */
export type PlinthClient<S extends ServiceSchema = UntypedSchema> = ClientCore<S> & {
  readonly [R in Exclude<ResourceName<S>, keyof ClientCore<S>>]: ResourceClient<S, R>
}

/**
 * A client of the service. Without a schema, every name is a resource whose records have any fields.
 *
 * @example const client = createClient<SchemaOf<typeof app>>({ url: 'https://library.example', session: 'tokens' })
 */
export const createClient = <S extends ServiceSchema = UntypedSchema>(options: ClientOptions = {}): PlinthClient<S> =>
  createClientOn<S>(createConnection(options), options.endpoints)

/**
 * A client on a connection that others use, too: they share the session.
 *
 * @example const sameSession = createClientOn<LibrarySchema>(createConnection({ apiKey: key }))
 */
export const createClientOn = <S extends ServiceSchema = UntypedSchema>(
  { session, live, request }: ServiceConnection,
  endpoints: ClientOptions['endpoints'] = {},
): PlinthClient<S> => {
  const resources = new Map<string, ResourceCalls>()
  const resource = (name: string): ResourceCalls => {
    const calls = resources.get(name) ?? new ResourceCalls(request, live, name)
    resources.set(name, calls)
    return calls
  }
  const core = {
    session,
    live,
    request,
    resource,
    call: (route: string, input?: object) => callEndpoint(request, route, input),
    endpoints: new Proxy({}, { get: (_, name) => endpointNamed(request, endpoints, String(name)) }),
    files: (name: string, pk: string) => createFiles(request, name, pk),
    atomic: (collect: (batch: AtomicBatch) => void) => {
      const batch = new AtomicBatch()
      collect(batch)
      return sendAtomic(request, batch)
    },
  }
  // The types say what is behind each name; at run time every name that is not one of these is a resource.
  return new Proxy(core, {
    get: (known, name) => {
      if (Object.hasOwn(known, name)) return Reflect.get(known, name)
      // Promises and serializers ask every object for these.
      return typeof name === 'symbol' || name === 'then' || name === 'toJSON' ? undefined : resource(name)
    },
  }) as unknown as PlinthClient<S>
}

const endpointNamed = (request: Transport, routes: Readonly<Record<string, string>>, name: string) => {
  const route = routes[name]
  if (route === undefined)
    throw new Error(
      `The endpoint '${name}' is unknown; give createClient the endpoints of 'plinth types --out plinth.ts'.`,
    )
  return (input?: object) => callEndpoint(request, route, input)
}

/**
 * Names a record where a request must say its resource, too.
 *
 * @example
 * await client.atomic(operations => {
 *   operations.update('books', '7', { shelf: ref('shelves', 's1') })
 * })
 */
export const ref = <const Name extends string>(resource: Name, pk: string): Reference<Name> => ({
  type: resource,
  id: pk,
})
