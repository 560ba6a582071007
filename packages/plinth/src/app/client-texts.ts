// The texts of the web client, by dictionary and name, as the build of the client writes them: what an application can translate.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import type { AppLanguages, WebClientText } from './client-options.ts'

export type WebClientTexts = Readonly<Record<string, Readonly<Record<string, WebClientText>>>>

/** In English. Null where the client was not built. */
export const readClientTexts = (folder: string): WebClientTexts | null => {
  const file = join(folder, 'texts.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** A fault of the service has a code; a module of the application may have codes of its own. */
const openDictionary = 'faults'

const formsOf = (text: WebClientText): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))

const placeholdersIn = (text: WebClientText): ReadonlySet<string> =>
  new Set(formsOf(text).flatMap(form => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))

/** Names that the client does not have, and values that its texts do not have. */
export const clientTextFaults = (languages: AppLanguages, known: WebClientTexts | null): readonly DefinitionFault[] =>
  known === null
    ? []
    : Object.entries(languages).flatMap(([code, { client = {} }]) =>
        Object.entries(client).flatMap(([dictionary, texts]) => {
          const place = `languages.${code}.client`
          const english = known[dictionary]
          if (!english)
            return [
              {
                message: `${place}: there is no dictionary '${dictionary}'${didYouMean(Object.keys(known), dictionary)}`,
              },
            ]
          return Object.entries(texts).flatMap(([name, text]) => textFaults({ place, dictionary, name }, text, english))
        }),
      )

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
    return dictionary === openDictionary
      ? []
      : [{ message: `${place}.${dictionary}: there is no text '${name}'${didYouMean(Object.keys(english), name)}` }]
  if (typeof text === 'object' && text.other === undefined)
    return [{ message: `${place}.${dictionary}.${name}: a text with plural forms needs the form 'other'` }]
  const values = placeholdersIn(original)
  return [...placeholdersIn(text)]
    .filter(value => !values.has(value))
    .map(value => ({
      message: `${place}.${dictionary}.${name}: the text has no value {${value}}${didYouMean(values, value)}`,
    }))
}
