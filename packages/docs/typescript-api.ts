// The pages of the TypeScript API: every exported name with its doc comment and declaration, by the headings of `index.ts`. They are made
// from the declarations that `npm run build` writes, when the site is built, into `docs/api`, which is not under version control.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ExportedName, exportsOf } from '../../scripts/api-report.ts'

const entryNames = { index: 'plinth', module: 'plinth/module', testing: 'plinth/testing' } as const

interface ApiPage {
  readonly name: string
  readonly title: string
  readonly entry: keyof typeof entryNames
  /** The names; null for all of the entry point. */
  readonly names: ReadonlySet<string> | null
}

const plinth = fileURLToPath(new URL('../plinth/', import.meta.url))

const toName = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** `// Heading` on a line of its own, and the exports that follow. */
const sectionsOf = (entry: 'index' | 'module', prefix: string): ApiPage[] =>
  readFileSync(join(plinth, `src/${entry}.ts`), 'utf8')
    .split(/^\/\/ (?=[A-Z][^.]*$)/m)
    .slice(1)
    .map(section => {
      const [heading = '', ...lines] = section.split('\n')
      const title = heading.replace(/:.*$/, '').trim()
      const lists = [...lines.join('\n').matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, names = '']) => names)
      const names = lists.flatMap(list => list.split(',').map(one => one.replace(/^\s*(type )?(\w+ as )?/, '').trim()))
      return { name: prefix + toName(title), title, entry, names: new Set(names.filter(Boolean)) }
    })

export const apiPages: readonly ApiPage[] = [
  ...sectionsOf('index', ''),
  ...sectionsOf('module', 'module-'),
  { name: 'testing', title: 'Testing', entry: 'testing', names: null },
]

/** Comments refer to code in backquotes; everything else is text, also `<` and `{{`. */
const toMarkdown = (comment: string): string =>
  comment.replaceAll(/(`[^`]*`)|[<{]/g, (found, quoted?: string) => quoted ?? `&#${found.charCodeAt(0)};`)

/** Colours make a long declaration many times as large. */
const languageOf = (text: string): string => (text.length > 1200 ? 'txt' : 'ts')

const toSection = ({ name, text, comment }: ExportedName): string =>
  `## ${name}\n\n${toMarkdown(comment)}\n\n\`\`\`${languageOf(text)}\n${text.replaceAll('export declare ', 'export ')}\n\`\`\`\n`

const toPage = ({ title, entry, names }: ApiPage): string => {
  const sections = exportsOf(entry)
    .filter(({ name }) => names === null || names.has(name))
    .map(toSection)
  return `# ${title}\n\nExported by \`${entryNames[entry]}\`. Generated from the declarations and their doc comments.\n\n${sections.join('\n')}`
}

export const writeApiPages = (): void => {
  const folder = fileURLToPath(new URL('../../docs/api/', import.meta.url))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const page of apiPages) writeFileSync(join(folder, `${page.name}.md`), toPage(page))
}
