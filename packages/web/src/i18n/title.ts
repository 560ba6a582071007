// A title that is declared where it belongs, rather than in a dictionary.

import { type Language, useLanguage } from './language.ts'

/** A text in English, or in several languages by their codes: `{ en: 'Overdue', de: 'Überfällig' }`. */
export type PageTitle = string | { readonly en: string; readonly [language: string]: string }

/** Where the language has no text, it is the English one. */
export const titleIn = (title: PageTitle, language: Language): string =>
  typeof title === 'string' ? title : (title[language] ?? title[language.split('-')[0] ?? ''] ?? title.en)

/** Returns what writes titles in the language of the user. */
export const useTitles = (): ((title: PageTitle) => string) => {
  const language = useLanguage()
  return title => titleIn(title, language)
}
