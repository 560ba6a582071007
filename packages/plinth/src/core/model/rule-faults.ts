// The compiler's check of the paths in rules, such as `record.shop.staff.pk` and `caller.user.shop`: their names lead somewhere. Whatever else
// is wrong with a rule stops the start.

import type { FieldsByName, Hint, InnerRelationFaults, IsOneName, NamedFields, NamesIn } from './relation-faults.ts'

/** A resource or an extension, as far as its rules concern it. */
export interface Ruled extends NamedFields {
  readonly access?: object
  readonly rules?: object
}

/** The rule without the texts in it, which may hold anything. */
type WithoutTexts<
  Rule extends string,
  Before extends string = '',
> = Rule extends `${infer Head}'${string}'${infer Tail}`
  ? WithoutTexts<Tail, `${Before}${Head}?`>
  : Rule extends `${infer Head}"${string}"${infer Tail}`
    ? WithoutTexts<Tail, `${Before}${Head}?`>
    : `${Before}${Rule}`

type Until<T extends string, End extends string> = T extends `${infer Head}${End}${string}` ? Head : T

type UntilEach<T extends string, Ends extends readonly string[]> = Ends extends readonly [
  infer End extends string,
  ...infer Rest extends readonly string[],
]
  ? UntilEach<Until<T, End>, Rest>
  : T

/** What ends a path. */
type Ends = [' ', ')', '(', '&', '|', '=', '!', '<', '>', ',', ']', '\n', '?', '+', '-']

/** The paths that begin with this word, without it. */
type PathsAfter<Rule extends string, Word extends string> = Rule extends `${string}${Word}.${infer Rest}`
  ? UntilEach<Rest, Ends> | PathsAfter<Rest, Word>
  : never

/** Names that the service keeps in records. */
type ServiceName = 'pk' | 'id' | 'version' | 'createdDate' | 'lastModifiedDate' | 'createdBy' | 'lastModifiedBy'

type TargetOf<F> = F extends { readonly role: 'one' | 'links' | 'inverse'; readonly target: infer T extends string }
  ? T
  : never

/** What is wrong with a path from the resource `Name`; never if nothing is, or if the compiler does not know the resource. */
type PathFault<Place extends string, Name extends string, Path extends string, All> = Name extends keyof All
  ? string extends keyof All[Name]
    ? never
    : Path extends `${infer Head}.${infer Tail}`
      ? Head extends 'createdBy' | 'lastModifiedBy'
        ? PathFault<Place, 'users', Tail, All>
        : Head extends keyof All[Name]
          ? [TargetOf<All[Name][Head]>] extends [never]
            ? `${Place} goes on after '${Head}' of '${Name}', which is not a relation`
            : IsOneName<TargetOf<All[Name][Head]>> extends true
              ? PathFault<Place, TargetOf<All[Name][Head]>, Tail, All>
              : never
          : `${Place} names the field '${Head}', which '${Name}' does not have${Hint<Head, NamesIn<All[Name]>>}`
      : Path extends ServiceName | keyof All[Name]
        ? never
        : `${Place} names the field '${Path}', which '${Name}' does not have${Hint<Path, NamesIn<All[Name]>>}`
  : never

type RuleFault<Place extends string, Name extends string, Rule, All> = Rule extends string
  ? string extends Rule
    ? never
    :
        | PathFault<Place, Name, PathsAfter<WithoutTexts<Rule>, 'record'>, All>
        | PathFault<Place, 'users', PathsAfter<WithoutTexts<Rule>, 'caller.user'>, All>
  : never

/** The names of the rules that the compiler knows. */
type RuleName<Rules> = keyof { [K in keyof Rules as string extends K ? never : K]: K } & string

type FaultsOf<Kind extends string, Name extends string, Rules, All> = {
  [K in RuleName<Rules>]: RuleFault<`the ${Kind} '${K}' of '${Name}'`, Name, Rules[K & keyof Rules], All>
}[RuleName<Rules>]

/** Sentences about relations and rules between the resources of one list, which may also refer to resources elsewhere. */
export type InnerFaults<D extends Ruled, All extends NamedFields = D> = InnerRelationFaults<D, All> | RuleFaults<D, All>

/** Sentences about paths in the rules of the resources `D` that lead nowhere; never, if there are none. */
export type RuleFaults<D extends Ruled, All extends NamedFields> = string extends All['name']
  ? never
  : D extends unknown
    ?
        | FaultsOf<'rule', D['name'], NonNullable<D['access']>, FieldsByName<All>>
        | FaultsOf<'named rule', D['name'], NonNullable<D['rules']>, FieldsByName<All>>
    : never
