// Problems and faults in the languages of their declarations and of the application: all texts of a service, by code.

import { type FaultParams, type FaultReason, type FaultTable, fillMessage } from './fault.ts'
import type { Fault, Problem } from './problem.ts'
import type { ProblemTable } from './problem-types.ts'
import { inLanguage, type Text, translationIn } from './text.ts'

/** Texts of a problem in one language. A string is its title. */
export type ProblemTranslation = string | { readonly title?: string; readonly detail?: string }

/** What an application adds in one language, by code. */
export interface ProblemTranslations {
  readonly problems?: Readonly<Record<string, ProblemTranslation>> | undefined
  readonly faults?: Readonly<Record<string, string>> | undefined
}

interface ProblemTextSources {
  readonly problems: ProblemTable
  /** Two modules may have the same code. */
  readonly faults: readonly FaultTable[]
  readonly languages?: Readonly<Record<string, ProblemTranslations>>
}

export interface ProblemTexts {
  /** The languages that have texts, English first. */
  readonly languages: readonly string[]
  /** What is said of a problem in this language. */
  words(problem: Problem, language: string): ProblemWords
  /** The fault as it is sent: with its message in this language. */
  fault<F extends FaultReason>(fault: F, language: string): Omit<F, 'texts'>
}

export interface ProblemWords {
  readonly title: string
  readonly detail: string | undefined
  readonly errors: readonly Fault[] | undefined
}

export const createProblemTexts = ({ problems, faults, languages = {} }: ProblemTextSources): ProblemTexts => {
  const added = Object.entries(languages)
  const messages = new Map<string, Text[]>()
  for (const [code, text] of faults.flatMap(table => Object.entries(table)))
    messages.set(code, [...(messages.get(code) ?? []), text])
  const inAdded = (code: string, language: string): string | undefined => languages[language]?.faults?.[code]
  const problemIn = (code: string, language: string): Exclude<ProblemTranslation, string> => {
    const texts = languages[language]?.problems?.[code]
    return typeof texts === 'string' ? { title: texts } : (texts ?? {})
  }

  /** The declaration that the message of the fault was made by. */
  const declarationOf = ({ code, message, params = {} }: FaultReason): Text | undefined => {
    const declared = messages.get(code)
    return (
      declared?.find(text => fillMessage(inLanguage(text, 'en'), { ...params, message }) === message) ?? declared?.[0]
    )
  }

  const messageIn = (fault: FaultReason, language: string): string => {
    const own = fault.texts?.[language]
    if (own !== undefined) return own
    const declared = fault.texts ? undefined : declarationOf(fault)
    const template =
      inAdded(fault.code, language) ?? (language === 'en' ? undefined : declared && translationIn(declared, language))
    if (template === undefined) return fault.message
    const params: FaultParams = { ...fault.params, ...reasonIn(fault, language), message: fault.message }
    return fillMessage(template, params, value => paramText(value, language))
  }

  /** A parameter `reason` may be the code of another fault with the same parameters. */
  const reasonIn = ({ params = {} }: FaultReason, language: string): FaultParams => {
    const { reason, ...others } = params
    const [text] = typeof reason === 'string' ? (messages.get(reason) ?? []) : []
    if (typeof reason !== 'string' || text === undefined) return {}
    const message = fillMessage(inLanguage(text, 'en'), others)
    return { reason: messageIn({ code: reason, message, params: others }, language) }
  }

  const toSent = <F extends FaultReason>(fault: F, language: string): Omit<F, 'texts'> => {
    const { texts: _, ...sent } = { ...fault, message: messageIn(fault, language) }
    return sent
  }

  return {
    languages: [
      ...new Set([
        'en',
        ...Object.values(problems).flatMap(({ title }) => languagesIn(title)),
        ...faults.flatMap(table => Object.values(table).flatMap(languagesIn)),
        ...added.filter(([, texts]) => texts.faults || texts.problems).map(([language]) => language),
      ]),
    ],
    words: (problem, language) => {
      const { code, type, details } = problem
      const added = problemIn(code, language)
      const errors = details.errors?.map(fault => toSent(fault, language))
      const general = added.detail ?? (type.detail && translationIn(type.detail, language))
      return {
        title: added.title ?? inLanguage(type.title, language),
        // What is known in the language of the caller comes before what is known in English alone.
        detail:
          (details.detail && translationIn(details.detail, language)) ??
          (errors && inWords(errors, language)) ??
          general ??
          (details.detail && inLanguage(details.detail, 'en')) ??
          (type.detail && inLanguage(type.detail, 'en')),
        errors,
      }
    },
    fault: toSent,
  }
}

const furtherFaults: Text = { en: '{count} more in errors', de: '{count} weitere in errors' }

/** Describes faults for people who read no further. */
const inWords = ([first, ...more]: readonly Fault[], language: string): string | undefined => {
  if (!first) return undefined
  const place = first.member ?? first.parameter
  const others = more.length > 0 ? ` (${fillMessage(inLanguage(furtherFaults, language), { count: more.length })})` : ''
  return `${place === undefined ? '' : `${place}: `}${first.message}${others}`
}

const languagesIn = (text: Text): readonly string[] => (typeof text === 'string' ? [] : Object.keys(text))

const isDate = /^\d{4}-\d\d-\d\d$/
const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/
const isDecimal = /^-?\d+\.\d+$/

/** Numbers without separators: a limit may be a year. */
const numberIn = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 }).format(value)

const decimalIn = (value: string, language: string): string => {
  const decimals = value.length - value.indexOf('.') - 1
  return new Intl.NumberFormat(language, { useGrouping: false, minimumFractionDigits: Math.min(decimals, 20) }).format(
    Number(value),
  )
}

const textIn = (value: string, language: string): string => {
  if (isDate.test(value))
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value))
  if (isTimestamp.test(value))
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' }).format(
      new Date(value),
    )
  return isDecimal.test(value) ? decimalIn(value, language) : value
}

/** Numbers, dates and amounts as the language writes them. English keeps them as programs do. */
const paramText = (value: FaultParams[string], language: string): string => {
  if (typeof value === 'object') return value.map(one => (language === 'en' ? one : textIn(one, language))).join(', ')
  if (language === 'en') return String(value)
  return typeof value === 'number' ? numberIn(value, language) : textIn(value, language)
}
