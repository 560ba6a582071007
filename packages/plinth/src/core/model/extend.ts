// extendResource: what an application adds to a resource of another module, such as `users`.

import { markPlace } from '../source-place.ts'
import type { AccessRules, KnownRules } from './access-rules.ts'
import { ruleNames } from './access-rules.ts'
import type { ResourceDefinition } from './define.ts'
import type { ResourceModel, Stamps } from './definition.ts'
import { type DefinitionFault, didYouMean } from './definition-error.ts'
import type { Field } from './field.ts'
import type { OptionNames } from './field-options.ts'
import { type DeclaredHooks, hookFaults } from './hook-set.ts'
import type { Identifier } from './identifier.ts'
import type { RequiredIn } from './row.ts'
import type { HooksOf } from './typed-hooks.ts'

/** What is added to a resource, or replaced in it. */
export interface ResourceAdditions<
  Fields extends Record<string, Field> = Record<string, Field>,
  Access extends AccessRules = AccessRules,
> {
  /** Optional, or with a default: the resource's own module knows nothing of them. */
  readonly fields?: Fields
  /** Rules by operation, in place of those of the resource. `write` and `update` also replace the rules that they stand for. */
  readonly access?: Access
  /** Named rules, beside those of the resource or in place of them. */
  readonly rules?: ResourceModel['rules']
  /** Checks by name, beside those of the resource or in place of them. */
  readonly checks?: ResourceModel['checks']
  /** Hooks that run after those of the resource. */
  readonly hooks?: DeclaredHooks
}

/** A resource with what `extendResource` adds. Code reads and writes its records by it, with the added fields. */
export type ExtendedResource<
  Fields extends Record<string, Field> = Record<string, Field>,
  S extends Stamps = Stamps,
  Name extends string = string,
  Added extends Record<string, Field> = Record<string, Field>,
  Access extends AccessRules = AccessRules,
> = ResourceDefinition<Fields, S, Name> & {
  readonly additions: ResourceAdditions<Added, Access>
  readonly origin: ResourceDefinition
}

/** The fields that extensions add to the resource of this name, each intersected with those of the others. */
type AddedTo<Name extends string, X> = X extends {
  readonly name: Name
  readonly additions: { readonly fields?: infer Added }
}
  ? (fields: NonNullable<Added>) => void
  : never

/** The definition with the fields that extensions add to it, for the types of clients and the checks of names. */
export type WithExtensions<D extends ResourceDefinition, X extends ExtendedResource> = D extends unknown
  ? AddedTo<D['name'], X> extends (fields: infer Added) => void
    ? unknown extends Added
      ? D
      : D & { readonly fields: Added }
    : D
  : never

/** Refuses required fields with a sentence. */
type NoneRequired<Added> = {
  readonly [Name in RequiredIn<Added> &
    string]: `'${Name}' must be optional or have a default: there are records without it, and code that creates them`
}

/** What an extension adds, as a resource of its own, so that the names in it are checked where it is listed. */
export type AdditionsOf<X extends ExtendedResource> = X extends unknown
  ? {
      readonly name: X['name']
      readonly fields: NonNullable<X['additions']['fields']>
      readonly access: NonNullable<X['additions']['access']>
    }
  : never

/**
 * Adds fields, rules and hooks to a resource of another module. List it in `extensions` of your module.
 *
 * @example
 * export const customers = extendResource(users, {
 *   fields: { loyaltyCard: text({ max: 20 }) },
 *   hooks: { beforeUpdate: ({ values }) => checkCard(values.loyaltyCard) },
 * })
 */
export const extendResource = <
  Fields extends Record<string, Field>,
  S extends Stamps,
  Name extends string,
  const Added extends Record<string, Field> = Record<never, Field>,
  const Access extends AccessRules = AccessRules,
  Id extends Identifier = Identifier,
>(
  of: ResourceDefinition<Fields, S, Name> & { readonly identifier: Id },
  additions: ResourceAdditions<Added, Access> & {
    readonly access?: KnownRules<Access>
    readonly fields?: NoneRequired<Added>
    readonly hooks?: HooksOf<ResourceModel<Fields & NoInfer<Added>, S>>
  },
): ExtendedResource<Fields & Added, S, Name, Added, Access> & { readonly identifier: Id } =>
  markPlace(
    {
      ...of,
      fields: { ...of.fields, ...additions.fields } as Fields & Added,
      additions,
      origin: of,
    },
    extendResource,
  )

/** An extension with the module that lists it. */
export interface ModuleExtension {
  readonly module: string
  readonly extension: ExtendedResource
}

/** The definition as its module has it, with what others add. */
export const withAdditions = (
  definition: ResourceDefinition,
  { module, extension }: ModuleExtension,
): ResourceDefinition => {
  const { fields, access, rules, checks, hooks } = extension.additions
  const { addedHooks = [] } = definition
  return {
    ...definition,
    fields: { ...definition.fields, ...fields },
    access: joinRules(definition.access, access),
    ...(rules && { rules: { ...definition.rules, ...rules } }),
    ...(checks && { checks: { ...definition.checks, ...checks } }),
    // Modules that are composed already may be composed again.
    ...(hooks &&
      addedHooks.every(one => one.definition !== extension) && {
        addedHooks: [...addedHooks, { module, hooks, definition: extension }],
      }),
  }
}

/** The rules that another one stands for. */
const included: { readonly [name in keyof AccessRules]: readonly (keyof AccessRules)[] } = {
  write: ['create', 'update', 'replace', 'patch', 'delete'],
  update: ['replace', 'patch'],
}

/** An added rule also replaces the more specific ones that it stands for: these would win over it. */
const joinRules = (base: AccessRules, added: AccessRules = {}): AccessRules => {
  const replaced: ReadonlySet<string> = new Set(
    ruleNames.filter(name => added[name] !== undefined).flatMap(name => included[name] ?? []),
  )
  const kept = Object.entries(base).filter(([name]) => !replaced.has(name))
  return { ...Object.fromEntries(kept), ...added }
}

const needsValue = (field: Field): boolean =>
  'options' in field && field.options.required === true && field.options.default === undefined

const optionNames: OptionNames<ResourceAdditions> = {
  fields: true,
  access: true,
  rules: true,
  checks: true,
  hooks: true,
}

const known = Object.keys(optionNames)

/** What is wrong with these extensions, given the resources that there are. */
export const extensionFaults = (
  extensions: readonly ExtendedResource[],
  resources: readonly ResourceDefinition[],
): readonly DefinitionFault[] => {
  const names = resources.map(resource => resource.name)
  return [
    ...extensions.flatMap(extension => {
      const { name } = extension
      const faults = names.includes(name)
        ? additionFaults(extension)
        : [{ resource: name, message: `no module has the resource that is extended${didYouMean(names, name)}` }]
      return faults.map(fault => ({ ...fault, definition: extension }))
    }),
    ...repeatedFieldFaults(extensions),
  ]
}

const additionFaults = ({ name, origin, additions }: ExtendedResource): readonly DefinitionFault[] => [
  ...Object.keys(additions)
    .filter(option => !known.includes(option))
    .map(option => ({
      resource: name,
      message: `unknown option '${option}'${didYouMean(known, option) || `; the options are ${known.join(', ')}`}`,
    })),
  ...hookFaults(additions.hooks, [...Object.keys(origin.fields), ...Object.keys(additions.fields ?? {})]).map(
    message => ({ resource: name, message }),
  ),
  ...Object.entries(additions.fields ?? {}).flatMap(([field, declared]): DefinitionFault[] => [
    ...(field in origin.fields
      ? [{ resource: name, field, message: 'an extension cannot replace a field; choose another name' }]
      : []),
    ...(needsValue(declared)
      ? [
          {
            resource: name,
            field,
            message: 'an added field must be optional or have a default: there are records without it',
          },
        ]
      : []),
  ]),
]

const repeatedFieldFaults = (extensions: readonly ExtendedResource[]): readonly DefinitionFault[] => {
  const added = extensions.flatMap(({ name, additions }) =>
    Object.keys(additions.fields ?? {}).map(field => ({ resource: name, field })),
  )
  const isRepeated = (one: (typeof added)[number], at: number): boolean => {
    const earlier = added.slice(0, at).filter(({ resource, field }) => resource === one.resource && field === one.field)
    return earlier.length === 1
  }
  return added
    .filter(isRepeated)
    .map(one => ({ ...one, message: 'several extensions add this field; rename all but one' }))
}
