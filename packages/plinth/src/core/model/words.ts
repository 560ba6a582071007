// Titles and descriptions: texts that people read, in English or in several languages.

import type { Translations } from '../text.ts'

export { inLanguage, type Text } from '../text.ts'

/** A name. Without English, that is derived from the name in the definition: `firstName` becomes `First name`. */
export type Title = string | Translations

/** Returns undefined where the definition gives no name in this language nor in English. */
export const titleIn = (title: Title | undefined, language: string): string | undefined =>
  typeof title === 'object' ? (title[language] ?? title.en) : title

/** The languages of some texts, English first. */
export const languagesOf = (texts: Iterable<Title | undefined>): readonly string[] => {
  const languages = new Set(['en'])
  for (const text of texts)
    if (typeof text === 'object') for (const language of Object.keys(text)) languages.add(language)
  return [...languages]
}
