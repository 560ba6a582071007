// The examples in the comments of what a package exports: editors show them, and they compile.

import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compileApp } from './compile-app.ts'

const exported = /^export (?!type\b)\{([^}]*)\} from '(.+)'$/gm
const commented = /\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\nexport (?:const|class|function|async function) (\w+)/g

/** The text after `@example` in the comments of a file, by the declared name; of overloads, the first one has it. */
const ownExamples = (source: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [, comment = '', name = ''] of source.matchAll(commented)) {
    const [, example] = comment.replaceAll(/^ \* ?/gm, '').split(/^@example\b/m)
    if (example !== undefined && !found.has(name)) found.set(name, example.trim())
  }
  return found
}

/** The examples of what a file declares, and of what it exports from others, by the exported names. */
export const commentExamples = (file: string): ReadonlyMap<string, string> => {
  const source = readFileSync(file, 'utf8')
  const examples = new Map(ownExamples(source))
  for (const [, list = '', from = ''] of source.matchAll(exported)) {
    const others = commentExamples(join(dirname(file), from))
    for (const item of list.split(',')) {
      const [declared = '', name = declared] = item.trim().split(' as ')
      const example = others.get(declared)
      if (example !== undefined) examples.set(name, example)
    }
  }
  return examples
}

/** Statements stay as they are, a list of fields stands in an object, and anything else is an expression. */
const toStatement = (example: string): string => {
  if (/^(?:export|const|throw|await|for|if)\b|;|\/\//.test(example))
    return example.replaceAll(/^export (?:default )?/gm, '')
  return /^\w+:/.test(example) ? `void ({ ${example} })` : `void (${example})`
}

export interface ExampleProgram {
  readonly examples: ReadonlyMap<string, string>
  /** The imports, and what examples take from their surroundings. */
  readonly preamble: string
  /** The folders of packages by their names. */
  readonly packages: Readonly<Record<string, string>>
}

/** Compiles the examples, each in a function of its own. Returns what the compiler says. */
export const compileExamples = async ({ examples, preamble, packages }: ExampleProgram): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-examples-'))
  try {
    for (const [name, target] of Object.entries(packages)) {
      const link = join(folder, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(target, link, 'dir')
    }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const functions = [...examples].map(
      ([name, example]) => `export const ${name}Example = async () => {\n${toStatement(example)}\n}`,
    )
    await writeFile(join(folder, 'app.ts'), [preamble, ...functions].join('\n'))
    return await compileApp(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
