// defineResource: what a team writes to get a resource.

import { markPlace } from '../source-place.ts'
import type { AccessRules, KnownRules } from './access-rules.ts'
import type { ModelOptions, ResourceModel, Stamps } from './definition.ts'
import type { Field } from './field.ts'
import type { DeclaredHooks } from './hook-set.ts'
import { generated, type Identifier } from './identifier.ts'
import type { WithComputed } from './row.ts'
import type { HooksOf } from './typed-hooks.ts'

/** What `defineResource` takes. */
export interface ResourceOptions<
  Fields extends Record<string, Field>,
  S extends Stamps = Stamps,
  Label extends keyof Fields & string = keyof Fields & string,
> extends ModelOptions<Fields, S> {
  readonly label?: Label
  /**
   * Code that runs in the transaction of a write. A hook that names its own resource has a block as its body: what it returns is part of
   * the type of the definition.
   */
  readonly hooks?: HooksOf<ResourceModel<NoInfer<Fields>, NoInfer<S>>>
  /** Fields that accompany the change events of a record, beyond those that its read rule looks at. */
  readonly eventFields?: readonly (keyof Fields & string)[]
}

/** A resource as `defineResource` declares it. */
export interface ResourceDefinition<
  Fields extends Record<string, Field> = Record<string, Field>,
  S extends Stamps = Stamps,
  Name extends string = string,
  Label extends string = string,
> extends ResourceModel<Fields, S, Name, Label> {
  readonly hooks?: DeclaredHooks
  /** The hooks of extensions, in the order of modules. */
  readonly addedHooks?: readonly AddedHooks[]
}

/** Hooks that a module adds to a resource. */
export interface AddedHooks {
  readonly module: string
  readonly hooks: DeclaredHooks
  /** The extension. */
  readonly definition: object
}

/** Options of a resource that its types depend on. */
export interface ResourceTraits<
  Internal,
  ShowsId,
  History = boolean,
  Trash = boolean,
  Files = ResourceModel['files'],
  Access = AccessRules,
  Rules = ResourceModel['rules'],
  Id extends Identifier = Identifier,
> {
  readonly internal?: Internal
  readonly showsId?: ShowsId
  readonly history?: History
  readonly trash?: Trash
  readonly files?: Files
  readonly access: Access
  readonly rules?: Rules
  readonly identifier?: Id
}

/**
 * Declares a resource: its table, routes, formats, schemas and rights all follow from this.
 *
 * @example
 * export const shelves = defineResource('shelves', {
 *   about: 'Where books stand.',
 *   label: 'name',
 *   fields: { name: text({ required: true }), books: many('books', { by: 'shelf' }) },
 *   access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
 * })
 */
export const defineResource = <
  const Name extends string,
  const Fields extends Record<string, Field>,
  const S extends Stamps = 'dates',
  const Label extends keyof Fields & string = never,
  const Internal extends boolean = false,
  const ShowsId extends boolean = false,
  const History extends boolean = false,
  const Trash extends boolean = false,
  const Files extends ResourceModel['files'] = undefined,
  const Access extends AccessRules = AccessRules,
  const Rules extends ResourceModel['rules'] = undefined,
  const Id extends Identifier = Identifier,
>(
  name: Name,
  options: ResourceOptions<Fields, S, Label> & { readonly fields: WithComputed<Fields> } & ResourceTraits<
      Internal,
      ShowsId,
      History,
      Trash,
      Files,
      Access & KnownRules<Access>,
      Rules,
      Id
    >,
): ResourceDefinition<Fields, S, Name, Label> &
  ResourceTraits<Internal, ShowsId, History, Trash, Files, Access, Rules, Id> =>
  markPlace(
    {
      ...options,
      name,
      singular: options.singular ?? singularOf(name),
      identifier: options.identifier ?? (generated() as Id),
      stamps: options.stamps ?? ('dates' as S),
    },
    defineResource,
  )

/** A definition as one service has it. Code asks for its records by `origin`, whatever the settings and extensions. */
export const derivedFrom = <D extends ResourceDefinition>(origin: D, definition: D): D => ({ ...definition, origin })

const singularOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
