// `plinth language fr`: writes the file of a language, with every text of the web client and of the resources. Texts that the
// application has already are kept as long as they are used; the others are in English, to be translated.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FieldTexts, LanguageTexts, ResourceTexts, WebClientTexts } from '../app/client-options.ts'
import { englishFaults } from '../app/translate-problems.ts'
import { fieldTitle, resourceTitle, singularTitle } from '../core/describe/names.ts'
import type { Field } from '../core/model/field.ts'
import type { Resource } from '../core/model/resource.ts'
import { inLanguage, titleIn } from '../core/model/words.ts'
import { type Module, problemsOf } from '../core/module.ts'

interface Translatable {
  readonly client: WebClientTexts
  readonly resources: readonly Resource[]
  readonly modules: readonly Module[]
  /** What the application has in this language. */
  readonly present: LanguageTexts | undefined
}

/** The language in itself, as far as Node knows it. */
const nameOf = (code: string): string => {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

export const languageTexts = (code: string, { client, resources, modules, present }: Translatable): LanguageTexts => ({
  name: present?.name ?? nameOf(code),
  client: Object.fromEntries(
    Object.entries(client).map(([dictionary, texts]) => [
      dictionary,
      Object.fromEntries(
        Object.entries(texts).map(([name, english]) => [name, present?.client?.[dictionary]?.[name] ?? english]),
      ),
    ]),
  ),
  resources: Object.fromEntries(
    resources
      .filter(({ definition }) => !definition.internal)
      .map(resource => [resource.name, resourceTexts(resource, code)]),
  ),
  problems: Object.fromEntries(
    Object.entries(problemsOf(modules)).map(([name, type]) => [
      name,
      present?.problems?.[name] ?? {
        title: inLanguage(type.title, code),
        ...(type.detail && { detail: inLanguage(type.detail, code) }),
      },
    ]),
  ),
  faults: { ...englishFaults(modules), ...present?.faults },
})

/** The definitions have the translations of the application, too. */
const resourceTexts = (resource: Resource, code: string): ResourceTexts => ({
  title: resourceTitle(resource, code),
  singularTitle: singularTitle(resource, code),
  about: inLanguage(resource.definition.about, code),
  fields: Object.fromEntries(
    Object.entries(resource.definition.fields).map(([name, field]) => [name, fieldTexts(name, field, code)]),
  ),
})

const fieldTexts = (name: string, field: Field, code: string): FieldTexts => {
  const title = fieldTitle(name, field.options, code)
  const { about } = field.options
  const labels = field.role === 'value' ? Object.entries(field.type.labels ?? {}) : []
  if (about === undefined && labels.length === 0) return title
  return {
    title,
    ...(about !== undefined && { about: inLanguage(about, code) }),
    ...(labels.length > 0 && {
      labels: Object.fromEntries(labels.map(([choice, label]) => [choice, titleIn(label, code) ?? choice])),
    }),
  }
}

/** Gives the lines to print. */
export const writeLanguage = async (folder: string, code: string, texts: LanguageTexts): Promise<readonly string[]> => {
  const name = join('languages', `${code}.json`)
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(texts, null, 2)}\n`)
  return [
    `Wrote ${name}. Translate its texts, and add it to plinth.config.ts if it is not there:`,
    '',
    `  import ${variableOf(code)} from './languages/${code}.json' with { type: 'json' }`,
    '',
    `  export default defineApp({ …, languages: { ${keyOf(code)} } })`,
  ]
}

const variableOf = (code: string): string => code.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const keyOf = (code: string): string => (code.includes('-') ? `'${code}': ${variableOf(code)}` : code)
