// The language of titles and descriptions, chosen by `Accept-Language` (RFC 9110, section 12.5.4).

import type { Request } from '../http/exchange.ts'
import type { Headers } from './answer.ts'
import type { Context } from './context.ts'

/** Browsers send a handful. */
const maxRanges = 20

interface Range {
  readonly tag: string
  readonly quality: number
}

const readRange = (text: string): Range => {
  const [tag = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase())
  const quality = parameters.find(parameter => parameter.startsWith('q='))
  return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
}

/** Lookup (RFC 4647, section 3.4): `de-AT` also finds `de`. */
const found = ({ tag }: Range, languages: readonly string[]): string | undefined => {
  if (tag === '*') return languages[0]
  return languages.find(language => tag === language.toLowerCase() || tag.startsWith(`${language.toLowerCase()}-`))
}

/** The first language is that of callers who ask for none of them. */
export const chooseLanguage = (accepted: string | undefined, languages: readonly string[]): string => {
  const ranges = (accepted ?? '').split(',', maxRanges).map(readRange)
  const preferences = ranges.filter(({ quality }) => quality > 0).sort((one, other) => other.quality - one.quality)
  for (const range of preferences) {
    const language = found(range, languages)
    if (language !== undefined) return language
  }
  return languages[0] ?? 'en'
}

/** The language of the answer to this request, among the languages of the model. */
export const languageFor = ({ platform }: Pick<Context, 'platform'>, { headers }: Request): string =>
  chooseLanguage(headers['accept-language'], platform.registry.languages)

export const languageHeaders = (language: string): Headers => ({
  'Content-Language': language,
  Vary: 'Accept, Accept-Language, Origin, Authorization, Cookie',
})
