// The modules of an application as one model: extensions applied, and what belongs to modules that are left out removed.

import { type ResourceDefinition, variantOf } from '../core/model/define.ts'
import type { DefinitionFault } from '../core/model/definition-error.ts'
import { extensionFaults, withAdditions } from '../core/model/extend.ts'
import type { Field, ValueField } from '../core/model/field.ts'
import { text } from '../core/model/fields.ts'
import type { Module } from '../core/module.ts'

interface Composition {
  /** Standard modules that the application does without. */
  readonly leftOut: readonly Module[]
  /** The names of the application's own modules. */
  readonly optional: readonly string[]
}

export const composeModules = (modules: readonly Module[], { leftOut, optional }: Composition): readonly Module[] => {
  const gone = new Set(leftOut.flatMap(({ resources }) => resources.map(({ name }) => name)))
  const extensions = modules.flatMap(module => module.extensions ?? [])
  if (gone.size === 0 && extensions.length === 0) return modules
  return modules.map(module => ({
    ...module,
    resources: module.resources.map(resource => {
      // References of the application to what it has left out are mistakes, which the registry reports.
      const base = optional.includes(module.name) ? resource : withoutReferences(resource, gone)
      const composed = extensions
        .filter(({ name }) => name === resource.name)
        .reduce((definition, { additions }) => withAdditions(definition, additions), withoutRelations(base, gone))
      return composed === resource ? resource : variantOf(resource, composed)
    }),
  }))
}

/** Without its references to what is gone. Where a part of a structure was one, such as a postal code, it becomes a text. */
const withoutReferences = (definition: ResourceDefinition, gone: ReadonlySet<string>): ResourceDefinition => {
  const entries = Object.entries(definition.fields)
  const kept = entries
    .filter(([, field]) => field.role !== 'one' || !gone.has(field.target))
    .map(([name, field]) => [name, withTextParts(field, gone)] as const)
  const isSame = kept.length === entries.length && kept.every(([name, field]) => definition.fields[name] === field)
  return isSame ? definition : { ...definition, fields: Object.fromEntries(kept) }
}

const withTextParts = (field: Field, gone: ReadonlySet<string>): Field => {
  if (field.role !== 'value' || !field.type.parts || !field.type.withParts) return field
  const isGone = ({ type }: ValueField): boolean => type.target !== undefined && gone.has(type.target)
  const parts = Object.entries(field.type.parts)
  if (!parts.some(([, part]) => isGone(part))) return field
  const changed = parts.map(([name, part]) => {
    const { title } = part.options
    return [name, isGone(part) ? text({ max: 255, ...(title && { title }) }) : part] as const
  })
  return { ...field, type: field.type.withParts(Object.fromEntries(changed)) }
}

/** Relations from the other side go with the resource that holds the reference, and so do their counts. */
const withoutRelations = (definition: ResourceDefinition, gone: ReadonlySet<string>): ResourceDefinition => {
  const entries = Object.entries(definition.fields)
  const relations = entries
    .filter(([, field]) => field.role === 'inverse' && gone.has(field.target))
    .map(([name]) => name)
  if (relations.length === 0) return definition
  const isGone = (name: string, field: Field): boolean =>
    relations.includes(field.role === 'count' ? field.relation : name)
  return { ...definition, fields: Object.fromEntries(entries.filter(([name, field]) => !isGone(name, field))) }
}

/** What is wrong with the extensions of these modules. */
export const compositionFaults = (modules: readonly Module[]): readonly DefinitionFault[] => {
  const resources = modules.flatMap(({ resources = [] }) => resources)
  return extensionFaults(
    modules.flatMap(module => module.extensions ?? []),
    resources,
  )
}
