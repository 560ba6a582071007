// The pages about calling the API, followed to the letter: their TypeScript compiles with the types that `plinth types` and
// openapi-typescript generate, and the programs run against the application of the tutorial.

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openBrowser } from '@plinth/test-kit/browser'
import { build } from 'esbuild'
import openapiTs, { astToString } from 'openapi-typescript'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import library from '../../../examples/library/plinth.config.ts'
import { fetchOpenapi, writeOpenapi, writeTypes } from '../../plinth/src/cli/api-description.ts'
import { isCallerSample, samplesOf } from './doc-samples.ts'
import { codeBlocksOf } from './markdown.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'dist/docs-callers')
const run = promisify(execFile)
const readPage = (page: string): string => readFileSync(join(root, 'docs', page), 'utf8')

const samples = ['client.md', 'mobile.md', 'react-admin.md', 'file-fields.md']
  .flatMap(page => samplesOf(page, readPage(page)))
  .filter(({ file }) => isCallerSample(file))

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  jsx: 'react-jsx',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** What Expo installs. */
const secureStore = `declare module 'expo-secure-store' {
  export const getItemAsync: (key: string) => Promise<string | null>
  export const setItemAsync: (key: string, value: string) => Promise<void>
  export const deleteItemAsync: (key: string) => Promise<void>
}
`

let service: TestService
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  service = await startPlinth({ app: library })
  cpSync(join(root, 'examples/library'), folder, {
    recursive: true,
    filter: source => !/node_modules|dist|data|\.test\./.test(source.slice(root.length)),
  })
  for (const { file, text } of samples) write(file, text.replaceAll('http://127.0.0.1:8080', service.url))
  const openapi = await fetchOpenapi(service.url)
  await writeTypes(openapi, { out: join(folder, 'client/plinth.ts') })
  const part = await writeOpenapi(openapi, library, { only: 'books,authors', format: 'json' })
  write('client/api.ts', astToString(await openapiTs(part)))
  write('client/expo.d.ts', secureStore)
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['client/*.ts', 'admin/*.tsx'] }))
})
afterAll(() => service.stop())

test('all samples compile', async () => {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

const bundle = async (file: string, format: 'esm' | 'iife'): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, file)],
    bundle: true,
    write: false,
    format,
    platform: format === 'esm' ? 'node' : 'browser',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['plinth-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

test.each([
  ['client/list-books.ts', '1 book by an author born in 1882\n'],
  ['client/openapi-fetch.ts', 'Emma\n'],
])('%s runs', async (file, printed) => {
  write('program.mjs', await bundle(file, 'esm'))
  expect((await run(process.execPath, [join(folder, 'program.mjs')])).stdout).toBe(printed)
})

const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
)

test.runIf(hasRequests)('the Python runs', async () => {
  const blocks = codeBlocksOf(readPage('python.md')).filter(({ language }) => language === 'python')
  const program = `${blocks.map(({ text }) => text).join('\n')}\nprint(titles)\n`
  write('program.py', program.replaceAll('http://127.0.0.1:8080', service.url))
  const { stdout } = await run('python3', [join(folder, 'program.py')])
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Emma by Jane Austen',
    'The Waves by Virginia Woolf',
    "invalid [('born', 'must be at most 2100'), ('name', 'is required')]",
    'created Mary Shelley',
    "['Emma', 'The Waves']",
  ])
})

test('the application of react-admin signs in, lists books with their authors, and edits one', async () => {
  const { page, close } = await openBrowser(service.url)
  await page.goto(`${service.url}/docs/problems#/books`)
  // The policy of the page allows no scripts but its own; the debugger may run any.
  await page.evaluate(`document.body.replaceChildren(); ${await bundle('admin/main.tsx', 'iife')}; undefined`)
  await page.fill('input[name=username]', 'staff')
  await page.fill('input[name=password]', 'staff')
  await page.click('button[type=submit]')
  await page.waitForSelector('text=Virginia Woolf')
  await page.fill('input[name=q]', 'austen')
  await page.waitForSelector('text=Virginia Woolf', { state: 'detached' })
  await page.click('text=Emma')
  await page.fill('input[name=copies]', '7')
  await page.click('button[type=submit]')
  await page.waitForSelector('td.column-copies:has-text("7")')
  await close()
})
