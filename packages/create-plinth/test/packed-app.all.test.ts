// The life of an application from packed packages alone, without this repository: created, developed, extended by the generator,
// tested, built, started on PostgreSQL, and upgraded to a newer version with a migration. `npm run build` comes first.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchIn, runIn } from '@plinth/test-kit/application-folder'
import { type PostgresServer, startPostgres } from '@plinth/test-kit/postgres'
import { type Answer, clientFor } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plinth-packed-'))
const app = join(folder, 'my-app')
const newer = '99.0.0'

const install = ['install', '--prefer-offline', '--no-audit', '--no-fund'] as const

const pack = async (...args: readonly string[]): Promise<(name: string) => string> => {
  const packed = (await runIn(checkout, 'npm', 'run', '--silent', 'pack', '--', ...args)).split('\n')
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

const launch = (...args: readonly string[]) =>
  launchIn(app, process.execPath, 'node_modules/plinth/bin/plinth.js', ...args)

const json = { Accept: 'application/json' }
const asAdmin = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` }

const withoutAwait = `
import { defineEndpoint, defineJob, defineResource, text } from 'plinth'
import { tasks } from './tasks.ts'

export const notes = defineResource('notes', {
  about: 'Notes.',
  fields: { name: text() },
  access: { read: 'true' },
  hooks: {
    afterCreate: async ({ records }) => {
      records.create(tasks, { title: 'forgotten' })
    },
  },
})
export const tidyUp = defineJob({
  name: 'tidy-up',
  everyMs: 60_000,
  run: async ({ records }) => {
    records.removeMany(tasks, { where: { done: true } })
  },
})
export const readTask = defineEndpoint({
  method: 'POST',
  path: '/api/rest/tasks/read',
  summary: 'Read',
  access: 'true',
  answers: { 204: 'Read.' },
  run: ({ records }) => {
    records.get(tasks, '1')
  },
})
`

/** Prints how long each step took, and all of them together. */
const createTimer = () => {
  const figures: string[] = []
  const began = performance.now()
  const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
  return {
    time: async <T>(step: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now()
      const result = await work()
      figures.push(`${step} ${secondsSince(start)}`)
      return result
    },
    print: (title: string) => console.log(`${title}: ${secondsSince(began)} (${figures.join(', ')})`),
  }
}

const cookiesOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')

test('an application is created, installed and developed; a generated resource appears, and the user stays signed in', async () => {
  await mkdir(join(folder, 'tools'))
  const { time, print } = createTimer()
  await time('create', async () => {
    await runIn(join(folder, 'tools'), 'npm', ...install, '--prefix', '.', tarball('create-plinth'))
    const program = join(folder, 'tools/node_modules/.bin/create-plinth')
    await runIn(folder, program, 'my-app', '--no-install', '--yes', '--from', folder)
  })
  const installed = await time('install', () => runIn(app, 'npm', ...install))
  const dev = await time('dev', () => launch('dev', '--app.demo=true'))
  const first = dev.url()
  const credentials = { username: 'admin', password: 'admin' }
  const cookie = cookiesOf(await clientFor(first, {}).post('/api/auth/userDetails', credentials))
  await time('generate', () => runIn(app, 'npx', 'plinth', 'generate', 'resource', 'contact-groups'))
  await time('reload after it', () => until('the application to start again', () => dev.url() !== first))
  const made = await time('create a record', () =>
    clientFor(dev.url(), asAdmin).post('/api/rest/contactGroups', { name: 'Neighbours' }, json),
  )
  print('From nothing to the first own record')
  expect(installed).not.toContain('EBADENGINE')
  // Operators find the examples of deployments, and what has changed, where the package is.
  for (const file of ['CHANGELOG.md', 'deploy/plinth.service', 'deploy/nginx.conf', 'deploy/kubernetes.yaml'])
    expect([file, existsSync(join(app, 'node_modules/plinth', file))]).toEqual([file, true])
  expect(made).toHaveStatus(201)
  const user = await clientFor(dev.url(), { Cookie: cookie }).get('/api/auth/userDetails', json)
  expect(user.body.username).toBe('admin')
  await dev.stop()
})

test('it compiles and passes its test', async () => {
  await runIn(app, 'npm', 'run', 'types')
  expect(await runIn(app, 'npm', 'test')).toMatch(/3 passed/)
})

test('its linter finds calls that nothing awaits, in hooks, endpoints and jobs', async () => {
  await runIn(app, 'npm', 'run', 'lint')
  const forgotten = join(app, 'modules/planning/forgotten.ts')
  await writeFile(forgotten, withoutAwait)
  const said = await runIn(app, 'npm', 'run', 'lint').catch((failed: { readonly stdout: string }) => failed.stdout)
  await rm(forgotten)
  expect(said.match(/Promises must be awaited/g)).toHaveLength(3)
})

/** The megabytes of the files below a folder, as the disk keeps them: in whole blocks, and files of several names once. */
const megabytesOf = async (path: string): Promise<number> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const stats = await Promise.all(entries.map(entry => lstat(join(entry.parentPath, entry.name))))
  const blocks = new Map(stats.map(one => [one.ino, one.blocks]))
  return ([...blocks.values()].reduce((sum, one) => sum + one, 0) * 512) / 2 ** 20
}

test('installed for production, it takes at most 120 MB', async () => {
  const production = join(folder, 'production')
  await cp(app, production, { recursive: true, filter: file => !file.includes('node_modules') })
  await runIn(production, 'npm', ...install, '--omit=dev')
  const megabytes = await megabytesOf(join(production, 'node_modules'))
  console.log(`Installed for production: ${megabytes.toFixed(1)} MB`)
  expect(megabytes).toBeLessThan(120)
})

test.each(['22', '24'])(
  'it is installed on Node %s without warnings about engines, and passes its test',
  async major => {
    const tools = join(folder, `node-${major}`)
    await mkdir(tools)
    await runIn(tools, 'npm', ...install, '--prefix', '.', `node@${major}`)
    const node = join(tools, 'node_modules/node/bin')
    const other = join(folder, `app-on-${major}`)
    await cp(app, other, { recursive: true, filter: file => !/node_modules|package-lock/.test(file) })
    const onNode = (...command: readonly string[]) =>
      runIn(other, 'env', `PATH=${node}${delimiter}${process.env.PATH}`, ...command)
    expect(await onNode('node', '--version')).toContain(`v${major}.`)
    expect(await onNode('npm', ...install)).not.toContain('EBADENGINE')
    expect(await onNode('npm', 'test')).toMatch(/3 passed/)
  },
)

test('it is built, started on PostgreSQL, and upgraded with a migration', async () => {
  const settings = ['--app.demo=true', `--app.database.url=${postgres.url}`]
  await runIn(app, 'npm', 'run', 'build')
  const before = await launch('start', ...settings)
  const made = await clientFor(before.url(), asAdmin).post('/api/rest/contactGroups', { name: 'Friends' }, json)
  expect(made).toHaveStatus(201)
  await before.stop()
  const next = await pack(join(folder, 'next'), newer)
  await runIn(app, 'npm', ...install, next('plinth'))
  const file = join(app, 'modules/planning/contact-groups.ts')
  const definition = await readFile(file, 'utf8')
  await writeFile(file, definition.replace('fields: {', 'fields: {\n    remark: text({ max: 100 }),'))
  await runIn(app, 'npm', 'run', 'build')
  const plan = await runIn(app, 'npx', 'plinth', 'migrate', '--plan', ...settings)
  expect(plan).toMatch(/remark/)
  await runIn(app, 'npx', 'plinth', 'migrate', ...settings)
  const after = await launch('start', ...settings)
  expect(after.output()).toContain(newer)
  const { body } = await clientFor(after.url(), asAdmin).get(`/api/rest/contactGroups/${made.body.pk}`, json)
  expect(body).toMatchObject({ name: 'Friends', remark: null })
})
