// An application that `npm run create` makes of this checkout, with a page of its own and one in the web client, which every way of
// running the application must serve. `npm run build` comes first.

import { mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LaunchedApp, launchIn, runIn } from '@plinth/test-kit/application-folder'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { clientFor } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

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
  await addWebPage()
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

const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--save-dev']

const webPage = (title: string) => `import { PageHeader } from '@plinth/web'

const BoardPage = () => <PageHeader title=${title} />

export default BoardPage
`

const webPageFile = join(app, 'modules/planning/web/board-page.tsx')

/** Adds a page to the web client as `docs/web-client.md` and the README of the application say. */
const addWebPage = async (): Promise<void> => {
  const needed = (await readdir(join(app, 'vendor'))).filter(name => /^plinth-(client|web)-/.test(name))
  await runIn(app, 'npm', ...install, ...needed.map(name => `./vendor/${name}`))
  await runIn(app, 'npx', 'plinth', 'generate', 'page', 'board')
  await writeFile(webPageFile, webPage('"Our board"'))
  const area = join(app, 'modules/planning/web/board-area.ts')
  await writeFile(area, (await readFile(area, 'utf8')).replace(/ *access: .*\n/, ''))
}

const inBrowser = async ({ url }: LaunchedApp, visit: (browser: TestBrowser) => Promise<void>): Promise<void> => {
  const browser = await openBrowser(url())
  try {
    await visit(browser)
  } finally {
    await browser.close()
  }
}

const expectPages = async (launched: LaunchedApp): Promise<void> => {
  await expectPage(launched)
  await inBrowser(launched, async ({ page, load }) => {
    await load('/board')
    await page.getByRole('heading', { level: 1, name: 'Our board' }).waitFor()
  })
}

const expectPage = async ({ url }: LaunchedApp): Promise<void> => {
  const { status, text } = await clientFor(url(), {}).get('/site/', { Accept: 'text/html' })
  expect([status, text]).toEqual([200, page])
}

test('npm run dev serves the pages with those of the standard modules, and takes the first record', async () => {
  const dev = await launchIn(app, 'npm', 'run', 'dev', '--')
  await expectPages(dev)
  const asStaff = { Authorization: `Basic ${Buffer.from('staff:staff').toString('base64')}` }
  const made = await clientFor(dev.url(), asStaff).post('/api/rest/tasks', { title: 'Water the plants' })
  expect(made).toHaveStatus(201)
  await inBrowser(dev, async ({ context, page, load }) => {
    await context.request.post(`${dev.url()}/api/auth/userDetails`, { data: { username: 'admin', password: 'admin' } })
    await load('/board')
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await navigation.getByRole('link', { name: 'Account' }).waitFor()
    expect(await navigation.getByRole('link').allTextContents()).toEqual([
      ...['Start', 'Records', 'Friends', 'Board', 'Management', 'Account'],
    ])
  })
})

test('it compiles, and passes its tests', async () => {
  await runIn(app, 'npm', 'run', 'types')
  expect(await runIn(app, 'npm', 'test')).toMatch(/3 passed/)
})

test('a type error in a page of the web client stops the build', async () => {
  await writeFile(webPageFile, webPage('{1}'))
  onTestFinished(() => writeFile(webPageFile, webPage('"Our board"')))
  const refused = await runIn(app, 'npm', 'run', 'build').catch(error => error)
  expect(refused.stderr).toMatch(/modules\/planning\/web\/board-page\.tsx:3:\d+ - error TS2322: Type 'number' is not/)
})

test('it is built, and npm start serves the pages', async () => {
  await runIn(app, 'npm', 'run', 'build')
  await expectPages(await launchIn(app, 'npm', 'start', '--'))
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

test('the steps of its Dockerfile make a folder that serves the pages in production', async () => {
  const image = await buildImage()
  const command = ['node_modules/plinth/bin/plinth.js', 'start', `--app.dataDir=${join(folder, 'image-data')}`]
  await expectPages(await launchIn(image, process.execPath, ...command))
})
