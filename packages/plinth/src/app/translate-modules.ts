// The languages of an application, put into the definitions of its modules: from there on they are texts like all others.

import type { ResourceDefinition } from '../core/model/define.ts'
import { type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import type { Field } from '../core/model/field.ts'
import type { Text, Title } from '../core/model/words.ts'
import type { Module } from '../core/module.ts'
import type { AppLanguages, FieldTexts, LanguageTexts, ResourceTexts } from './client-options.ts'

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
  variantOf: definition,
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
