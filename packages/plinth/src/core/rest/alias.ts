// The same endpoint under several paths.

import type { DeclaredEndpoint, Endpoint } from './endpoint.ts'

interface Alias<Path, Id> {
  readonly path: Path
  readonly id: Id
  readonly summary?: string
}

type AliasOf<E, Path extends string, Id> =
  E extends DeclaredEndpoint<infer M, string, unknown, infer Q, infer B, infer A>
    ? Endpoint & DeclaredEndpoint<M, Path, Id, Q, B, A>
    : Endpoint

/**
 * The same endpoint at another path.
 *
 * @example export const giveBack = aliasOf(returnLoan, { path: '/api/loans/{pk}/give-back', id: 'giveBack' })
 */
export const aliasOf = <E extends Endpoint, const Path extends string, const Id extends string>(
  endpoint: E,
  alias: Alias<Path, Id>,
): AliasOf<E, Path, Id> => ({ ...endpoint, ...alias }) as unknown as AliasOf<E, Path, Id>

type PathOf<E> = E extends DeclaredEndpoint<string, infer Path, unknown, unknown, unknown, unknown> ? Path : string

type IdOf<E> =
  E extends DeclaredEndpoint<string, string, infer Id extends string, unknown, unknown, unknown> ? Id : string

type BelowOther<E, From extends string, To extends string> = E extends unknown
  ? AliasOf<E, PathOf<E> extends `${From}${infer Rest}` ? `${To}${Rest}` : string, `${IdOf<E>}Alias`>
  : never

/** Each endpoint, and the same below another prefix, with `Alias` after its id. */
export const underBothPrefixes = <E extends Endpoint, const From extends string, const To extends string>(
  endpoints: readonly E[],
  from: From,
  to: To,
): readonly (E | BelowOther<E, From, To>)[] =>
  endpoints.flatMap(endpoint => [
    endpoint,
    aliasOf(endpoint, { path: endpoint.path.replace(from, to), id: `${endpoint.id}Alias` }) as BelowOther<E, From, To>,
  ])
