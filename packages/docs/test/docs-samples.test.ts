// The TypeScript of README.md and docs/ compiles against the package, and its modules start.
//
// Samples that call the service are in calling-the-api.all.test.ts.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testAll } from '@plinth/test-kit/extent'
import { type Command, defineModule, type Job, type Module, type ResourceDefinition } from 'plinth'
import type { Endpoint } from 'plinth/module'
import { startPlinth } from 'plinth/testing'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { readPages } from '../reference.ts'
import { isCallerSample, samplesOf } from './doc-samples.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'dist/docs-samples')

const readmes = ['README.md', 'packages/plinth/README.md'].map(name => ({
  name,
  text: readFileSync(join(root, name), 'utf8'),
}))

/** Files of the example are generated into the pages, and compiled with it. */
const samples = [...readPages(), ...readmes]
  .flatMap(({ name, text }) => samplesOf(name, text))
  .filter(({ file }) => !isCallerSample(file) && !existsSync(join(root, 'examples/library', file)))

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2024', 'DOM'],
  jsx: 'react-jsx',
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
  // The static files of a sample.
  mkdirSync(join(folder, 'modules/library/public'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts', '**/*.tsx'] }))
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

testAll('the definitions of the samples have no mistakes: a service starts with them', async () => {
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
