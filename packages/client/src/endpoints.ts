// Endpoints beyond the generic operations, by their operation id or by method and path.

import type { CallOptions } from './conditions.ts'
import { segment } from './path.ts'
import { newKey, type QueryParameters, type RequestOptions, type Transport } from './request.ts'
import type { EndpointTypes, ServiceSchema } from './schema.ts'

type TypesOf<S extends ServiceSchema, N extends keyof S['endpoints']> = S['endpoints'][N] extends EndpointTypes
  ? S['endpoints'][N]
  : never

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T]

/** A part of the input may be left out when nothing in it is required. */
type InputPart<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : [RequiredKeys<T>] extends [never]
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T }

export type EndpointInput<E extends EndpointTypes> = InputPart<'params', E['params']> &
  InputPart<'query', E['query']> &
  InputPart<'body', E['body']> &
  EndpointOptions

interface EndpointOptions extends CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The same for each attempt of one call; a new one for each `POST` unless given. */
  readonly idempotencyKey?: string
}

/** The arguments of a call: the input may be left out when nothing in it is required. */
export type EndpointArguments<E extends EndpointTypes> =
  object extends EndpointInput<E> ? [input?: EndpointInput<E>] : [input: EndpointInput<E>]

export type EndpointCalls<S extends ServiceSchema> = {
  readonly [N in keyof S['endpoints']]: (...input: EndpointArguments<TypesOf<S, N>>) => Promise<TypesOf<S, N>['answer']>
}

/** The method and the path of an endpoint. */
export type EndpointRoute<S extends ServiceSchema> = {
  [N in keyof S['endpoints']]: TypesOf<S, N>['route']
}[keyof S['endpoints']]

/** The endpoint at a route. Routes are unique. */
export type EndpointAt<S extends ServiceSchema, Route> = {
  [N in keyof S['endpoints']]: TypesOf<S, N>['route'] extends Route ? TypesOf<S, N> : never
}[keyof S['endpoints']]

/** Calls an endpoint by method and path: `call('POST /api/rest/loans/{pk}/return', { params: { pk } })`. */
export type CallEndpoint<S extends ServiceSchema> = <Route extends EndpointRoute<S>>(
  route: Route,
  ...input: EndpointArguments<EndpointAt<S, Route>>
) => Promise<EndpointAt<S, Route>['answer']>

interface EndpointRequest extends EndpointOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: QueryParameters
  readonly body?: unknown
}

export const callEndpoint = async (
  request: Transport,
  route: string,
  { params = {}, ...input }: EndpointRequest = {},
): Promise<unknown> => {
  const [method = 'GET', template = ''] = route.split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => segment(params[name] ?? ''))
  const isKeyed = method === 'POST' && path.startsWith('/api/rest/')
  const options = { method, ...(isKeyed && { idempotencyKey: newKey() }), ...input } as RequestOptions
  return (await request(path, options)).body
}
