// The modules of an application as one model: extensions applied, and what belongs to modules that are left out removed.

import { derivedFrom, type ResourceDefinition } from '../core/model/define.ts'
import { type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import { extensionFaults, withAdditions } from '../core/model/extend.ts'
import type { Field } from '../core/model/field.ts'
import { text } from '../core/model/fields.ts'
import type { ResolveSetting } from '../core/model/setting.ts'
import { settledFields } from '../core/model/settled.ts'
import type { ValueField } from '../core/model/value-field.ts'
import type { Text, Title } from '../core/model/words.ts'
import type { Module } from '../core/module.ts'
import type { AppLanguages, FieldTexts, LanguageTexts, ResourceTexts } from './client-options.ts'

export interface Composition {
  /** Standard modules that the application does without. */
  readonly leftOut: readonly Module[]
  /** The names of the application's own modules. */
  readonly optional: readonly string[]
}

interface ConfiguredComposition extends Composition {
  readonly resolve: ResolveSetting
}

export const composeModules = (
  modules: readonly Module[],
  { leftOut, optional, resolve }: ConfiguredComposition,
): readonly Module[] => {
  const gone = new Set(leftOut.flatMap(({ resources }) => resources.map(({ name }) => name)))
  const extensions = modules.flatMap(({ name, extensions = [] }) =>
    extensions.map(extension => ({ module: name, extension })),
  )
  return modules.map(module => ({
    ...module,
    // A module without the list is reported later, with all other faults.
    resources: module.resources?.map(resource => {
      // References of the application to what it has left out are mistakes, which the registry reports.
      const base = optional.includes(module.name) ? resource : withoutReferences(resource, gone)
      const composed = extensions
        .filter(({ extension }) => extension.name === resource.name)
        .reduce(withAdditions, withoutRelations(base, gone))
      const settled = {
        ...composed,
        fields: settledFields(composed.fields, resolve),
        ...(module.rules && { moduleRules: module.rules }),
      }
      const isSame =
        composed === resource && settled.fields === resource.fields && settled.moduleRules === resource.moduleRules
      return isSame ? resource : derivedFrom(resource, settled)
    }),
  }))
}

/**
 * Removes references to resources that are gone. Where a part of a structure was one, such as a postal code, it becomes
 * a text.
 */
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

// The languages of an application, put into the definitions of its modules: from there on they are texts like all others.

export const translateModules = (modules: readonly Module[], languages: AppLanguages): readonly Module[] =>
  Object.entries(languages).reduce<readonly Module[]>(
    (translated, [code, texts]) => translated.map(module => translateModule(module, code, texts)),
    modules,
  )

const translateModule = (module: Module, code: string, { resources = {}, modules = {} }: LanguageTexts): Module => ({
  ...module,
  ...withTexts(module, code, modules[module.name] ?? {}),
  resources: module.resources.map(resource => translateResource(resource, code, resources[resource.name] ?? {})),
})

const translateResource = (
  definition: ResourceDefinition,
  code: string,
  { fields = {}, ...texts }: ResourceTexts,
): ResourceDefinition => ({
  ...definition,
  origin: definition,
  ...withTexts(definition, code, texts),
  ...(texts.singularTitle && { singularTitle: withTitle(definition.singularTitle, code, texts.singularTitle) }),
  fields: Object.fromEntries(
    Object.entries(definition.fields).map(([name, field]) => [name, translateField(field, code, fields[name])]),
  ),
})

const translateField = (field: Field, code: string, texts: FieldTexts | undefined): Field => {
  if (texts === undefined) return field
  const { labels, ...named } = typeof texts === 'string' ? { title: texts, labels: undefined } : texts
  const options = { ...field.options, ...withTexts(field.options, code, named) }
  if (field.role !== 'value' || !labels) return { ...field, options }
  const { type } = field
  const translated = Object.entries(labels).map(([choice, label]) => [
    choice,
    withTitle(type.labels?.[choice] ?? choice, code, label),
  ])
  return { ...field, options, type: { ...type, labels: { ...type.labels, ...Object.fromEntries(translated) } } }
}

interface TranslatedApp {
  readonly modules: readonly Module[]
  readonly leftOut: readonly Module[]
  readonly languages: AppLanguages
}

interface Texts {
  readonly title?: Title
  readonly about?: Text
}

const withTexts = (before: Texts, code: string, { title, about }: { title?: string; about?: string }): Texts => ({
  ...(title && { title: withTitle(before.title, code, title) }),
  ...(about && { about: withAbout(before.about, code, about) }),
})

const withTitle = (before: Title | undefined, code: string, text: string): Title => ({
  ...(typeof before === 'string' ? { en: before } : before),
  [code]: text,
})

const withAbout = (before: Text | undefined, code: string, text: string): Text => ({
  ...(typeof before === 'object' ? before : { en: before ?? '' }),
  [code]: text,
})

/** Names of resources, fields and modules that there are not. Modules that settings leave out can be translated, too. */
export const translationFaults = (
  { modules: all, leftOut, languages }: TranslatedApp,
  composed: readonly Module[],
): readonly DefinitionFault[] => {
  const modules = [...all, ...leftOut, ...composed]
  const resources = new Map(
    modules.flatMap(({ resources = [] }) => resources.map(one => [one.name, one.fields] as const)),
  )
  const moduleNames = modules.map(({ name }) => name)
  return Object.entries(languages).flatMap(([code, texts]) => {
    const missing = (place: string, known: readonly string[], names: readonly string[]): DefinitionFault[] =>
      names
        .filter(name => !known.includes(name))
        .map(name => ({ message: `languages.${code}.${place}: there is no '${name}'${didYouMean(known, name)}` }))
    return [
      ...missing('modules', moduleNames, Object.keys(texts.modules ?? {})),
      ...missing('resources', [...resources.keys()], Object.keys(texts.resources ?? {})),
      ...Object.entries(texts.resources ?? {}).flatMap(([name, { fields = {} }]) => {
        const known = resources.get(name)
        return known ? missing(`resources.${name}.fields`, Object.keys(known), Object.keys(fields)) : []
      }),
    ]
  })
}
