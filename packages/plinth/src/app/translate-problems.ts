// Texts of problems and faults: those of the modules, and what an application adds in further languages.

import { type FaultTable, fault } from '../core/fault.ts'
import { type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import { type Module, problemsOf } from '../core/module.ts'
import { createProblemTexts, type ProblemTexts } from '../core/problem-texts.ts'
import { inLanguage, placeholdersIn } from '../core/text.ts'
import type { AppLanguages } from './client-options.ts'

export const problemTextsOf = (modules: readonly Module[], languages: AppLanguages = {}): ProblemTexts =>
  createProblemTexts({ problems: problemsOf(modules), faults: faultTablesOf(modules), languages })

const faultTablesOf = (modules: readonly Module[]): readonly FaultTable[] => [
  fault.table,
  ...modules.flatMap(({ faults }) => (faults ? [faults] : [])),
]

interface TranslatedApp {
  readonly modules: readonly Module[]
  readonly leftOut: readonly Module[]
  readonly languages: AppLanguages
}

/** The messages of faults in English, by code: the platform's and those of these modules. */
export const englishFaults = (modules: readonly Module[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    faultTablesOf(modules).flatMap(table =>
      Object.entries(table).map(([code, text]) => [code, inLanguage(text, 'en')]),
    ),
  )

/** Codes that no module has, and parameters that a message does not have. Modules that settings leave out can be translated, too. */
export const problemTextFaults = ({ modules, leftOut, languages }: TranslatedApp): readonly DefinitionFault[] => {
  const all = [...modules, ...leftOut]
  const problems = Object.keys(problemsOf(all))
  const messages = englishFaults(all)
  return Object.entries(languages).flatMap(([language, texts]) => {
    const missing = (place: string, known: readonly string[], codes: readonly string[]): DefinitionFault[] =>
      codes
        .filter(code => !known.includes(code))
        .map(code => ({ message: `languages.${language}.${place}: there is no '${code}'${didYouMean(known, code)}` }))
    return [
      ...missing('problems', problems, Object.keys(texts.problems ?? {})),
      ...missing('faults', Object.keys(messages), Object.keys(texts.faults ?? {})),
      ...Object.entries(texts.faults ?? {}).flatMap(([code, text]) =>
        unknownParams(`languages.${language}.faults.${code}`, text, messages[code]),
      ),
    ]
  })
}

/** The parameters of a message that the English one does not have. `{message}` is the English message itself. */
export const unknownParams = (place: string, text: string, english: string | undefined): DefinitionFault[] => {
  if (english === undefined) return []
  const known = placeholdersIn(english)
  return placeholdersIn(text)
    .filter(name => name !== 'message' && !known.includes(name))
    .map(name => ({ message: `${place}: the message has no parameter {${name}}${didYouMean(known, name)}` }))
}
