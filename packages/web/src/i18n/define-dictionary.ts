// Dictionaries as they are declared. This file and the dictionaries need no browser: the build also writes all English texts to
// `texts.json`, for people who translate the client.

/** The languages that the client ships. */
export type ShippedLanguage = 'en' | 'de'

/** A text about a number, by the plural rules of its language. */
type PluralForms = { readonly [rule in Intl.LDMLPluralRule]?: string } & { readonly other: string }

/** `{name}` stands for a value. */
export type Sentence = string | PluralForms

export type Sentences<K extends string = string> = Readonly<Record<K, Sentence>>

/** Texts of one part of the client. Applications add languages, and replace texts, by its name. */
export interface Dictionary<K extends string = string> {
  readonly name: string
  readonly texts: Readonly<Record<ShippedLanguage, Sentences<K>>>
}

/** The compiler holds every language to the keys of English. */
export const defineDictionary = <const K extends string>(
  name: string,
  en: Sentences<K>,
  de: Sentences<K>,
): Dictionary<K> => ({ name, texts: { en, de } })
