// extendResource: what an application adds to a resource of another module, such as `users`.

import type { AccessRules } from './access-rules.ts'
import { ruleNames } from './access-rules.ts'
import { noteAttached } from './attached-hooks.ts'
import type { ResourceDefinition } from './define.ts'
import type { Stamps } from './definition.ts'
import { type DefinitionFault, didYouMean } from './definition-error.ts'
import type { Field } from './field.ts'
import type { OptionNames } from './field-options.ts'
import type { Hooks } from './hooks.ts'

/** What is added to a resource, or replaced in it. */
export interface ResourceAdditions<Fields extends Record<string, Field> = Record<string, Field>> {
  /** Optional, or with a default: the resource's own module knows nothing of them. */
  readonly fields?: Fields
  /** Rules by operation, in place of those of the resource. `write` and `update` also replace the rules that they stand for. */
  readonly access?: AccessRules
  /** They run after the hooks of the resource. */
  readonly hooks?: Hooks
}

/** A resource with what `extendResource` adds. Code reads and writes its records by it, with the added fields. */
export type ExtendedResource<
  Fields extends Record<string, Field> = Record<string, Field>,
  S extends Stamps = Stamps,
  Name extends string = string,
> = ResourceDefinition<Fields, S, Name> & {
  readonly additions: ResourceAdditions
  readonly variantOf: ResourceDefinition
}

/**
 * Adds fields, rules and hooks to a resource of another module. List it in `extensions` of your module.
 *
 * @example
 * export const customers = extendResource(users, { fields: { loyaltyCard: text({ max: 20 }) } })
 */
export const extendResource = <
  Fields extends Record<string, Field>,
  S extends Stamps,
  Name extends string,
  const Added extends Record<string, Field> = Record<never, Field>,
>(
  of: ResourceDefinition<Fields, S, Name>,
  additions: ResourceAdditions<Added>,
): ExtendedResource<Fields & Added, S, Name> => ({
  ...of,
  fields: { ...of.fields, ...additions.fields } as Fields & Added,
  additions,
  variantOf: of,
})

/** The definition as its module has it, with what others add. */
export const withAdditions = (
  definition: ResourceDefinition,
  { fields, access, hooks }: ResourceAdditions,
): ResourceDefinition => ({
  ...definition,
  fields: { ...definition.fields, ...fields },
  access: joinRules(definition.access, access),
  ...(hooks && { hooks: joinHooks(definition.hooks, hooks) }),
})

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

/** One after the other, each for the writes that it has a part in. */
const joinHooks = (first: Hooks | undefined, second: Hooks): Hooks => {
  noteAttached(first)
  noteAttached(second)
  if (!first) return second
  const run =
    (stage: 'before' | 'after'): Hooks['before'] =>
    async (change, tx) => {
      for (const hooks of [first, second])
        if (!hooks.on || hooks.on.includes(change.kind)) await hooks[stage]?.(change, tx)
    }
  const on = first.on && second.on && [...new Set([...first.on, ...second.on])]
  const restored: Hooks['restored'] = async (restoration, tx) => {
    for (const hooks of [first, second]) await hooks.restored?.(restoration, tx)
  }
  const batched = first.batched === true && second.batched === true
  return { ...(on && { on }), before: run('before'), after: run('after'), restored, batched }
}

const needsValue = (field: Field): boolean =>
  'options' in field && field.options.required === true && field.options.default === undefined

const optionNames: OptionNames<ResourceAdditions> = { fields: true, access: true, hooks: true }

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
      if (names.includes(name)) return additionFaults(extension)
      return [{ resource: name, message: `no module has the resource that is extended${didYouMean(names, name)}` }]
    }),
    ...repeatedFieldFaults(extensions),
  ]
}

const additionFaults = ({ name, variantOf, additions }: ExtendedResource): readonly DefinitionFault[] => [
  ...Object.keys(additions)
    .filter(option => !known.includes(option))
    .map(option => ({
      resource: name,
      message: `unknown option '${option}'${didYouMean(known, option) || `; the options are ${known.join(', ')}`}`,
    })),
  ...Object.entries(additions.fields ?? {}).flatMap(([field, declared]): DefinitionFault[] => [
    ...(field in variantOf.fields
      ? [{ resource: name, field, message: 'an extension cannot replace a field; choose another name' }]
      : []),
    ...(needsValue(declared)
      ? [{ resource: name, field, message: 'an added field must be optional or have a default' }]
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
