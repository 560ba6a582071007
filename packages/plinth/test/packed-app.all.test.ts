// The life of an application from packed packages alone, without this repository: created, developed, extended by the generator,
// tested, built, started on PostgreSQL, and upgraded to a newer version with a migration. `npm run build` comes first.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { clientFor } from '../src/testing/client.ts'
import { until } from '../src/testing/waiting.ts'
import { type PostgresServer, startPostgres } from './support/postgres.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plinth-packed-'))
const app = join(folder, 'my-app')
const newer = '99.0.0'

/** Without the variables of the test runner that runs this file. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|TEST|npm_)/.test(name)),
)

/** Both outputs; rejects with them when the command fails. */
const run = async (cwd: string, file: string, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  return stdout + stderr
}

const install = ['install', '--prefer-offline', '--no-audit', '--no-fund'] as const

const pack = async (...args: readonly string[]): Promise<(name: string) => string> => {
  const packed = (await run(checkout, 'npm', 'run', '--silent', 'pack', '--', ...args)).split('\n')
  return name => packed.find(line => new RegExp(`/${name}-\\d[^/]*$`).test(line)) ?? ''
}

let postgres: PostgresServer
let tarball: (name: string) => string
beforeAll(async () => {
  tarball = await pack(folder)
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface RunningApp {
  readonly output: () => string
  readonly url: () => string
  stop(): Promise<void>
}

/** The address is that of the last start: `plinth dev` starts the application again. */
const launch = async (...args: readonly string[]): Promise<RunningApp> => {
  const launcher = join(app, 'node_modules/plinth/bin/plinth.js')
  const child: ChildProcess = spawn(process.execPath, [launcher, ...args, '--server.port=0'], { cwd: app, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (said += text))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  onTestFinished(stop)
  const url = () => [...said.matchAll(/is ready at (\S+)/g)].at(-1)?.[1] ?? ''
  await until('the application to start', () => url() !== '' || child.exitCode !== null)
  if (url() === '') throw new Error(said)
  return { output: () => said, url, stop }
}

const json = { Accept: 'application/json' }
const asAdmin = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` }

test('an application is created and installed without warnings about engines, compiles and passes its test', async () => {
  await mkdir(join(folder, 'tools'))
  await run(join(folder, 'tools'), 'npm', ...install, '--prefix', '.', tarball('create-plinth'))
  await run(folder, join(folder, 'tools/node_modules/.bin/create-plinth'), 'my-app', '--no-install', '--yes')
  expect(await run(app, 'npm', ...install, tarball('plinth'))).not.toContain('EBADENGINE')
  await run(app, 'npm', 'run', 'types')
  expect(await run(app, 'npm', 'test')).toMatch(/3 passed/)
})

test('while it is developed, a generated resource appears and the user stays signed in', async () => {
  const dev = await launch('dev', '--app.demo=true')
  const first = dev.url()
  const signedIn = await clientFor(first, {}).post('/api/auth/userDetails', { username: 'admin', password: 'admin' })
  const cookie = signedIn.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  await run(app, 'npx', 'plinth', 'generate', 'resource', 'contact-groups')
  await until('the application to start again', () => dev.url() !== first)
  const client = clientFor(dev.url(), { Cookie: cookie })
  expect((await client.get('/api/rest/contactGroups', json)).status).toBe(200)
  expect((await client.get('/api/auth/userDetails', json)).body.username).toBe('admin')
  await run(app, 'npm', 'run', 'types')
  await dev.stop()
})

test('it is built, started on PostgreSQL, and upgraded with a migration', async () => {
  const settings = ['--app.demo=true', `--app.database.url=${postgres.url}`]
  await run(app, 'npm', 'run', 'build')
  const before = await launch('start', ...settings)
  const made = await clientFor(before.url(), asAdmin).post('/api/rest/contactGroups', { name: 'Friends' }, json)
  expect(made.status, made.text).toBe(201)
  await before.stop()
  const next = await pack(join(folder, 'next'), newer)
  await run(app, 'npm', ...install, next('plinth'))
  const file = join(app, 'modules/planning/contact-groups.ts')
  const definition = await readFile(file, 'utf8')
  await writeFile(file, definition.replace('fields: {', 'fields: {\n    remark: text({ max: 100 }),'))
  await run(app, 'npm', 'run', 'build')
  const plan = await run(app, 'npx', 'plinth', 'migrate', '--plan', ...settings)
  expect(plan).toMatch(/remark/)
  await run(app, 'npx', 'plinth', 'migrate', ...settings)
  const after = await launch('start', ...settings)
  expect(after.output()).toContain(newer)
  const { body } = await clientFor(after.url(), asAdmin).get(`/api/rest/contactGroups/${made.body.pk}`, json)
  expect(body).toMatchObject({ name: 'Friends', remark: null })
})
