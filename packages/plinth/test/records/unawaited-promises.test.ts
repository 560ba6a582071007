// Promises that an application forgets to await: the service stays up, the log names the place in the application, and the metrics count.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { featureDatabases, type TestedDatabase } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { emptyData } from '@plinth/test-kit/prepared-data'
import { type Client, clientFor } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until, waitingFor } from '../../src/testing/waiting.ts'

const plinth = fileURLToPath(new URL('../..', import.meta.url))

/** The lines of strays are found by their comments. */
const moduleText = `import { defineEndpoint, defineModule, defineResource, text } from 'plinth'

const open = { read: 'true', write: 'true' }
const logs = defineResource('logs', { about: 'Logs.', label: 'name', fields: { name: text({ required: true, max: 20, unique: true }) }, access: open })

const notes = defineResource('notes', {
  about: 'Notes.',
  label: 'name',
  fields: { name: text({ required: true }) },
  access: open,
  hooks: {
    afterCreate: async ({ values, records }) => {
    if (values.name === 'reads') records.get(logs, 'nowhere') // a read in a hook
    if (values.name === 'writes') records.create(logs, { name: 'by the hook' }) // a write in a hook
    if (values.name === 'is wrong') records.create(logs, { name: 'much too long for a log' }) // an invalid write in a hook
    if (values.name === 'awaits') await records.get(logs, 'nowhere').catch(() => {})
    },
  },
})

const endpoint = (path: string, run: Parameters<typeof defineEndpoint>[0]['run']) =>
  defineEndpoint({ method: 'POST', path, summary: path, access: 'true', answers: { 204: 'It is done.' }, run })

const endpoints = [
  endpoint('/api/stray', ({ records }) => {
    records.get(notes, 'nowhere') // a read in an endpoint
  }),
  endpoint('/api/floating', () => {
    void (async () => {
      await new Promise(resolve => setTimeout(resolve, 1))
      throw new Error('floating') // a floating promise
    })()
  }),
  endpoint('/api/late', async ({ records }) => {
    const missing = records.get(notes, 'nowhere')
    await new Promise(resolve => setTimeout(resolve, 50))
    await missing.catch(() => {})
  }),
]

export const strays = defineModule({
  name: 'strays',
  about: 'Forgotten awaits.',
  resources: [notes, logs],
  endpoints,
})
`

const lineOf = (comment: string): number => moduleText.split('\n').findIndex(line => line.endsWith(`// ${comment}`)) + 1

interface DevService {
  readonly admin: Client
  /** What it printed so far. */
  said(): string
  stop(): Promise<void>
}

const startDev = async (folder: string, settings: Readonly<Record<string, string>>): Promise<DevService> => {
  await mkdir(join(folder, 'node_modules'))
  await symlink(plinth, join(folder, 'node_modules/plinth'), 'dir')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'strays.ts'), moduleText)
  await writeFile(
    join(folder, 'plinth.config.ts'),
    "import { defineApp } from 'plinth'\nimport { strays } from './strays.ts'\nexport default defineApp({ name: 'Strays', modules: [strays] })\n",
  )
  const all = { 'server.port': '0', 'app.demo': 'true', 'app.log.level': 'error', ...settings }
  const args = [
    join(plinth, 'bin/plinth.js'),
    'dev',
    ...Object.entries(all).map(([name, value]) => `--${name}=${value}`),
  ]
  const child: ChildProcess = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const listen = (text: Buffer) => {
    said += text
  }
  child.stdout?.on('data', listen)
  child.stderr?.on('data', listen)
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  await until('plinth dev to start', () => / ready at \S+/.test(said))
  const [, url = ''] = / ready at (\S+)/.exec(said) ?? []
  return {
    admin: clientFor(url, { Authorization: `Basic ${btoa('admin:admin')}` }),
    said: () => said,
    stop: async () => {
      child.kill('SIGTERM')
      await waitingFor('plinth dev to end', ended)
    },
  }
}

describe.each(featureDatabases(import.meta.url))('on %s', (database: TestedDatabase) => {
  let folder: string
  let service: DevService
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-strays-'))
    const { url } = await emptyData(database)
    service = await startDev(folder, { 'app.database.url': url })
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const note = async (name: string): Promise<number> => (await service.admin.post('/api/rest/notes', { name })).status
  const call = async (path: string): Promise<number> => (await service.admin.post(path, undefined)).status
  const countOf = async (work: string): Promise<number> => {
    const { text } = await service.admin.get('/api/management/prometheus')
    const [, count = '0'] = new RegExp(`plinth_background_failures_total\\{work="${work}"\\} (\\d+)`).exec(text) ?? []
    return Number(count)
  }
  const namesOf = async (resource: string): Promise<readonly string[]> =>
    (await service.admin.get(`/api/rest/${resource}?_ps=100`, { Accept: 'application/json' })).body.content.map(
      ({ name }: { readonly name: string }) => name,
    )
  const stray = 'records call not awaited'
  const mustBeLogged = (message: string): Promise<unknown> => until(message, () => service.said().includes(message))

  test('in an endpoint: the caller gets the answer, and the log names resource, operation, file and line', async () => {
    const before = await countOf(stray)
    expect(await call('/api/stray')).toBe(204)
    const message = `records.get(notes) in the endpoint POST /api/stray (strays.ts:${lineOf('a read in an endpoint')}) was not awaited, and failed`
    await mustBeLogged(`"msg":"${message}"`)
    await mustBeLogged(`MISTAKE: ${message}`)
    expect(service.said()).toContain('"operation":"get","resource":"notes"')
    expect(await countOf(stray)).toBe(before + 1)
    expect(await note('still there')).toBe(201)
  })

  testAll('in a hook: a read that fails does not fail the write', async () => {
    expect(await note('reads')).toBe(201)
    const place = `strays.ts:${lineOf('a read in a hook')}`
    await mustBeLogged(`records.get(logs) in the hook afterCreate of notes (${place}) was not awaited, and failed`)
  })

  test('in a hook: a write is a part of the transaction', async () => {
    expect(await note('writes')).toBe(201)
    expect(await namesOf('logs')).toEqual(['by the hook'])
    // The name is taken now: the statement fails, and with it the transaction.
    expect(await note('writes')).toBe(409)
    expect((await namesOf('notes')).filter(name => name === 'writes')).toHaveLength(1)
    expect(await note('is wrong')).toBe(201)
    const place = `strays.ts:${lineOf('an invalid write in a hook')}`
    await mustBeLogged(`records.create(logs) in the hook afterCreate of notes (${place}) was not awaited, and failed`)
  })

  testAll('a promise that floats is logged with its place', async () => {
    expect(await call('/api/floating')).toBe(204)
    const place = `strays.ts:${lineOf('a floating promise')}`
    await mustBeLogged(`a promise was rejected, and nothing handles it (${place})`)
    expect(await countOf('unhandledRejection')).toBe(1)
    expect(await note('after the floating one')).toBe(201)
  })

  test('what is awaited, even late, is not reported', async () => {
    const [before, said] = [await countOf(stray), service.said().length]
    expect(await note('awaits')).toBe(201)
    expect(await call('/api/late')).toBe(204)
    // Reports come in order: one that follows is there when one before would be.
    expect(await call('/api/stray')).toBe(204)
    await until('the next report', async () => (await countOf(stray)) > before)
    expect(await countOf(stray)).toBe(before + 1)
    expect(service.said().slice(said)).not.toContain('/api/late')
  })
})
