// The types of a service: what `createClient` is typed by. `plinth types` generates them, and `SchemaOf` of the package `plinth`
// derives them from an application.

/** The resources and endpoints of a service. */
export interface ServiceSchema {
  /** `ResourceTypes` by the name of the resource. */
  readonly resources: object
  /** `EndpointTypes` by operation id. */
  readonly endpoints: object
}

export interface ResourceTypes {
  /** The fields of a record that hold values. Fields that some callers may not read are optional. */
  readonly values: object
  /** The field that names a record. Related records in short have it; `never` if there is none. */
  readonly label: string
  /** Relations to one record: the related resource by field, with `null` where there may be none. */
  readonly one: object
  /** Relations to many records that each record lists in short. */
  readonly lists: object
  /** Relations to many records that have an address of their own. */
  readonly many: object
  /** What a new record takes. */
  readonly create: object
  /** Of state machines: the states that can follow each state, by field. */
  readonly steps?: object
}

export interface EndpointTypes {
  /** Method and path, such as `POST /api/rest/loans/{pk}/return`. */
  readonly route: string
  readonly params: object
  readonly query: object
  readonly body: unknown
  readonly answer: unknown
}

/** A service of which nothing is known: every resource exists, and records have any fields. */
export interface UntypedSchema {
  readonly resources: { readonly [name: string]: UntypedResource }
  readonly endpoints: Readonly<Record<string, EndpointTypes>>
}

interface UntypedResource {
  readonly values: { readonly pk: string; readonly version?: number; readonly [field: string]: unknown }
  readonly label: never
  readonly one: object
  readonly lists: object
  readonly many: Readonly<Record<string, string>>
  readonly create: Readonly<Record<string, unknown>>
}

export type ResourceName<S extends ServiceSchema> = keyof S['resources'] & string

/** A resource that the schema leaves out: of its records, the pk alone is known. */
interface UnlistedResource {
  readonly values: { readonly pk: string }
  readonly label: never
  readonly one: object
  readonly lists: object
  readonly many: object
  readonly create: object
}

type TypesOf<S extends ServiceSchema, R> = R extends keyof S['resources'] ? S['resources'][R] : UnlistedResource
type Part<S extends ServiceSchema, R, Key extends keyof ResourceTypes> =
  TypesOf<S, R> extends { readonly [K in Key]: infer T } ? T : never

export type ValuesOf<S extends ServiceSchema, R> = Part<S, R, 'values'>
type OneOf<S extends ServiceSchema, R> = Part<S, R, 'one'>
type ListsOf<S extends ServiceSchema, R> = Part<S, R, 'lists'>
type ManyOf<S extends ServiceSchema, R> = Part<S, R, 'many'>

/** The name of the resource that a relation leads to. */
export type TargetOf<S extends ServiceSchema, R, K> = K extends keyof OneOf<S, R>
  ? NonNullable<OneOf<S, R>[K]>
  : K extends keyof ListsOf<S, R>
    ? ListsOf<S, R>[K]
    : K extends keyof ManyOf<S, R>
      ? ManyOf<S, R>[K]
      : never

export type ToOneName<S extends ServiceSchema, R> = keyof OneOf<S, R> & string
export type ToManyName<S extends ServiceSchema, R> = (keyof ListsOf<S, R> | keyof ManyOf<S, R>) & string
export type RelationName<S extends ServiceSchema, R> = ToOneName<S, R> | ToManyName<S, R>

export interface RecordLink {
  readonly rel: string
  readonly href: string
}

type Simplify<T> = { readonly [K in keyof T]: T[K] }

/** A related record in short: its pk, and its label unless the caller may not see it. */
export type CompactRecord<S extends ServiceSchema, R> = Simplify<
  { readonly pk: string } & { readonly [K in Part<S, R, 'label'> & string]?: string }
>

type Head<Path> = Path extends `${infer First}.${string}` ? First : Path
type Tail<Path, First> = Path extends `${First & string}.${infer Rest}` ? Rest : never

type RelatedRecord<S extends ServiceSchema, R, Included, K> =
  K extends Head<Included> ? FullRecord<S, R, Tail<Included, K>> : CompactRecord<S, R>

type OrNull<T> = null extends T ? null : never

/** The fields of a record, with the modifiers of its values; their types follow below, since they may contain records. */
type RecordFields<S extends ServiceSchema, R, Included> = ValuesOf<S, R> & {
  readonly [K in keyof OneOf<S, R> | keyof ListsOf<S, R> | (keyof ManyOf<S, R> & Head<Included>) | 'links']: unknown
}

/** A record with the related records of the included paths. */
export type FullRecord<S extends ServiceSchema, R, Included = never> = {
  readonly [K in keyof RecordFields<S, R, Included>]: K extends keyof ValuesOf<S, R>
    ? ValuesOf<S, R>[K]
    : RelationValue<S, R, Included, K>
}

type RelationValue<S extends ServiceSchema, R, Included, K> = K extends keyof OneOf<S, R>
  ? RelatedRecord<S, TargetOf<S, R, K>, Included, K> | OrNull<OneOf<S, R>[K]>
  : K extends keyof ListsOf<S, R>
    ? readonly RelatedRecord<S, TargetOf<S, R, K>, Included, K>[]
    : K extends keyof ManyOf<S, R>
      ? readonly FullRecord<S, TargetOf<S, R, K>, Tail<Included, K>>[]
      : readonly RecordLink[]

/** Records of a resource of which nothing is known have every field. */
export type IsUntyped<S extends ServiceSchema, R> = string extends keyof ValuesOf<S, R> ? true : false

/** A record as a query returns it: only the chosen fields, and the related records of the included paths. */
export type RecordOf<S extends ServiceSchema, R, Chosen = never, Included = never> = [Chosen] extends [never]
  ? FullRecord<S, R, Included>
  : IsUntyped<S, R> extends true
    ? FullRecord<S, R, Included>
    : Simplify<Pick<FullRecord<S, R, Included>, Extract<keyof FullRecord<S, R, Included>, Chosen | 'pk' | 'links'>>>

export type FieldName<S extends ServiceSchema, R> =
  | (keyof ValuesOf<S, R> & string)
  | (keyof OneOf<S, R> & string)
  | (keyof ListsOf<S, R> & string)
  | (keyof ManyOf<S, R> & string)

/** Paths of at most three relations; the service follows five. */
export type IncludePath<S extends ServiceSchema, R, Depth extends 0[] = [0, 0]> =
  | RelationName<S, R>
  | (Depth extends [0, ...infer Rest extends 0[]]
      ? { [K in RelationName<S, R>]: `${K}.${IncludePath<S, TargetOf<S, R, K>, Rest>}` }[RelationName<S, R>]
      : never)

export type NewValues<S extends ServiceSchema, R> = Part<S, R, 'create'>

type StepsOf<S extends ServiceSchema, R> =
  TypesOf<S, R> extends { readonly steps: infer Steps extends object } ? Steps : object

/** What changes in a record. Null clears a field; fields that are left out stay as they are. */
export type RecordChanges<S extends ServiceSchema, R> = Simplify<{
  readonly [K in keyof NewValues<S, R>]?: K extends keyof StepsOf<S, R>
    ? StepsOf<S, R>[K][keyof StepsOf<S, R>[K]]
    : NewValues<S, R>[K]
}>

/**
 * The states that can follow a state.
 *
 * @example const next: NextState<Schema, 'tickets', 'state', 'new'> = 'diagnosed'
 */
export type NextState<
  S extends ServiceSchema,
  R extends ResourceName<S>,
  K extends keyof StepsOf<S, R>,
  From extends keyof StepsOf<S, R>[K],
> = StepsOf<S, R>[K][From]
