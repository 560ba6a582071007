// An application that `npm run create` makes of this checkout, with a page of its own, which every way of running the application must
// serve. `npm run build` comes first.

import { mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LaunchedApp, launchIn, runIn } from '@plinth/test-kit/application-folder'
import { clientFor } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plinth-created-'))
const app = join(folder, 'my-app')
const page = '<!doctype html><title>Our page</title>'

beforeAll(async () => {
  const printed = await runIn(checkout, 'npm', 'run', 'create', '--', app)
  expect(printed).toContain('npm run dev')
  expect(printed).not.toMatch(/EBADENGINE|deprecated|vulnerab/)
  await addPage()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Adds a page as `docs/endpoints.md` says. */
const addPage = async (): Promise<void> => {
  await mkdir(join(app, 'modules/planning/public'))
  await writeFile(join(app, 'modules/planning/public/index.html'), page)
  const file = join(app, 'modules/planning/index.ts')
  const files = "files: [{ prefix: '/site', folder: fileURLToPath(new URL('./public', import.meta.url)) }]"
  const text = (await readFile(file, 'utf8')).replace('  resources:', `  ${files},\n  resources:`)
  await writeFile(file, `import { fileURLToPath } from 'node:url'\n${text}`)
}

const expectPage = async ({ url }: LaunchedApp): Promise<void> => {
  const { status, text } = await clientFor(url(), {}).get('/site/', { Accept: 'text/html' })
  expect([status, text]).toEqual([200, page])
}

test('npm run dev serves the page, and takes the first record', async () => {
  const dev = await launchIn(app, 'npm', 'run', 'dev', '--')
  await expectPage(dev)
  const asStaff = { Authorization: `Basic ${Buffer.from('staff:staff').toString('base64')}` }
  const made = await clientFor(dev.url(), asStaff).post('/api/rest/tasks', { title: 'Water the plants' })
  expect(made).toHaveStatus(201)
})

test('it compiles, and passes its tests', async () => {
  await runIn(app, 'npm', 'run', 'types')
  expect(await runIn(app, 'npm', 'test')).toMatch(/3 passed/)
})

test('it is built, and npm start serves the page', async () => {
  await runIn(app, 'npm', 'run', 'build')
  await expectPage(await launchIn(app, 'npm', 'start', '--'))
})

/** Patterns of `.dockerignore`: `**` stands for any folders, `*` for a part of a name. */
const toPattern = (line: string): RegExp => {
  const parts = line.split('**/').map(part => part.replaceAll('.', '\\.').replaceAll('*', '[^/]*'))
  return new RegExp(`^${parts.join('(.+/)?')}$`)
}

/** Carries out the Dockerfile in folders: what it copies and runs, but for the data folder, which belongs to the image. */
const buildImage = async (): Promise<string> => {
  const ignored = (await readFile(join(app, '.dockerignore'), 'utf8')).trim().split('\n').map(toPattern)
  const stages: string[] = []
  for (const line of (await readFile(join(app, 'Dockerfile'), 'utf8')).split('\n')) {
    const [instruction, ...words] = line.split(' ')
    const stage = stages.at(-1) ?? ''
    if (instruction === 'FROM') stages.push(mkdtempSync(join(folder, 'image-')))
    if (instruction === 'RUN' && !line.includes('/data')) await runIn(stage, 'sh', '-c', words.join(' '))
    if (instruction !== 'COPY') continue
    const isFromStage = words[0]?.startsWith('--from')
    const [target = '', ...sources] = words.slice(isFromStage ? 1 : 0).toReversed()
    for (const source of sources) {
      const path = isFromStage ? join(stages[0] ?? '', source.replace('/app/', '')) : join(app, source)
      const isFolder = target !== './'
      await cp(path, isFolder ? join(stage, target) : join(stage, basename(source)), {
        recursive: true,
        filter: file => isFromStage || !ignored.some(pattern => pattern.test(file.slice(app.length + 1))),
      })
    }
  }
  return stages.at(-1) ?? ''
}

test('the steps of its Dockerfile make a folder that serves the page in production', async () => {
  const image = await buildImage()
  const command = ['node_modules/plinth/bin/plinth.js', 'start', `--app.dataDir=${join(folder, 'image-data')}`]
  await expectPage(await launchIn(image, process.execPath, ...command))
})
