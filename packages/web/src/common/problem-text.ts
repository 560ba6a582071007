// Problems and faults in the language of the user.

import { ApiProblem, type ProblemFault } from '@plinth/client'
import { placeOf } from '../api/problem.ts'
import { toText } from '../i18n/dictionary.ts'
import { type Language, useLanguage } from '../i18n/language.ts'
import { commonTexts, problemTexts } from './dictionary.ts'
import { faultTexts } from './fault-texts.ts'

const isKey = <T extends object>(texts: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(texts, key)

/** Does the message of the service say more than its code? */
const isSpecific = ({ status, code }: ApiProblem): boolean =>
  code !== 'last_administrator' && (status === 409 || status === 422 || code === 'bad_request')

/** Names the records that keep another one from being deleted, by the name that people know. */
const referencedText = ({ code, document }: ApiProblem, language: Language, titleOf: ResourceTitles): string | null => {
  if (code !== 'referenced') return null
  const title = typeof document.referencedBy === 'string' ? titleOf(document.referencedBy) : undefined
  const t = toText(problemTexts, language)
  return title === undefined ? t('referenced') : t('referencedBy', { title })
}

type ResourceTitles = (resource: string) => string | undefined

export const problemText = (error: unknown, language: Language, titleOf: ResourceTitles = () => undefined): string => {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error)
  const known = isKey(problemTexts.texts.en, error.code) ? toText(problemTexts, language)(error.code) : null
  const message =
    referencedText(error, language, titleOf) ?? (known === null || isSpecific(error) ? error.detail : null)
  const wait = error.retryAfterSeconds
  const retry = wait === null ? [] : [toText(commonTexts, language)('retryIn', { count: wait })]
  return [message ?? known ?? error.message, ...retry].join(' ')
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Numbers without separators: a limit may be a year. */
const paramText = (value: string | number | readonly string[], language: Language): string => {
  if (typeof value === 'object') return value.join(', ')
  if (typeof value === 'string') return value
  return new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(value)
}

/** A code that is not known here, such as that of a newer service, is shown in the words of the service. */
export const faultText = ({ code, message, params = {} }: ProblemFault, language: Language): string => {
  if (!isKey(faultTexts.texts.en, code)) return capitalised(message)
  const values: Record<string, string> = { message }
  for (const [name, param] of Object.entries(params)) values[name] = paramText(param, language)
  // The reason is the code of another fault, with the same parameters.
  const { reason = '' } = values
  if (code === 'bad_value')
    values.reason = isKey(faultTexts.texts.en, reason) ? toText(faultTexts, language)(reason, values) : ''
  return capitalised(toText(faultTexts, language)(code, values))
}

/** The texts for the fields of a form, by name. `nameOf` gives the label of a part of a field, such as a line of an address. */
export const faultTextsByField = (
  error: unknown,
  language: Language,
  nameOf: (place: readonly string[]) => string = ([, ...parts]) => parts.join(' '),
): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const fault of error instanceof ApiProblem ? error.faults : []) {
    const place = placeOf(fault)
    const [field = ''] = place
    const text = [place.length > 1 ? nameOf(place) : '', faultText(fault, language)].filter(Boolean).join(': ')
    const known = texts.get(field)
    texts.set(field, known === undefined ? text : `${known} ${text}`)
  }
  return texts
}

export const useProblemText = (): ((error: unknown) => string) => {
  const language = useLanguage()
  return error => problemText(error, language)
}
