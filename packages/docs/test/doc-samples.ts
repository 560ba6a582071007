// The TypeScript of the pages as files.
//
// A block that begins with a path, such as `// modules/library/notes.ts`, is that file of the example. One that goes on, as
// `// modules/library/index.ts, for now`, and one without a path is a file of its own beside the module of the example.

import { dirname, join } from 'node:path'
import { type CodeBlock, codeBlocksOf } from './markdown.ts'

export interface DocSample {
  readonly file: string
  readonly text: string
  /** Says that it declares what it needs, so it cannot run. */
  readonly isPartial: boolean
}

/** Finds the file to which a block of a page belongs. */
const placeOf = (page: string, { line, text }: CodeBlock): string => {
  const [, path = 'modules/library/index.ts', further] = /^\/\/ (\S+\.tsx?)(,.*)?\n/.exec(text) ?? []
  const isFile = text.startsWith(`// ${path}`) && further === undefined
  return isFile ? path : join(dirname(path), `${page.replaceAll(/[^a-z]+/gi, '-')}-${line}.ts`)
}

/** A file of JSON that a sample imports is the next block of its page. */
const importedFiles = (sample: DocSample, following: readonly CodeBlock[]): DocSample[] => {
  const [, path] = /from '(\.\/[^']+\.json)'/.exec(sample.text) ?? []
  const json = following.find(({ language }) => language === 'json')
  return path && json ? [{ file: join(dirname(sample.file), path), text: json.text, isPartial: true }] : []
}

export const samplesOf = (page: string, content: string): DocSample[] => {
  const blocks = codeBlocksOf(content)
  return blocks.flatMap((block, at) => {
    if (block.language !== 'ts' && block.language !== 'tsx') return []
    const text = `${block.given}${block.text}\nexport {}\n`
    const sample = { file: placeOf(page, block), text, isPartial: block.given !== '' }
    return [sample, ...importedFiles(sample, blocks.slice(at + 1))]
  })
}

/** Programs that call the service, in contrast to the application itself. */
export const isCallerSample = (file: string): boolean => /^(client|admin)\//.test(file)
