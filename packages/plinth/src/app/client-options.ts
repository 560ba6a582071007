// What an application sets for the web client, and the languages that it adds: declarations and their checks.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import type { OptionNames } from '../core/model/field-options.ts'
import type { ProblemTranslation } from '../core/problem-texts.ts'

/** The look of the web client. */
export interface WebClientOptions {
  /**
   * The picture in the header, on the sign-in page and in the browser tab: an SVG, PNG, JPEG or WebP file. The path starts at the
   * folder of `plinth.config.ts`.
   */
  readonly logo?: string
  readonly colors?: WebClientColors
}

/** Colours of the web client, such as `#0b7285`. */
export interface WebClientColors {
  /** The colour of buttons, links and what is selected. One that is too light for white text on it is darkened. */
  readonly primary?: string
}

/** A text, or one about a number by the plural rules of the language: `one`, `few`, `many`, `other`. */
export type WebClientText = string | { readonly [rule: string]: string }

/** Texts of a resource in one language. */
export interface ResourceTexts {
  readonly title?: string
  readonly singularTitle?: string
  readonly about?: string
  /** The texts by the names of the fields. */
  readonly fields?: Readonly<Record<string, FieldTexts>>
}

/** Texts of a field in one language. A string is its title. */
export type FieldTexts =
  | string
  | {
      readonly title?: string
      readonly about?: string
      /** The names of choices. */
      readonly labels?: Readonly<Record<string, string>>
    }

/** A language that an application adds, or texts that it replaces in one that is there. What is missing is shown in English. */
export interface LanguageTexts {
  /** The name of the language in that language, such as `Français`. */
  readonly name: string
  /** Texts of the web client, by the names of its dictionaries. `plinth language fr` writes all of them to a file. */
  readonly client?: Readonly<Record<string, Readonly<Record<string, WebClientText>>>>
  /** Texts of resources, by their names. */
  readonly resources?: Readonly<Record<string, ResourceTexts>>
  /** Titles and descriptions of modules, by their names. */
  readonly modules?: Readonly<Record<string, { readonly title?: string; readonly about?: string }>>
  /** Texts of problems, by code: the title, or `title` and `detail`, the sentence for callers where nothing more is known. */
  readonly problems?: Readonly<Record<string, ProblemTranslation>>
  /** Messages of faults, by code, such as `required`: those of the platform and of every module. */
  readonly faults?: Readonly<Record<string, string>>
}

/** The texts by the code of a language, such as `fr` or `pt-BR`. */
export type AppLanguages = Readonly<Record<string, LanguageTexts>>

const optionNames: OptionNames<WebClientOptions> = { logo: true, colors: true }
const colorNames: OptionNames<WebClientColors> = { primary: true }
const languageNames: OptionNames<LanguageTexts> = {
  name: true,
  client: true,
  resources: true,
  modules: true,
  problems: true,
  faults: true,
}

export const logoTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
}

/** What is wrong with these options, without looking at files. */
export const clientFaults = (client: WebClientOptions, languages: AppLanguages): readonly DefinitionFault[] => [
  ...unknownNames('client', client, optionNames),
  ...unknownNames('client.colors', client.colors ?? {}, colorNames),
  ...Object.entries(client.colors ?? {})
    .filter(([, color]) => !/^#[0-9a-f]{6}$/i.test(color))
    .map(([name, color]) => ({ message: `client.colors.${name}: write '${color}' as '#rrggbb', such as '#0b7285'` })),
  ...Object.entries(languages).flatMap(([code, texts]) => [
    ...(isLanguageCode(code)
      ? []
      : [{ message: `languages: '${code}' is not the code of a language, such as 'fr' or 'pt-BR'` }]),
    ...(texts.name ? [] : [{ message: `languages.${code}: needs a 'name', such as 'Français'` }]),
    ...unknownNames(`languages.${code}`, texts, languageNames),
  ]),
]

export const isLanguageCode = (code: string): boolean => /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(code)

const unknownNames = (place: string, options: object, names: Readonly<Record<string, true>>): DefinitionFault[] => {
  const known = Object.keys(names)
  return Object.keys(options)
    .filter(name => !known.includes(name))
    .map(name => ({
      message: `${place}: unknown option '${name}'${didYouMean(known, name) || `; the options are ${known.join(', ')}`}`,
    }))
}

// The texts of the web client, by dictionary and name, as the build of the client writes them: what an application can translate.

export type WebClientTexts = Readonly<Record<string, Readonly<Record<string, WebClientText>>>>

/** Reads the texts in English. Null where the client was not built. */
export const readClientTexts = (folder: string): WebClientTexts | null => {
  const file = join(folder, 'texts.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

const formsOf = (text: WebClientText): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))

const placeholdersIn = (text: WebClientText): ReadonlySet<string> =>
  new Set(formsOf(text).flatMap(form => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))

/** The texts of the client and of the pages, which share the dictionary with the words of areas. */
export const mergedTexts = (ofClient: WebClientTexts | null, pages: WebClientTexts | null): WebClientTexts => {
  const shared = Object.entries(pages ?? {}).map(([name, texts]) => [name, { ...ofClient?.[name], ...texts }])
  return { ...ofClient, ...Object.fromEntries(shared) }
}

/** The names of areas and what they are for, by their addresses: those of the web client and of modules. */
export const areasDictionary = 'areas'

interface KnownTexts {
  /** The texts of the web client; null where it was not built. */
  readonly client: WebClientTexts | null
  /** The texts of the pages of modules; null where they were not bundled. */
  readonly pages: WebClientTexts | null
}

/** Names that the client and the pages do not have, and values that their texts do not have. */
export const clientTextFaults = (
  languages: AppLanguages,
  { client: ofClient, pages }: KnownTexts,
): readonly DefinitionFault[] => {
  if (ofClient === null) return []
  const known = mergedTexts(ofClient, pages)
  return Object.entries(languages).flatMap(([code, { client = {} }]) =>
    Object.entries(client).flatMap(([dictionary, texts]) => {
      const place = `languages.${code}.client`
      const english = known[dictionary]
      if (english)
        return (
          Object.entries(texts)
            // It may be the name of an area that was not bundled.
            .filter(([name]) => pages !== null || dictionary !== areasDictionary || name in english)
            .flatMap(([name, text]) => textFaults({ place, dictionary, name }, text, english))
        )
      const hint = hintFor(dictionary, code) ?? didYouMean(Object.keys(known), dictionary)
      // It may be one of a page that was not bundled.
      if (pages === null && hint === '') return []
      return [{ message: `${place}: there is no dictionary '${dictionary}'${hint}` }]
    }),
  )
}

/** The service has these texts now. */
const hintFor = (dictionary: string, language: string): string | undefined =>
  dictionary === 'faults' ? `; the messages of faults are in languages.${language}.faults` : undefined

interface TextPlace {
  readonly place: string
  readonly dictionary: string
  readonly name: string
}

const textFaults = (
  { place, dictionary, name }: TextPlace,
  text: WebClientText,
  english: WebClientTexts[string],
): readonly DefinitionFault[] => {
  const original = english[name]
  if (original === undefined)
    return [{ message: `${place}.${dictionary}: there is no text '${name}'${didYouMean(Object.keys(english), name)}` }]
  if (typeof text === 'object' && text.other === undefined)
    return [{ message: `${place}.${dictionary}.${name}: a text with plural forms needs the form 'other'` }]
  const values = placeholdersIn(original)
  return [...placeholdersIn(text)]
    .filter(value => !values.has(value))
    .map(value => ({
      message: `${place}.${dictionary}.${name}: the text has no value {${value}}${didYouMean(values, value)}`,
    }))
}
