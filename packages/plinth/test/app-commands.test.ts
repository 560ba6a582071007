// Commands of an application in a folder of its own, with the built command line.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientFor } from '../src/testing/client.ts'
import { waitingFor } from '../src/testing/waiting.ts'

const plinth = fileURLToPath(new URL('..', import.meta.url))
const launcher = join(plinth, 'bin/plinth.js')
const folder = mkdtempSync(join(tmpdir(), 'plinth-app-'))

const moduleText = (copies: string): string => `
import { defineModule, defineResource, defineSettings, integer, text } from 'plinth'
const books = defineResource('books', {
  about: 'Books.',
  label: 'title',
  fields: { title: text({ required: true }), copies: integer({ ${copies} }) },
  access: { read: 'true', write: 'caller.signedIn' },
})
const settings = defineSettings('app.library', { loanDays: integer({ default: 21, about: 'Days until a loan is due.' }) })
export const library = defineModule({ name: 'library', about: 'Books.', settings: [settings], resources: [books] })
`

const writeModule = (copies: string): Promise<void> => writeFile(join(folder, 'app/library.ts'), moduleText(copies))

beforeAll(async () => {
  await mkdir(join(folder, 'app/node_modules'), { recursive: true })
  await symlink(plinth, join(folder, 'app/node_modules/plinth'), 'dir')
  await writeFile(join(folder, 'app/package.json'), '{ "type": "module" }')
  await writeModule('default: 1')
  await writeFile(
    join(folder, 'app/plinth.config.ts'),
    `import { defineApp } from 'plinth'
import { library } from './library.ts'
export default defineApp({ name: 'City library', modules: [library] })
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const run = (cwd: string, ...args: readonly string[]): Promise<Ran> => {
  const ended = new Promise<Ran>(resolve => {
    const child: ChildProcess = execFile(process.execPath, [launcher, ...args], { cwd }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })
  return waitingFor(`plinth ${args.join(' ')} to end`, ended)
}

test('without an application, a command says how to make one', async () => {
  const { code, err } = await run(folder, 'start')
  expect(code).toBe(1)
  expect(err).toContain(`There is no application in ${folder}: plinth.config.ts is missing.`)
  expect(err).toContain('npm create plinth')
  expect(err).not.toMatch(/^ +at /m)
})

test('an application that is not built is not started', async () => {
  const { code, err } = await run(join(folder, 'app'), 'start')
  expect([code, err.trim().split('\n').length]).toEqual([1, 1])
  expect(err).toContain('The application is not built')
  expect(err).toContain('plinth build')
})

test('settings of the modules of the application are listed', async () => {
  const { out } = await run(folder, 'settings', '--app', 'app')
  expect(out).toContain('app.library.loanDays (integer, default 21)\n    Days until a loan is due.')
})

test('dev serves the source, and starts it again when a file changes', async () => {
  const args = [launcher, 'dev', '--server.port=0', '--app.demo=true', '--app.log.level=error']
  const dev = spawn(process.execPath, args, { cwd: join(folder, 'app') })
  const ended = new Promise<number | null>(resolve => dev.once('close', code => resolve(code)))
  onTestFinished(() => void dev.kill('SIGKILL'))
  let said = ''
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  const addresses = () => [...said.matchAll(/ready at (\S+)/g)].map(([, address = '']) => address)
  const copiesOfNew = async (): Promise<number> => {
    const staff = clientFor(addresses().at(-1) ?? '', { Authorization: `Basic ${btoa('staff:staff')}` })
    return (await staff.post('/api/rest/books', { title: 'Emma' })).body.copies
  }
  await expect.poll(addresses, { timeout: 60_000 }).toHaveLength(1)
  expect(await copiesOfNew()).toBe(1)
  await writeModule('default: 2')
  await expect.poll(addresses, { timeout: 60_000 }).toHaveLength(2)
  expect(await copiesOfNew()).toBe(2)
  await writeModule('default: 3 }')
  await expect.poll(() => said, { timeout: 60_000 }).toContain('Waiting for a change')
  expect(said).toMatch(/library\.ts:\d+:\d+/)
  await writeModule('defalt: 3')
  await expect.poll(() => said, { timeout: 60_000 }).toContain("unknown option 'defalt'; did you mean 'default'?")
  await expect.poll(() => said.split('Waiting for a change'), { timeout: 60_000 }).toHaveLength(3)
  dev.kill('SIGTERM')
  expect(await waitingFor('plinth dev to end', ended)).toBe(0)
})
