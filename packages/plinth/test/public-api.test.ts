// The public API: what is exported, its report, and the package as others install it.

import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runsAll } from '@plinth/test-kit/extent'
import { expect, onTestFinished, test } from 'vitest'
import { apiReport, exportsOf, keptReport, undocumented } from '../../../scripts/api-report.ts'
import { importsOf, reachableDeclarations } from '../../../scripts/declarations.ts'
import { clientFor } from '../src/testing/client.ts'

/** The most names that the entry `plinth` may have. */
const mostNames = 110

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

test('the API report is that of the code: run `npm run build && npm run api` after a change, and look at the difference', () => {
  expect(apiReport()).toBe(keptReport())
})

test('every exported name has a doc comment', () => {
  expect(undocumented()).toEqual([])
})

test('an application finds all it needs among about a hundred names, and each name has one entry', () => {
  const [application, authors, tests] = ['index', 'module', 'testing'].map(entry =>
    exportsOf(entry).map(({ name }) => name),
  )
  expect(application?.length).toBeLessThanOrEqual(mostNames)
  const all = [application, authors, tests].flatMap(names => names ?? [])
  expect(all.filter((name, at) => all.indexOf(name) < at)).toEqual([])
})

test('the compiler of an application reads no library but that of Node in the public declarations', () => {
  const folder = join(checkout, 'packages/plinth/dist/types')
  const files = reachableDeclarations(folder, ['index.d.ts', 'module.d.ts', 'testing.d.ts'])
  expect(files.length).toBeGreaterThan(100)
  const libraries = files.flatMap(file =>
    importsOf(readFileSync(join(folder, file), 'utf8'))
      .filter(target => !target.startsWith('.') && !isBuiltin(target))
      .map(target => `${file}: ${target}`),
  )
  expect(libraries).toEqual([])
})

test('the maps of declarations lead to sources that the package has', () => {
  const folder = join(checkout, 'packages/plinth/dist/types')
  const files = reachableDeclarations(folder, ['index.d.ts', 'module.d.ts', 'testing.d.ts'])
  const sources = files.map(file => {
    const map: { readonly sources: readonly string[] } = JSON.parse(readFileSync(join(folder, `${file}.map`), 'utf8'))
    return join(dirname(join(folder, file)), map.sources[0] ?? '')
  })
  expect(sources.filter(source => !existsSync(source))).toEqual([])
  expect(sources.filter(source => !source.startsWith(join(checkout, 'packages/plinth/src')))).toEqual([])
})

const application = `
import { rental } from '@plinth/rental'
import { defineApp, defineModule, defineResource, integer, type Row, text } from 'plinth'

const books = defineResource('books', {
  about: 'Books.',
  label: 'title',
  fields: { title: text({ required: true }), copies: integer({ default: 1 }) },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})
export const titleOf = ({ title }: Row<typeof books>): string => title

const library = defineModule({ name: 'library', about: 'Books.', resources: [books] })

export default defineApp({ name: 'City library', modules: [library, rental] })
`

/**
 * The options as `tsc --init` writes them, without the types of Node: declarations of other packages are not checked.
 */
const compilerOptions = {
  skipLibCheck: true,
  module: 'NodeNext',
  target: 'ES2022',
  strict: true,
  noEmit: true,
  declaration: true,
  types: [],
}

const run = async (cwd: string, file: string, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env: { ...process.env, NODE_ENV: '' } })
  return stdout + stderr
}

test.runIf(runsAll)(
  'the packed packages install, compile and run in an empty folder',
  { timeout: 600_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-packed-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const packed = await run(checkout, 'npm', 'run', '--silent', 'pack', '--', folder)
    const tarballs = packed.split('\n').filter(line => /\/plinth(-rental)?-\d[^/]*\.tgz$/.test(line))
    expect(tarballs).toHaveLength(2)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const installed = await run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs)
    expect(installed).not.toContain('EBADENGINE')
    await writeFile(join(folder, 'plinth.config.ts'), application)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await run(folder, process.execPath, join(checkout, 'node_modules/typescript-native/bin/tsc'), '-p', '.')
    const plinth = join(folder, 'node_modules/plinth/bin/plinth.js')
    await run(folder, process.execPath, plinth, 'build')
    const failed = await run(folder, process.execPath, plinth, 'start', '--app.files.s3.bucket=files').catch(
      (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : ''),
    )
    expect(failed).toContain(
      'app.files.s3.bucket (optional packages): needs packages that are not installed: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage',
    )
    const service = spawn(process.execPath, [plinth, 'start', '--server.port=0', '--app.demo=true'], { cwd: folder })
    onTestFinished(() => void service.kill('SIGKILL'))
    let said = ''
    service.stdout.setEncoding('utf8').on('data', text => {
      said += text
    })
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/ready at \S+/)
    const [, address = ''] = /ready at (\S+)/.exec(said) ?? []
    const staff = clientFor(address, { Authorization: `Basic ${btoa('staff:staff')}` })
    expect((await staff.post('/api/rest/books', { title: 'Emma' })).status).toBe(201)
    expect((await staff.get('/api/rest/films?_ps=1')).status).toBe(200)
    expect((await staff.get('/client/')).text).toContain('<script')
    expect((await staff.get('/docs/queries.html')).text).toContain('Query language')
  },
)
