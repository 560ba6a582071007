// `plinth dev` as people start it, with `npm run dev`: it serves the source, keeps the last good version, and leaves nothing behind.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testAll } from '@plinth/test-kit/extent'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientFor } from '../../src/testing/client.ts'
import { until } from '../../src/testing/waiting.ts'

const plinth = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plinth-dev-'))

const writeModule = (copies: string): Promise<void> =>
  writeFile(
    join(folder, 'modules/library/library.ts'),
    `import { fileURLToPath } from 'node:url'
import { defineModule, defineResource, integer, text } from 'plinth'
const books = defineResource('books', {
  about: 'Books.',
  label: 'title',
  fields: { title: text({ required: true }), copies: integer({ ${copies} }) },
  access: { read: 'true', write: 'caller.signedIn' },
})
const folder = fileURLToPath(new URL('./public', import.meta.url))
export const library = defineModule({
  name: 'library',
  about: 'Books.',
  resources: [books],
  files: [{ prefix: '/site', folder, fallback: 'index.html' }],
})
`,
  )

beforeAll(async () => {
  await mkdir(join(folder, 'node_modules'))
  await mkdir(join(folder, 'modules/library/public'), { recursive: true })
  await writeFile(join(folder, 'modules/library/public/index.html'), '<h1>Welcome</h1>')
  await symlink(plinth, join(folder, 'node_modules/plinth'), 'dir')
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { dev: 'node node_modules/plinth/bin/plinth.js dev' } }),
  )
  await writeFile(
    join(folder, 'plinth.config.ts'),
    `import { defineApp } from 'plinth'
import { library } from './modules/library/library.ts'
export default defineApp({ name: 'City library', modules: [library] })
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the command in a process group of its own: the test sees whether any process of it is left. */
const startDev = async (...args: readonly string[]) => {
  await writeModule('default: 1')
  const settings = ['--server.port=0', '--app.demo=true', '--app.log.level=error']
  const npm = spawn('npm', ['run', 'dev', '--', ...settings, ...args], { cwd: folder, detached: true })
  const group = -(npm.pid ?? 0)
  const isLeft = (): boolean => {
    try {
      return process.kill(group, 0)
    } catch {
      return false
    }
  }
  onTestFinished(() => void (isLeft() && process.kill(group, 'SIGKILL')))
  let said = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const addresses = () => [...said.matchAll(/ready at (\S+)/g)].map(([, address = '']) => address)
  const started = async (times: number): Promise<string> => {
    await until(`start ${times} of the application`, () => addresses().length === times)
    return addresses().at(-1) ?? ''
  }
  return { npm, isLeft, started, said: () => said }
}

const copiesOfNew = async (address: string): Promise<number> => {
  const staff = clientFor(address, { Authorization: `Basic ${btoa('staff:staff')}` })
  return (await staff.post('/api/rest/books', { title: 'Emma' })).body.copies
}

/** The version of TypeScript that the application has. */
const installTypeScript = async (name: 'typescript' | 'typescript-native'): Promise<void> => {
  const place = join(folder, 'node_modules/typescript')
  await rm(place, { force: true })
  await symlink(join(plinth, '../../node_modules', name), place, 'dir')
  onTestFinished(() => rm(place, { force: true }))
}

const shelf = 'modules/library/shelf.ts'

/**
 * Has the shelf checked alone: the types of Plinth take a compiler seconds. Written while no compiler runs: one that reads it half
 * written checks all files and does not look again.
 */
const writeProject = (): Promise<void> => {
  const compilerOptions = { strict: true, types: [], lib: ['es2023'] }
  return writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [shelf] }))
}

const writeShelf = (size: string): Promise<void> =>
  writeFile(join(folder, shelf), `export const label = 'A'\nexport const size: number = ${size}\n`)

const refuses = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => false,
    () => true,
  )

test('a change starts it again, a mistake keeps the last good version, and SIGTERM to npm ends all of it', async () => {
  const dev = await startDev()
  const first = await dev.started(1)
  expect(await copiesOfNew(first)).toBe(1)
  expect(await (await fetch(`${first}/site/`)).text()).toBe('<h1>Welcome</h1>')
  await writeModule('defalt: 2')
  await until('the mistake', () => dev.said().includes("unknown option 'defalt'; did you mean 'default'?"))
  await until('the banner', () => dev.said().includes('The version before is still running'))
  expect(await copiesOfNew(first)).toBe(1)
  await writeModule('default: 2')
  const second = await dev.started(2)
  expect(await copiesOfNew(second)).toBe(2)
  expect(dev.said().match(/Types are not checked: run `npm install --save-dev typescript`/g)).toHaveLength(1)
  dev.npm.kill('SIGTERM')
  await until('all processes to end', () => !dev.isLeft())
  expect(await refuses(second)).toBe(true)
})

const showsTypeErrors = async (): Promise<void> => {
  await writeProject()
  await writeShelf("'large'")
  const dev = await startDev()
  const address = await dev.started(1)
  const error = `${shelf}:2:14 - error TS2322: Type 'string' is not assignable to type 'number'.`
  await until('the type error', () => dev.said().includes(error))
  expect(dev.said()).toContain('One type error. The service runs nevertheless.')
  expect(dev.said()).not.toContain('No type errors.')
  expect(await copiesOfNew(address)).toBe(1)
  await writeShelf('3')
  await until('the end of the type error', () => dev.said().includes('No type errors.'))
  expect(await copiesOfNew(address)).toBe(1)
  dev.npm.kill('SIGTERM')
  await until('all processes to end', () => !dev.isLeft())
}

testAll('a type error is printed with its place while the service runs, until it is corrected', async () => {
  await installTypeScript('typescript-native')
  await showsTypeErrors()
})

testAll('compilers before version 7 show type errors too', async () => {
  await installTypeScript('typescript')
  await showsTypeErrors()
})

testAll('--no-types checks no types, and gives no hint how to', async () => {
  const dev = await startDev('--no-types')
  await dev.started(1)
  await writeModule('default: 2')
  await dev.started(2)
  dev.npm.kill('SIGTERM')
  await until('all processes to end', () => !dev.isLeft())
  expect(dev.said()).not.toMatch(/type error|Types are/i)
})

testAll(
  'a change of .env counts, a mistake in it or in the syntax does not, and each start can be debugged',
  async () => {
    await writeFile(join(folder, '.env'), '')
    const dev = await startDev('--inspect=0')
    const first = await dev.started(1)
    const debuggers = () => dev.said().match(/Debugger listening on ws:/g)?.length
    expect(debuggers()).toBe(1)
    await writeModule('default: 3 }')
    await until('the mistake in the syntax', () => /library\.ts:\d+:\d+/.test(dev.said()))
    await writeFile(join(folder, '.env'), 'SERVER_PORT=many\n')
    await writeModule('default: 1')
    await until('the mistake in a setting', () => dev.said().includes("'many'"))
    expect(await copiesOfNew(first)).toBe(1)
    await writeFile(join(folder, '.env'), 'APP_BASEURL=http://shop.localhost:1\n')
    const second = await dev.started(2)
    const { body } = await clientFor(second, {}).get('/api/rest/books', { Accept: 'application/hal+json' })
    expect(body._links.self.href).toMatch(/^http:\/\/shop\.localhost:1\//)
    expect(debuggers()).toBe(2)
    dev.npm.kill('SIGTERM')
    await until('all processes to end', () => !dev.isLeft())
  },
)

testAll.each(['SIGKILL', 'SIGHUP', 'SIGINT'] as const)('%s of plinth dev leaves no process behind', async signal => {
  await writeFile(join(folder, '.env'), '')
  await installTypeScript('typescript-native')
  await writeShelf('3')
  const dev = await startDev()
  const address = await dev.started(1)
  await until('the check of types', () => dev.said().includes('No type errors.'))
  const children = await readFile(`/proc/${dev.npm.pid}/task/${dev.npm.pid}/children`, 'utf8')
  const shell = Number(children.trim())
  const [watcher = 0] = (await readFile(`/proc/${shell}/task/${shell}/children`, 'utf8')).trim().split(' ').map(Number)
  process.kill(watcher, signal)
  await until('all processes to end', () => !dev.isLeft())
  expect(await refuses(address)).toBe(true)
})

testAll('what fails after the version before has ended is replaced by it', async () => {
  await writeFile(join(folder, '.env'), '')
  const dev = await startDev()
  await dev.started(1)
  const text = await readFile(join(folder, 'modules/library/library.ts'), 'utf8')
  await writeFile(
    join(folder, 'modules/library/library.ts'),
    text.replace(
      'resources: [books]',
      `resources: [books], check: async () => {
  throw new Error('no stock')
}`,
    ),
  )
  const again = await dev.started(2)
  expect(dev.said()).toContain('no stock')
  expect(await copiesOfNew(again)).toBe(1)
  dev.npm.kill('SIGTERM')
  await until('all processes to end', () => !dev.isLeft())
})
