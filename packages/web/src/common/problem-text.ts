// Problems and faults in words. The service sends them in the language of the user; the client adds what it alone knows.

import { ApiProblem, type ProblemFault } from '@plinth/client'
import { placeOf } from '../api/problem.ts'
import { toText } from '../i18n/dictionary.ts'
import { type Language, useLanguage } from '../i18n/language.ts'
import { commonTexts, problemTexts } from './dictionary.ts'

type ResourceTitles = (resource: string) => string | undefined

/** The text of the client itself: no connection, a response without words, or records that people know by another name. */
const ownText = (
  { code, status, document, faults }: ApiProblem,
  language: Language,
  titleOf: ResourceTitles,
): string | null => {
  const t = toText(problemTexts, language)
  if (code === 'unreachable') return t('unreachable')
  // The faults are beside their fields.
  if (code === 'invalid' && faults.length > 0) return t('invalid')
  const title = typeof document.referencedBy === 'string' ? titleOf(document.referencedBy) : undefined
  if (code === 'referenced' && title !== undefined) return t('referencedBy', { title })
  if (document.detail !== undefined || document.title !== undefined || status < 500) return null
  return t(status === 500 ? 'internal' : 'unavailable')
}

export const problemText = (error: unknown, language: Language, titleOf: ResourceTitles = () => undefined): string => {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error)
  const text = ownText(error, language, titleOf) ?? error.message
  const wait = error.retryAfterSeconds
  return wait === null ? text : `${sentence(text)} ${toText(commonTexts, language)('retryIn', { count: wait })}`
}

/** Ends the text with a full stop, unless it has an end. */
const sentence = (text: string): string => (/[.!?:…]$/.test(text) ? text : `${text}.`)

/** A message is a sentence, or a part of one, such as `must be at least 3`, that begins with the name of the field. */
export const faultText = ({ message }: Pick<ProblemFault, 'message'>, label = ''): string => {
  const isPart = /^\p{Ll}/u.test(message)
  return sentence(isPart && label !== '' ? `${label} ${message}` : message.charAt(0).toUpperCase() + message.slice(1))
}

/** Puts the name of the field before a message that needs one, or that stands apart from its field. */
export const faultAt = (label: string | null | undefined, fault: Pick<ProblemFault, 'message'>): string => {
  const isPart = /^\p{Ll}/u.test(fault.message)
  return isPart ? faultText(fault, label ?? '') : [label, faultText(fault)].filter(Boolean).join(': ')
}

interface FieldLabels {
  /** The name of a field. */
  readonly labelOf?: (field: string) => string | undefined
  /** The name of a part of a field, such as a line of an address. */
  readonly partOf?: (place: readonly string[]) => string
}

/** The texts for the fields of a form, by name. */
export const faultTextsByField = (
  error: unknown,
  { labelOf = () => undefined, partOf = ([, ...parts]) => parts.join(' ') }: FieldLabels = {},
): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const fault of error instanceof ApiProblem ? error.faults : []) {
    const place = placeOf(fault)
    const [field = ''] = place
    const text = place.length > 1 ? faultAt(partOf(place), fault) : faultText(fault, labelOf(field))
    const known = texts.get(field)
    texts.set(field, known === undefined ? text : `${known} ${text}`)
  }
  return texts
}

export const useProblemText = (): ((error: unknown) => string) => {
  const language = useLanguage()
  return error => problemText(error, language)
}
