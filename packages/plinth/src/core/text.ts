// Texts for people, in English or in several languages.

/** Texts by language, such as `en` or `de`. */
export type Translations = Readonly<Record<string, string>>

/** A description or a message. A plain string is English. */
export type Text = string | (Translations & { readonly en: string })

export const inLanguage = (text: Text, language: string): string =>
  typeof text === 'string' ? text : (text[language] ?? text.en)

/** The text in exactly this language; undefined where there is none. */
export const translationIn = (text: Text, language: string): string | undefined =>
  typeof text === 'string' ? (language === 'en' ? text : undefined) : text[language]

/** The names of values in a text: `{name}` stands for one. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
