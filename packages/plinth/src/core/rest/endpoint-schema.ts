// The types by which the client library calls an endpoint, derived from its declaration.

import type { SentOf, ShownOf, ShownRecord, Simplify, WithOptional } from '../model/schema-of.ts'
import type { Shape, ShapeFields, ValueField } from '../model/value-field.ts'
import type { DeclaredEndpoint, OneOrManyBody, ParamNames, SuccessForm, WithoutBody } from './endpoint.ts'

/** What a caller sends for fields: those that are not required may be left out. */
type SentShape<F> = Simplify<WithOptional<{ [K in keyof F]: SentOf<F[K]> }>>

/** Parameters of the query. One without a value is left out. */
type SentQuery<Q> = Simplify<WithOptional<{ [K in keyof Q]: Exclude<SentOf<Q[K]>, null> }>>

/** What an answer shows: `optional` fields may be left out, the others may be null. */
type ShownShape<F> = Simplify<WithOptional<{ [K in keyof F]: ShownOf<F[K]> }>>

type BodyOf<B> = B extends WithoutBody
  ? undefined
  : B extends OneOrManyBody<infer F>
    ? SentShape<F> | readonly SentShape<F>[]
    : B extends Shape<infer F>
      ? SentShape<F>
      : B extends ShapeFields
        ? SentShape<B>
        : unknown

interface ShownPage<T> {
  readonly content: readonly T[]
  readonly page?: { readonly totalElements: number | null; readonly estimated?: boolean }
  readonly links: readonly { readonly rel: string; readonly href: string }[]
}

/** Answers without a body are null. */
type ShownAnswer<Form> = Form extends { readonly form: 'empty' }
  ? null
  : Form extends { readonly form: 'list'; readonly of: infer F }
    ? readonly ShownShape<F>[]
    : Form extends { readonly form: 'value'; readonly of: infer F }
      ? ShownShape<F>
      : Form extends { readonly form: 'item'; readonly of: infer D }
        ? ShownRecord<D>
        : Form extends { readonly form: 'page'; readonly of: infer D }
          ? ShownPage<ShownRecord<D>>
          : Form extends { readonly form: 'content'; readonly of: { readonly 'application/json': infer J } }
            ? J extends Shape<infer F>
              ? ShownShape<F>
              : J extends ValueField
                ? NonNullable<ShownOf<J>>
                : unknown
            : unknown

/** The types of one endpoint, as `@plinth/client` takes them. */
export type EndpointSchema<E> =
  E extends DeclaredEndpoint<infer M, infer Path, infer _Id, infer Q, infer B, infer A>
    ? {
        readonly route: `${M} ${Path}`
        readonly params: { readonly [Name in ParamNames<Path>]: string }
        readonly query: SentQuery<Q>
        readonly body: BodyOf<B>
        readonly answer: ShownAnswer<SuccessForm<A>>
      }
    : never

/** Paths of clients are below `/api`; others are for pages and for programs that expect these addresses. */
type IsForClients<Path extends string> = Path extends `${string}.json`
  ? false
  : Path extends `/api/${string}`
    ? true
    : false

/** The operation id of an endpoint, if the compiler knows it, and if the client library calls it. */
export type EndpointName<E> =
  E extends DeclaredEndpoint<string, infer Path, infer Id, infer _Q, infer _B, infer _A>
    ? string extends Id
      ? never
      : IsForClients<Path> extends true
        ? Id & string
        : never
    : never
