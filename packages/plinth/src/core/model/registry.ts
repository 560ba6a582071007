// All resources of a running service, their relations resolved. A fault in a definition stops the start.

import { placeOf } from '../source-place.ts'
import { type ReservedNames, resourceFaults } from './check-definition.ts'
import { followingFaults } from './check-following.ts'
import type { CodeContext } from './code-context.ts'
import type { ResourceDefinition } from './define.ts'
import { DefinitionError, type DefinitionFault, didYouMean } from './definition-error.ts'
import type { Field } from './field.ts'
import type { FieldOptions } from './field-options.ts'
import { integer, ref, text, timestamp } from './fields.ts'
import { createHookSet } from './hook-set.ts'
import { withUniqueNumbers } from './number-fields.ts'
import { requirementHooks } from './recent-sign-in.ts'
import { requiredCircles } from './required-circles.ts'
import type { Resource, ResourceField } from './resource.ts'
import { searchedThrough } from './search/searched-through.ts'
import { type DeletionField, keepsTrash } from './trash.ts'
import { languagesOf, type Title } from './words.ts'

export interface Registry {
  /** The resources in the order of declaration. */
  readonly resources: readonly Resource[]
  /** The languages of titles and descriptions; English is the first. */
  readonly languages: readonly string[]
  /** The resource of a definition or a name; an error when there is none, since both are written by developers. */
  resource(which: string | ResourceDefinition): Resource
  has(name: string): boolean
  /** The resource that callers know by this name; null when there is none. */
  published(name: string): Resource | null
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface DraftRegistry {
  readonly registry: Registry
  readonly faults: readonly DefinitionFault[]
  /** Does every relation lead somewhere? Only then can rules be compiled and tables be made. */
  readonly isResolved: boolean
}

export interface RegistryParts {
  readonly reserved?: ReservedNames
  /** The context of the hooks of a resource; `module` is that of an extension. */
  readonly codeOf?: (definition: ResourceDefinition, module?: string) => CodeContext
}

/** The context of hooks in models that no service runs. */
class WithoutService implements CodeContext {
  readonly #resource: string

  constructor({ name }: ResourceDefinition) {
    this.#resource = name
  }

  readonly settings = (): never => this.#fail()

  get log(): never {
    return this.#fail()
  }

  #fail(): never {
    throw new Error(`hooks of ${this.#resource} run in a service only`)
  }
}

const withoutService = (definition: ResourceDefinition): CodeContext => new WithoutService(definition)

/** Makes a registry for checks that go on after the first fault, so that all are reported together. */
export const draftRegistry = (
  definitions: readonly ResourceDefinition[],
  { reserved = new Map(), codeOf = withoutService }: RegistryParts = {},
): DraftRegistry => {
  const byName = new Map<string, Mutable<Resource>>()
  const repeated: ResourceDefinition[] = []
  for (const definition of definitions) {
    if (byName.has(definition.name)) repeated.push(definition)
    else byName.set(definition.name, createResource(definition, codeOf))
  }
  const unresolved: DefinitionFault[] = []
  for (const resource of byName.values()) {
    for (const field of resource.fields.values()) resolve(field, byName, unresolved)
  }
  for (const resource of byName.values()) {
    if (resource.definition.storedIn) resource.holder = resolveHolder(resource, byName, unresolved) ?? resource
    resource.isSearched = resource.holder.definition.search !== undefined
  }
  const through = searchedThrough([...byName.values()])
  for (const resource of byName.values()) {
    resource.searchedThrough = through.get(resource) ?? []
    resource.writesIndexes = resource.isSearched || resource.searchedThrough.length > 0
  }
  for (const resource of byName.values()) {
    if (keepsTrash(resource)) resource.inTrash = inTrashOf(resource, byName)
  }
  return {
    registry: registryOf(byName),
    isResolved: unresolved.length === 0 && definitions.every(({ access }) => access !== undefined),
    faults: [
      ...repeated.map(definition => {
        const first = placeOf(byName.get(definition.name)?.definition ?? {})
        const other = first === null ? '' : `; the first is at ${first}`
        return {
          resource: definition.name,
          message: `several resources have this name; rename all but one, or extend the first with extendResource${other}`,
          definition,
        }
      }),
      ...unresolved,
      ...requiredCircles([...byName.values()]),
      ...[...byName.values()].flatMap(resource => [
        ...resourceFaults(resource, reserved),
        ...followingFaults(resource, name => byName.get(name)).map(message => ({ resource: resource.name, message })),
      ]),
    ],
  }
}

export const createRegistry = (definitions: readonly ResourceDefinition[], parts?: RegistryParts): Registry => {
  const { registry, faults } = draftRegistry(definitions, parts)
  if (faults.length > 0) throw new DefinitionError(faults)
  return registry
}

const textsOf = ({ definition: { title, about }, fields }: Resource): (Title | undefined)[] => [
  title,
  about,
  ...[...fields.values()].flatMap(({ definition: { options } }) => [options.title, options.about]),
]

const registryOf = (byName: ReadonlyMap<string, Resource>): Registry => {
  // What was found: each read and write of code asks for the resource of its definition.
  const known = new WeakMap<ResourceDefinition, Resource>()
  const find = (which: string | ResourceDefinition): Resource => {
    const name = typeof which === 'string' ? which : which.name
    const found = byName.get(name)
    if (!found) throw new Error(`there is no resource '${name}'${remedyFor(name, byName)}`)
    if (typeof which === 'string') return found
    if (originOf(found.definition) !== originOf(which))
      throw new Error(`the service has another resource '${name}' than the one that is asked for`)
    known.set(which, found)
    return found
  }
  return {
    resources: [...byName.values()],
    languages: languagesOf([...byName.values()].flatMap(textsOf)),
    resource: which => (typeof which === 'string' ? undefined : known.get(which)) ?? find(which),
    has: name => byName.has(name),
    published: name => {
      const found = byName.get(name)
      return found && !found.definition.internal ? found : null
    },
  }
}

/** A definition that settings have changed stands for the one that it was made from. */
const originOf = (definition: ResourceDefinition): ResourceDefinition =>
  definition.origin ? originOf(definition.origin) : definition

const deletionFields: readonly (readonly [DeletionField, Field])[] = [
  ['deletedDate', timestamp({ serverOwned: true, indexed: true, title: { en: 'Deleted', de: 'Gelöscht am' } })],
  ['deletedBy', ref('users', { serverOwned: true, title: { en: 'Deleted by', de: 'Gelöscht von' } })],
]

const stampOptions = { serverOwned: true, required: true } satisfies FieldOptions

const fieldsOf = (definition: ResourceDefinition): [string, Field][] => {
  const fields: [string, Field][] = [
    ['pk', text({ required: true, max: 255, title: { en: 'Identifier', de: 'Kennung' }, fixed: true })],
    ...Object.entries(definition.fields),
  ]
  if (definition.stamps !== 'none') {
    fields.push(['createdDate', timestamp({ ...stampOptions, title: { en: 'Created', de: 'Angelegt am' } })])
    fields.push([
      'lastModifiedDate',
      timestamp({ ...stampOptions, title: { en: 'Last modified', de: 'Zuletzt geändert am' } }),
    ])
  }
  if (definition.stamps === 'people') {
    fields.push([
      'createdBy',
      ref('users', { serverOwned: true, onDelete: 'clear', title: { en: 'Created by', de: 'Angelegt von' } }),
    ])
    fields.push([
      'lastModifiedBy',
      ref('users', {
        serverOwned: true,
        onDelete: 'clear',
        title: { en: 'Last modified by', de: 'Zuletzt geändert von' },
      }),
    ])
  }
  fields.push(['version', integer({ ...stampOptions, title: { en: 'Version', de: 'Version' } })])
  return fields
}

const inResource = (field: Field, resource: string): Field =>
  field.role === 'value' && field.type.inResource ? { ...field, type: field.type.inResource(resource) } : field

const createResource = (declared: ResourceDefinition, codeOf: Required<RegistryParts>['codeOf']): Mutable<Resource> => {
  const definition = withUniqueNumbers(declared)
  const fields = new Map<string, ResourceField>()
  const { hooks = {}, addedHooks = [] } = definition
  const code = codeOf(declared)
  const declaredFields = fieldsOf(definition)
  const ofFields = declaredFields.flatMap(([name, field]) =>
    field.role === 'value' && field.hooks ? [field.hooks(name)] : [],
  )
  const resource = {
    name: definition.name,
    definition,
    hooks: createHookSet([
      ...requirementHooks(definition).map(hooks => ({ hooks, definition: declared, code })),
      ...ofFields.map(({ first }) => ({ hooks: first, definition: declared, code })),
      { hooks, definition: declared, code },
      ...addedHooks.map(one => ({ ...one, code: codeOf(declared, one.module) })),
      ...ofFields.map(({ last }) => ({ hooks: last, definition: declared, code })),
    ]),
    code,
    fields,
    label: null,
    pk: undefined,
    isSearched: false,
    searchedThrough: [],
    writesIndexes: false,
    keepsHistory: definition.history === true,
    hasEvents: !definition.internal || definition.eventFields !== undefined,
    inTrash: null,
  } as unknown as Mutable<Resource>
  for (const [name, field] of declaredFields) {
    const definedAs = inResource(field, definition.name)
    fields.set(name, { name, definition: definedAs, owner: resource, target: null, inverseOf: null, back: null })
  }
  resource.pk = fields.get('pk') as ResourceField
  resource.holder = resource
  resource.label = (definition.label && fields.get(definition.label)) || null
  return resource
}

/** It may be misspelt, or defined in a file that no module names. */
const remedyFor = (name: string, byName: ReadonlyMap<string, Resource>): string =>
  didYouMean(byName.keys(), name) || '; if it is defined, add it to the `resources` of a module'

const resolve = (
  field: Mutable<ResourceField>,
  byName: ReadonlyMap<string, Resource>,
  faults: DefinitionFault[],
): void => {
  const { definition, owner } = field
  if (definition.role === 'value' || definition.role === 'count') return
  const fault = (message: string) => faults.push({ resource: owner.name, field: field.name, message })
  const target = byName.get(definition.target)
  if (!target) {
    fault(`refers to '${definition.target}', which is not a resource${remedyFor(definition.target, byName)}`)
    return
  }
  field.target = target
  if (definition.role !== 'inverse') {
    field.back = {
      name: `${owner.name}.${field.name}`,
      definition: { role: 'inverse', target: owner.name, by: field.name, options: {}, optionNames: {} },
      owner: target,
      target: owner,
      inverseOf: field,
      back: field,
    }
    return
  }
  const by = target.fields.get(definition.by)
  const pointsHere =
    by && (by.definition.role === 'one' || by.definition.role === 'links') && by.definition.target === owner.name
  if (!pointsHere) {
    const back = [...target.fields.values()].filter(
      one => (one.definition.role === 'one' || one.definition.role === 'links') && one.definition.target === owner.name,
    )
    const hint =
      back.length > 0
        ? `; fields that do: ${back.map(one => one.name).join(', ')}`
        : `; make it a reference: ${definition.by}: ref('${owner.name}')`
    fault(`${definition.target}.${definition.by} does not refer to ${owner.name}${hint}`)
    return
  }
  field.inverseOf = by
  field.back = by
}

const inTrashOf = (resource: Resource, byName: ReadonlyMap<string, Resource>): Resource => {
  const fields = new Map(resource.fields)
  const trashed: Mutable<Resource> = { ...resource, fields }
  if (resource.holder === resource) trashed.holder = trashed
  for (const [name, definition] of deletionFields) {
    const field = { name, definition, owner: trashed, target: null, inverseOf: null, back: null }
    if (definition.role === 'one' && !byName.has(definition.target)) continue
    resolve(field, byName, [])
    fields.set(name, field)
  }
  return trashed
}

/** A part of a resource has no column of its own, so each of its fields must be one of the whole. */
const resolveHolder = (
  part: Resource,
  byName: ReadonlyMap<string, Resource>,
  faults: DefinitionFault[],
): Resource | null => {
  const { resource, where } = part.definition.storedIn ?? { resource: '', where: { field: '', equals: '' } }
  const holder = byName.get(resource)
  if (!holder || holder.definition.storedIn) {
    const message = `is stored in '${resource}', which is not a resource with a table${didYouMean(byName.keys(), resource)}`
    faults.push({ resource: part.name, message })
    return null
  }
  if (!holder.fields.has(where.field) || part.fields.has(where.field))
    faults.push({ resource: part.name, message: `'${where.field}' must be a field of ${resource} and of it alone` })
  for (const { name, definition } of part.fields.values()) {
    const whole = holder.fields.get(name)?.definition
    const isAlike =
      definition.role === whole?.role &&
      definition.role !== 'links' &&
      (definition.role !== 'value' || (whole?.role === 'value' && whole.type.column === definition.type.column)) &&
      (definition.role !== 'one' || (whole?.role === 'one' && whole.target === definition.target))
    if (!isAlike)
      faults.push({
        resource: part.name,
        field: name,
        message: `${resource} has no such field, or one of another kind`,
      })
  }
  return holder
}
