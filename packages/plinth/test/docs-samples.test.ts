// The TypeScript of README.md and docs/ compiles against the package, and its modules start.
//
// A block that begins with a path, such as `// modules/library/notes.ts`, is that file of the example. One that goes on, as
// `// modules/library/index.ts, for now`, and one without a path is a file of its own beside the module of the example.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { readPages } from '../../docs/reference.ts'
import {
  type Command,
  defineModule,
  type Endpoint,
  type Job,
  type Module,
  type ResourceDefinition,
} from '../src/index.ts'
import { startPlinth } from '../src/testing.ts'
import { type CodeBlock, codeBlocksOf } from './support/markdown.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'dist/docs-samples')

interface Sample {
  readonly file: string
  readonly text: string
  /** It declares what it needs, so it cannot run. */
  readonly isPartial: boolean
}

/** Where a block of a page belongs. */
const placeOf = (page: string, { line, text }: CodeBlock): string => {
  const [, path = 'modules/library/index.ts', further] = /^\/\/ (\S+\.ts)(,.*)?\n/.exec(text) ?? []
  const isFile = text.startsWith(`// ${path}`) && further === undefined
  return isFile ? path : join(dirname(path), `${page.replaceAll(/[^a-z]+/gi, '-')}-${line}.ts`)
}

/** A file of JSON that a sample imports is the next block of its page. */
const importedFiles = (sample: Sample, following: readonly CodeBlock[]): Sample[] => {
  const [, path] = /from '(\.\/[^']+\.json)'/.exec(sample.text) ?? []
  const json = following.find(({ language }) => language === 'json')
  return path && json ? [{ file: join(dirname(sample.file), path), text: json.text, isPartial: true }] : []
}

const samplesOf = (page: string, content: string): Sample[] => {
  const blocks = codeBlocksOf(content)
  return blocks.flatMap((block, at) => {
    if (block.language !== 'ts') return []
    const text = `${block.given}${block.text}\nexport {}\n`
    const sample = { file: placeOf(page, block), text, isPartial: block.given !== '' }
    return [sample, ...importedFiles(sample, blocks.slice(at + 1))]
  })
}

const readmes = ['README.md', 'packages/plinth/README.md'].map(name => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}))

/** Files of the example are generated into the pages, and compiled with it. */
const samples = [...readPages(), ...readmes]
  .flatMap(({ name, text }) => samplesOf(name, text))
  .filter(({ file }) => !existsSync(join(root, 'examples/library', file)))

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  noEmit: true,
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, 'examples/library'), folder, {
    recursive: true,
    filter: source => !/node_modules|dist|data/.test(source.slice(root.length)),
  })
  for (const { file, text } of samples) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
})

test('every file is shown once', () => {
  const files = samples.map(({ file }) => file)
  expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([])
})

test('all samples compile', async () => {
  const compile = promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder, '--pretty', 'false'],
    { cwd: folder },
  )
  const { stdout } = await compile.catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

const has = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every(name => name in value)
const isModule = (value: unknown): value is Module => has(value, 'about', 'resources') && !has(value, 'kind')
const isResource = (value: unknown): value is ResourceDefinition => has(value, 'identifier') && !has(value, 'additions')
const isEndpoint = (value: unknown): value is Endpoint => has(value, 'method', 'path')
const isJob = (value: unknown): value is Job => has(value, 'run') && (has(value, 'cron') || has(value, 'everyMs'))
const isCommand = (value: unknown): value is Command =>
  has(value, 'about', 'run') && !isJob(value) && !isEndpoint(value)

test('the definitions of the samples have no mistakes: a service starts with them', async () => {
  const runnable = samples.filter(({ isPartial, file }) => !isPartial && /^modules.*(?<!\.test)\.ts$/.test(file))
  const files = await Promise.all(
    runnable.map(({ file }) => import(join(folder, file)) as Promise<Record<string, unknown>>),
  )
  const values = files.flatMap(file => Object.values(file))
  const { library }: { library: Module } = await import(join(folder, 'modules/library/index.ts'))
  const others = values.filter(isModule).filter(({ name }) => name !== 'library' && name !== 'lending')
  const samplesModule = defineModule({
    name: 'samples',
    about: 'What the pages declare.',
    resources: values.filter(isResource),
    endpoints: values.filter(isEndpoint),
    jobs: values.filter(isJob),
    commands: values.filter(isCommand),
  })
  expect(samplesModule.resources.length).toBeGreaterThan(5)
  const service = await startPlinth({ modules: [library, samplesModule, ...others] })
  onTestFinished(() => service.stop())
  expect((await service.as('staff').post('/api/rest/shelves', { name: 'Poetry' })).status).toBe(201)
})
