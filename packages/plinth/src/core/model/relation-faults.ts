// The compiler's check of relations. Definitions refer to one another by names, because two constants cannot both be inferred from one
// another; where resources are listed, all names are known, and a name that leads nowhere is a type error that reads as a sentence.

/** A definition, as far as the check needs it. */
export interface NamedFields {
  readonly name: string
  readonly fields: object
}

/** The fields of each resource, by its name. */
export type FieldsByName<D extends NamedFields> = { readonly [One in D as One['name']]: One['fields'] }

/** Names that begin with the same two or three letters are proposed to each other. */
type Beginnings<T extends string> = T extends `${infer A}${infer B}${infer C}${string}`
  ? [`${A}${B}${C}`, `${A}${B}`]
  : [T, T]

type IsUnion<T, Each = T> = T extends unknown ? ([Each] extends [T] ? false : true) : never

/** `; did you mean 'books'?`, or nothing. */
export type Hint<T extends string, Names extends string> = HintOf<
  Extract<Names, `${Beginnings<T>[0]}${string}`>,
  Extract<Names, `${Beginnings<T>[1]}${string}`>
>

type HintOf<Alike extends string, Similar extends string = never> = [Alike] extends [never]
  ? [Similar] extends [never]
    ? ''
    : HintOf<Similar>
  : IsUnion<Alike> extends true
    ? ''
    : `; did you mean '${Alike}'?`

/** A type of one name; `string`, and patterns such as `code${number}`, stand for many. */
export type IsOneName<T extends string> = Record<never, never> extends Record<T, 1> ? false : true

export type NamesIn<Fields> = keyof Fields & string

/** What is wrong with a field `by` of the resource `T`, which should refer to the resource `Name`. */
type ByFault<Place extends string, Name extends string, T extends string, By extends string, Fields> =
  By extends NamesIn<Fields>
    ? Fields[By] extends { readonly role: 'one' | 'links'; readonly target: infer Back extends string }
      ? Name extends Back
        ? never
        : `${Place} needs a field of '${T}' that refers to '${Name}', but '${By}' refers to '${Back}'`
      : `${Place} needs a field of '${T}' that refers to '${Name}', but '${By}' is not a reference`
    : `${Place} names the field '${By}', which '${T}' does not have${Hint<By, NamesIn<Fields>>}`

/** What is wrong with one field; never, if it is not a relation, or a good one. Names that the compiler does not know are left out. */
type FieldFault<Name extends string, K extends string, F, All> = F extends {
  readonly role: 'one' | 'links' | 'inverse'
  readonly target: infer T extends string
}
  ? IsOneName<T> extends false
    ? never
    : T extends NamesIn<All>
      ? F extends { readonly role: 'inverse'; readonly by: infer By extends string }
        ? IsOneName<By> extends false
          ? never
          : ByFault<`${Name}.${K}`, Name, T, By, All[T]>
        : never
      : `${Name}.${K} refers to '${T}', which is not a resource${Hint<T, NamesIn<All>>}`
  : never

type FaultsIn<Name extends string, Fields, All> = {
  [K in NamesIn<Fields>]: IsOneName<K> extends false ? never : FieldFault<Name, K, Fields[K], All>
}[NamesIn<Fields>]

/**
 * Sentences about relations of the resources `D` that lead nowhere, among all resources of an application; never, if there are none. If
 * the compiler does not know every name, it checks nothing.
 */
export type RelationFaults<D extends NamedFields, All extends NamedFields = D> = string extends All['name']
  ? never
  : { [One in D as One['name']]: FaultsIn<One['name'], One['fields'], FieldsByName<All>> }[D['name']]

/** Sentences about relations between the resources of one list, which may also refer to resources elsewhere. */
export type InnerRelationFaults<D extends NamedFields, All extends NamedFields = D> = Exclude<
  RelationFaults<D, All>,
  `${string}, which is not a resource${string}`
>
