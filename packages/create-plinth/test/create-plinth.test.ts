// `npm create plinth my-app`: the application that it writes compiles, also with what `plinth generate` adds, and passes its own test.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expectHardened } from '@plinth/test-kit/compose'
import { testAll } from '@plinth/test-kit/extent'
import { settings } from '@plinth/test-kit/platform'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type GeneratedPart, generate } from '../../plinth/src/cli/generate.ts'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const creator = join(checkout, 'packages/create-plinth/bin/create-plinth.js')
const compiler = join(checkout, 'node_modules/typescript-native/bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'plinth-create-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The environment without the variables of the test runner that runs this file. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST)/.test(name)))

/** Runs a command and returns both outputs; rejects with them when it fails. */
const run = async (cwd: string, file: string, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env })
  return stdout + stderr
}

const create = (...args: readonly string[]) => run(folder, process.execPath, creator, ...args)

const link = async (app: string, name: string): Promise<void> => {
  const place = join(app, 'node_modules', name)
  await mkdir(join(place, '..'), { recursive: true })
  await symlink(join(checkout, 'node_modules', name), place, 'dir')
}

testAll('a new application compiles, with generated parts too, and passes its own test', async () => {
  const said = await create('my-app', '--no-install', '--yes')
  expect(said).toContain('  cd my-app\n  npm install\n  npm run dev\n')
  const app = join(folder, 'my-app')
  for (const name of ['plinth', 'vitest', '@types/node', '@types/react', '@plinth/web', 'react']) await link(app, name)
  await run(app, process.execPath, compiler)
  const launcher = join(app, 'node_modules/plinth/bin/plinth.js')
  expect(await run(app, process.execPath, launcher, 'generate', 'resource', 'contact-groups')).toBe(
    'Created modules/planning/contact-groups.ts\nAdded contactGroups to the resources in modules/planning/index.ts\n',
  )
  const source = join(app, 'plinth.config.ts')
  const add = (part: GeneratedPart, name: string, module?: string) => generate(source, { part, name, module })
  await add('endpoint', 'sendReminder')
  await add('job', 'clean-up')
  await add('module', 'invoices')
  await add('resource', 'invoices', 'invoices')
  expect(await add('page', 'late-tasks', 'planning')).toEqual([
    expect.stringMatching(/^Created .*late-tasks-page\.tsx$/),
    expect.stringMatching(/^Created .*late-tasks-area\.ts$/),
    expect.stringMatching(/^Added lateTasksArea to the areas in .*web.index\.tsx$/),
    'Then open /client/late-tasks',
  ])
  await add('page', 'calendar', 'planning')
  await expect(add('job', 'clean-up', 'planning')).rejects.toThrow(/clean-up\.ts exists already/)
  await expect(add('job', 'other')).rejects.toThrow(/--module <name>.*There are: invoices, planning/)
  await expect(add('job', 'other', 'plannings')).rejects.toThrow(/There is no module 'plannings'/)
  await expect(add('job', '../other', 'planning')).rejects.toThrow(/cannot be a name/)
  for (const name of ['text', 'delete'])
    await expect(add('resource', name, 'planning')).rejects.toThrow(/choose another name/)
  await run(app, process.execPath, compiler)
  expect(await run(app, process.execPath, join(app, 'node_modules/vitest/vitest.mjs'), 'run')).toMatch(/3 passed/)
  // The command line reads `.env`.
  await writeFile(join(app, '.env'), 'SERVER_PORT=many\n')
  await expect(run(app, process.execPath, launcher, 'migrate', '--plan')).rejects.toThrow(/SERVER_PORT.*'many'/)
})

test('its settings exist, its secrets are new, and only the choice of PostgreSQL connects to it', async () => {
  await create('shop', '--no-install', '--database', 'postgres', '--no-demo')
  const read = (file: string): string => readFileSync(join(folder, 'shop', file), 'utf8')
  const known = new Set([...settings.keys()].map(name => name.replaceAll('.', '_').toUpperCase()))
  for (const file of ['.env', '.env.example', 'compose.yaml', 'Dockerfile']) {
    const named = [...read(file).matchAll(/\b(?:APP|SERVER)_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter(name => !known.has(name))).toEqual([])
  }
  // Demo mode is a choice for `npm run dev` alone: `npm start` never runs in it.
  expect(read('.env')).not.toContain('APP_DEMO')
  const { scripts, overrides } = JSON.parse(read('package.json'))
  expect(overrides).toBeUndefined()
  expect([scripts.dev, scripts.start]).toEqual(['plinth dev --app.demo=false', 'plinth start'])
  const [, password = ''] = /^POSTGRES_PASSWORD=(\w{48})$/m.exec(read('.env')) ?? []
  const [, devPassword = ''] = /^DEVELOPMENT_PASSWORD=(\w{48})$/m.exec(read('.env')) ?? []
  expect(devPassword).not.toBe(password)
  expect(read('.env')).toContain(`APP_DATABASE_URL=postgres://app:${devPassword}@127.0.0.1:5432/app`)
  expect((await stat(join(folder, 'shop/.env'))).mode & 0o077).toBe(0)
  expect(read('.env.example')).toMatch(/^APP_JWT_TOKENSIGNINGKEY=$/m)
  expect(read('.gitignore').split('\n')).toContain('.env')
  // Development, with its demo users, and the deployed service have databases of their own.
  const { services, volumes } = parse(read('compose.yaml'))
  const { database, 'development-database': development, app } = services
  expect(development).toMatchObject({ ports: ['127.0.0.1:5432:5432'], profiles: ['development'] })
  expect([database.ports, database.profiles]).toEqual([undefined, undefined])
  expect(app.environment.APP_DATABASE_URL).toContain('@database:5432/')
  expect(development.volumes).not.toEqual(database.volumes)
  expect(Object.keys(volumes)).toEqual(['data', 'database', 'development-database'])
  expect(app.environment.SERVER_TRUSTEDPROXIES).toContain('SERVER_TRUSTEDPROXIES')
  expectHardened(services)
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/.env', '**/.env.*', '**/*.key']))
  expect(parse(read('.github/workflows/ci.yaml')).jobs.test.env.TEST_DATABASE_URL).toMatch(/^postgres:/)
  const texts = readdirSync(join(folder, 'shop'), { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => readFileSync(join(file.parentPath, file.name), 'utf8'))
  expect(texts.filter(text => /__[A-Z_]+__|^ *#(if|end)\b/m.test(text))).toEqual([])
})

/** Packs a package as `npm pack` does. */
const pack = async (name: string, into: string): Promise<string> => {
  const source = join(folder, `source-of-${name.replace('/', '-')}`)
  await mkdir(source)
  await writeFile(join(source, 'package.json'), JSON.stringify({ name, version: '9.9.9' }))
  await mkdir(join(folder, into), { recursive: true })
  return (
    (await run(source, 'npm', 'pack', '--silent', '--pack-destination', join(folder, into)))
      .trim()
      .split('\n')
      .at(-1) ?? ''
  )
}

testAll('with --from, the packages of Plinth come from files, which the application keeps', async () => {
  await pack('@plinth/client', 'packed')
  await expect(create('hall', '--no-install', '--from', 'packed')).rejects.toThrow(/no tarball of plinth in packed/)
  const file = await pack('plinth', 'packed')
  await create('hall', '--no-install', '--yes', '--from', 'packed')
  const read = (name: string): string => readFileSync(join(folder, 'hall', name), 'utf8')
  expect(readdirSync(join(folder, 'hall/vendor')).sort()).toEqual(['plinth-9.9.9.tgz', 'plinth-client-9.9.9.tgz'])
  expect(JSON.parse(read('package.json')).dependencies).toEqual({ plinth: `file:vendor/${file}` })
  expect(read('Dockerfile')).toMatch(/^COPY vendor \.\/vendor\nRUN npm ci$/m)
  expect(read('README.md')).toContain('npm install ./vendor/plinth-client-9.9.9.tgz')
  await create('room', '--no-install', '--yes', '--from', join('packed', file))
  expect(readdirSync(join(folder, 'room/vendor'))).toEqual(['plinth-9.9.9.tgz'])
  await expect(create('other', '--from', 'packed', '--from', join('packed', file))).rejects.toThrow(
    /several tarballs of plinth/,
  )
  await expect(create('other', '--from', 'nowhere')).rejects.toThrow(/no file or folder .*nowhere/)
  await expect(create('other', '--from', join('hall', 'package.json'))).rejects.toThrow(/is not a packed package/)
  expect(readdirSync(folder)).not.toContain('other')
})

test('it refuses a folder with files, unknown options and databases, and a missing name', async () => {
  await mkdir(join(folder, 'full'))
  await writeFile(join(folder, 'full/notes.txt'), '')
  await expect(create('full', '--no-install')).rejects.toThrow(/not empty; it contains notes\.txt/)
  expect(readdirSync(join(folder, 'full'))).toEqual(['notes.txt'])
  await expect(create('other', '--databse', 'sqlite')).rejects.toThrow(/--databse[\s\S]*Usage:/)
  await expect(create('other', '--database', 'mysql')).rejects.toThrow(/no database 'mysql'; choose sqlite or postgres/)
  await expect(create('--no-install')).rejects.toThrow(/Usage: npm create plinth <folder>/)
  expect(readdirSync(folder)).not.toContain('other')
})
