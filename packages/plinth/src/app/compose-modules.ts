// The modules of an application as one model: extensions applied, and what belongs to modules that are left out removed.

import { type ResourceDefinition, variantOf } from '../core/model/define.ts'
import type { DefinitionFault } from '../core/model/definition-error.ts'
import { extensionFaults, withAdditions } from '../core/model/extend.ts'
import type { Field } from '../core/model/field.ts'
import type { Module } from '../core/module.ts'

/** `leftOut` are modules of the platform that the application does without. */
export const composeModules = (modules: readonly Module[], leftOut: readonly Module[]): readonly Module[] => {
  const gone = new Set(leftOut.flatMap(({ resources }) => resources.map(({ name }) => name)))
  const extensions = modules.flatMap(module => module.extensions ?? [])
  if (gone.size === 0 && extensions.length === 0) return modules
  return modules.map(module => ({
    ...module,
    resources: module.resources.map(resource => {
      const composed = extensions
        .filter(({ name }) => name === resource.name)
        .reduce((definition, { additions }) => withAdditions(definition, additions), withoutRelations(resource, gone))
      return composed === resource ? resource : variantOf(resource, composed)
    }),
  }))
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
