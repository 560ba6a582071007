// Problems in the words of the reader.

import type { Fault } from '../api/problem.ts'
import { Problem } from '../api/problem.ts'
import { toText } from '../i18n/dictionary.ts'
import { inGerman } from '../i18n/fault-sentences.ts'
import { type Language, useLanguage } from '../i18n/language.ts'
import { commonTexts, faultTexts, problemTexts } from './dictionary.ts'

const isKey = <T extends object>(sentences: T, key: string): key is Extract<keyof T, string> =>
  Object.hasOwn(sentences, key)

/** Whether the service's own sentence says more than the code does. */
const isSpecific = ({ status, code }: Problem): boolean => status === 409 || status === 422 || code === 'bad_request'

export const problemText = (error: unknown, language: Language): string => {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error)
  const known = isKey(problemTexts.en, error.code) ? toText(problemTexts, language)(error.code) : null
  const said = known === null || isSpecific(error) ? error.detail : null
  const wait = error.retryAfterSeconds
  const retry = wait === null ? [] : [toText(commonTexts, language)('retryIn', { count: wait })]
  return [said ?? known ?? error.message, ...retry].join(' ')
}

export const faultText = (fault: Fault, language: Language): string => {
  const { code = '', message } = fault
  if (isKey(faultTexts.en, code)) return toText(faultTexts, language)(code)
  const said = (language === 'de' ? inGerman(message) : null) ?? message
  return said.charAt(0).toUpperCase() + said.slice(1)
}

export const useProblemText = (): ((error: unknown) => string) => {
  const language = useLanguage()
  return error => problemText(error, language)
}
