// `plinth generate`: writes the file of a resource, endpoint, job, module or page, and adds it to the list that it belongs to.

import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { CommandError } from './explain.ts'
import { generatePage } from './generate-page.ts'
import { capitalize, type NameForms, toForms } from './name-forms.ts'
import { addToList } from './source-list.ts'
import { writeNew } from './write-new.ts'

const resourceText = ({ camel, title }: NameForms): string => `import { defineResource, text } from 'plinth'

export const ${camel} = defineResource('${camel}', {
  about: '${title}.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 200 }),
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})
`

const endpointText = (
  { kebab, camel, pascal, title }: NameForms,
  module: string,
): string => `import { defineEndpoint, defineShape, text } from 'plinth'

const ${camel}Result = defineShape('${pascal}Result', {
  message: text({ required: true }),
})

export const ${camel} = defineEndpoint({
  method: 'POST',
  path: '/api/${module}/${kebab}',
  id: '${camel}',
  summary: '${title}',
  access: 'caller.signedIn',
  body: { message: text({ required: true, max: 200 }) },
  answers: { 200: ${camel}Result },
  run: async ({ body }) => ({ message: body.message }),
})
`

const jobText = ({ kebab, camel, title }: NameForms): string => `import { defineJob } from 'plinth'

export const ${camel} = defineJob({
  name: '${kebab}',
  about: '${title}.',
  // Every day at 3:00 UTC. A job may run again after a crash, so a second run must do no harm.
  cron: '0 3 * * *',
  run: async ({ signal }) => {
    signal.throwIfAborted()
  },
})
`

const moduleText = ({ kebab, camel, title }: NameForms): string => `import { defineModule } from 'plinth'

export const ${camel} = defineModule({
  name: '${kebab}',
  about: '${title}.',
  resources: [],
})
`

const parts = {
  resource: { list: 'resources', text: resourceText },
  endpoint: { list: 'endpoints', text: endpointText },
  job: { list: 'jobs', text: jobText },
  module: { list: 'modules', text: moduleText },
} as const

/** What can be generated. */
export type GeneratedPart = keyof typeof parts | 'page'

export const isGeneratedPart = (word: string): word is GeneratedPart => generatedParts.includes(word)

export const generatedParts: readonly string[] = [...Object.keys(parts), 'page']

const reservedWords = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this throw ' +
    'true try typeof var void while with yield'
  ).split(' '),
)

const requireUsable = (name: string, text: string): void => {
  const isImported = new RegExp(`^import .*\\b${name}\\b.* from`).test(text)
  if (reservedWords.has(name) || isImported)
    throw new CommandError(`'${name}' has a meaning in code already; choose another name.`)
}

/** The folder of the module that gets the part: the named one, or the only one. */
const moduleFor = (folder: string, index: string, requestedName: string | undefined): string => {
  const places = existsSync(folder) ? readdirSync(folder).filter(name => existsSync(join(folder, name, index))) : []
  const [only, ...others] = places
  if (requestedName === undefined && only !== undefined && others.length === 0) return only
  const found = places.find(place => requestedName !== undefined && place === toForms(requestedName).kebab)
  if (found) return found
  const known = places.length > 0 ? ` There are: ${places.join(', ')}.` : ''
  throw new CommandError(
    requestedName === undefined
      ? `Name the module with --module <name>, or create one: plinth generate module <name>.${known}`
      : `There is no module '${requestedName}' in ${folder}.${known}`,
  )
}

interface GenerateOptions {
  readonly part: GeneratedPart
  readonly name: string
  /** The module that gets the part; needed if there are several. */
  readonly module?: string | undefined
}

/** `source` is the configuration file of the application. Returns what was done, for the user. */
export const generate = async (source: string, options: GenerateOptions): Promise<readonly string[]> => {
  const { part, name } = options
  const root = dirname(source)
  const extension = source.endsWith('ts') ? 'ts' : 'js'
  const index = `index.${extension}`
  const forms = toForms(name)
  const module = part === 'module' ? forms.kebab : moduleFor(join(root, 'modules'), index, options.module)
  const folder = join(root, 'modules', module)
  if (part === 'page') return generatePage({ folder, forms, code: extension })
  const file = join(folder, part === 'module' ? index : `${forms.kebab}.${extension}`)
  const listFile = part === 'module' ? source : join(folder, index)
  const { list, text: textOf } = parts[part]
  const text = textOf(forms, module)
  requireUsable(forms.camel, text)
  await writeNew(file, text)
  const relativePath = (path: string): string => relative(process.cwd(), path)
  const edited = addToList(await readFile(listFile, 'utf8'), {
    call: part === 'module' ? 'defineApp' : 'defineModule',
    list,
    name: forms.camel,
    alias: forms.camel + capitalize(part),
    from: part === 'module' ? `./modules/${module}/${index}` : `./${basename(file)}`,
  })
  if (edited === undefined)
    return [
      `Created ${relativePath(file)}`,
      `Add ${forms.camel} to the ${list} in ${relativePath(listFile)}: the list was not found.`,
    ]
  await writeFile(listFile, edited)
  return [`Created ${relativePath(file)}`, `Added ${forms.camel} to the ${list} in ${relativePath(listFile)}`]
}
