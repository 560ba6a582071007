// Commands of an application in a folder of its own, with the built command line.

import { type ChildProcess, execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { everyThird, extent, testAll } from '@plinth/test-kit/extent'
import { launch, preparedFolder } from '@plinth/test-kit/service-process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitingFor } from '../../src/testing/waiting.ts'

const plinth = fileURLToPath(new URL('../..', import.meta.url))
const launcher = join(plinth, 'bin/plinth.js')
const folder = mkdtempSync(join(tmpdir(), 'plinth-app-'))

const moduleText = (copies: string): string => `
import { decimal, defineModule, defineResource, defineSettings, integer, text } from 'plinth'
const books = defineResource('books', {
  about: 'Books.',
  label: 'title',
  fields: { title: text({ required: true }), copies: integer({ ${copies} }) },
  access: { read: 'true', write: 'caller.signedIn' },
})
const settings = defineSettings('app.library', {
  loanDays: integer({ default: 21, about: 'Days until a loan is due.' }),
  vat: decimal({ scale: 2, default: 19.5, max: 100, about: 'Percent.' }),
})
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

const explained: readonly (readonly [args: readonly string[], words: readonly string[]])[] = [
  [['--help'], ['types', 'start', 'migrate', 'backup', 'dev']],
  [['help', 'migrate'], ['--plan']],
  [['types', '--help'], ['--from <address>']],
  [['backup', '-h'], ['--drill']],
]

test.each(extent(explained.slice(1, 2), explained))(
  'without an application, %j explains itself',
  async (args, words) => {
    const { code, out, err } = await run(folder, ...args)
    expect([code, err]).toEqual([0, ''])
    for (const word of words) expect(out).toContain(word)
  },
)

testAll('without an application, types are those of a running service', async () => {
  const elsewhere = join(folder, 'elsewhere')
  await mkdir(elsewhere)
  const { url, end } = await launch({ folder: await preparedFolder() })
  try {
    const { code, out, err } = await run(elsewhere, 'types', '--from', url, '--out', 'plinth.ts')
    expect([code, err, out]).toEqual([0, '', 'The types are in plinth.ts\n'])
    expect(await readFile(join(elsewhere, 'plinth.ts'), 'utf8')).toContain('countries')
    expect((await run(elsewhere, 'types', `--from=${url}`)).out).toContain('countries')
  } finally {
    await end('SIGTERM')
  }
})

test.each(
  everyThird([
    ['library.example', "'library.example' is not an address, such as https://library.example."],
    ['http://127.0.0.1:9', 'http://127.0.0.1:9 cannot be reached: '],
  ]),
)('types from %s are refused in a sentence', async (address, words) => {
  const { code, out, err } = await run(folder, 'types', '--from', address)
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(words)
  expect(err).not.toMatch(/^ +at /m)
})

test('an application that is not built is not started', async () => {
  const { code, err } = await run(join(folder, 'app'), 'start')
  expect([code, err.trim().split('\n').length]).toEqual([1, 1])
  expect(err).toContain('The application is not built')
  expect(err).toContain('plinth build')
})

testAll('settings of the modules of the application are listed', async () => {
  const { out } = await run(folder, 'settings', '--app', 'app')
  expect(out).toContain('app.library.loanDays (integer, default 21)\n    Days until a loan is due.')
  expect(out).toContain('app.library.vat (decimal, default 19.5)')
})

test('what is built has the static files and the pages of its modules, and needs nothing of the source', async () => {
  const source = join(folder, 'shop')
  const files: Readonly<Record<string, string>> = {
    'package.json': '{ "type": "module" }',
    'plinth.config.ts': `import { defineApp } from 'plinth'
import { shop } from './modules/shop/index.ts'
export default defineApp({ name: 'Shop', modules: [shop] })`,
    'modules/shop/index.ts': `import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineModule } from 'plinth'
export const shop = defineModule({
  name: 'shop',
  about: 'A shop.',
  resources: [],
  files: [
    { prefix: '/site', folder: fileURLToPath(new URL('./public', import.meta.url)), fallback: 'index.html' },
    { prefix: '/pictures', folder: join(import.meta.dirname, '../../pictures') },
    { prefix: '/papers', folder: 'papers' },
  ],
  web: './web/index.tsx',
})`,
    'modules/shop/web/index.tsx': `import { defineArea, defineWeb } from '@plinth/web'
export default defineWeb({ areas: [defineArea({ path: 'shop', title: 'Shop', page: () => <h1>Shop</h1> })] })`,
    'modules/shop/public/index.html': '<h1>Welcome</h1>',
    'modules/shop/public/assets/shop.js': 'document.title = "Shop"',
    'pictures/door.svg': '<svg/>',
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(source, file)), { recursive: true })
    await writeFile(join(source, file), text)
  }
  await mkdir(join(source, 'node_modules'))
  await symlink(plinth, join(source, 'node_modules/plinth'), 'dir')
  const refused = await run(source, 'build')
  expect([refused.code, refused.err]).toEqual([
    1,
    `Module shop: the folder of its static files is missing: ${join(source, 'papers')}\n`,
  ])
  await mkdir(join(source, 'papers'))
  await writeFile(join(source, 'papers/terms.txt'), 'Terms')
  expect((await run(source, 'build')).code).toBe(0)
  for (const part of ['plinth.config.ts', 'modules', 'pictures', 'papers'])
    rmSync(join(source, part), { recursive: true })
  const { url } = await launch({ app: source, folder: await preparedFolder() })
  const read = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text()
  expect(await read('/site/')).toBe('<h1>Welcome</h1>')
  expect(await read('/site/assets/shop.js')).toBe('document.title = "Shop"')
  expect(await read('/pictures/door.svg')).toBe('<svg/>')
  expect(await read('/papers/terms.txt')).toBe('Terms')
  const scripts = [...(await read('/client/')).matchAll(/<link rel="modulepreload" href="([^"]+)"/g)]
  const pages = await Promise.all(scripts.map(([, script = '']) => read(script)))
  expect(pages.filter(code => code.includes('title:"Shop"'))).toHaveLength(1)
})

testAll('types that are wrong stop the build, unless they are not to be checked', async () => {
  const source = join(folder, 'typed')
  const compilerOptions = { strict: true, types: [], lib: ['es2023'] }
  const files: Readonly<Record<string, string>> = {
    'package.json': '{ "type": "module" }',
    'plinth.config.ts': "import { defineApp } from 'plinth'\nexport default defineApp({ name: 'Typed' })\n",
    'size.ts': "export const size: number = 'large'\n",
    // The types of Plinth take a compiler seconds.
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['size.ts'] }),
  }
  await mkdir(join(source, 'node_modules'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(source, file), text)
  await symlink(plinth, join(source, 'node_modules/plinth'), 'dir')
  await symlink(join(plinth, '../../node_modules/typescript'), join(source, 'node_modules/typescript'), 'dir')
  const refused = await run(source, 'build')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain("size.ts:1:14 - error TS2322: Type 'string' is not assignable to type 'number'.")
  expect((await run(source, 'build', '--no-types')).code).toBe(0)
  await writeFile(join(source, 'size.ts'), 'export const size: number = 1\n')
  expect((await run(source, 'build')).code).toBe(0)
})
