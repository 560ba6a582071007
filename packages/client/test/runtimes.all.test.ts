// The client in every runtime that it supports, against a real service on both databases: Node 20, 22 and 24, and Chromium.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { databases } from '@plinth/test-kit/databases'
import { fresh, startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EveryCallOptions } from './apps/every-call.ts'

const app = fileURLToPath(new URL('apps/every-call.ts', import.meta.url))
const run = promisify(execFile)

const versions = ['20', '22', '24'] as const

let folder: string
let pageScript: string

const bundle = async (format: 'esm' | 'iife', contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    format,
    platform: format === 'esm' ? 'node' : 'browser',
    target: 'es2022',
    globalName: 'app',
  })
  return outputFiles[0]?.text ?? ''
}

/** Finds a version of Node; other ones are packages of the registry. */
const executableOf = (version: string): string =>
  process.versions.node.startsWith(`${version}.`)
    ? process.execPath
    : join(folder, `node_modules/node-${version}/bin/node`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-runtimes-'))
  const from = JSON.stringify(app)
  await writeFile(
    join(folder, 'app.mjs'),
    await bundle(
      'esm',
      `import { makeEveryCall } from ${from}
      console.log(JSON.stringify(await makeEveryCall(JSON.parse(process.argv[2] ?? ''))))`,
    ),
  )
  pageScript = await bundle('iife', `export { makeEveryCall } from ${from}`)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const system = `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`
  const packages = versions
    .filter(version => executableOf(version) !== process.execPath)
    .map(version => `node-${version}@npm:${system}@${version}`)
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  })
}, 300_000)
afterAll(() => rm(folder, { recursive: true }))

const expected = {
  guest: null,
  wrongPassword: 'unauthorized',
  user: 'staff',
  changed: [524, ['new']],
  stale: 'precondition_failed',
  invalid: 'invalid',
  missing: 'not_found',
  bulk: 2,
  found: [3, ['Rocannon', 'Earthsea'], true],
  iterated: ['Le Guin', null, null],
  included: 'attic',
  chosen: ['pk', 'id', 'pages', 'links'],
  count: 1,
  both: [true, false],
  atomic: ['authors', 'books'],
  invalidOperation: ['pages'],
  related: [null, 'Woolf'],
  linked: 1,
  unlinked: [],
  endpoint: ['staff', 'staff'],
  file: [1, 'log', 100_000, 100_000, 'not_found'],
  cancelled: 'Error: cancelled',
  liveQuery: 1,
  change: ['created', 'live'],
  state: 'on',
  refreshed: true,
  loaded: 'staff',
  afterwards: [null, 'unauthorized'],
}

/** Node 20 has no `WebSocket`. */
const nodes = versions.flatMap(version =>
  (version === '20' ? (['events'] as const) : (['events', 'websocket'] as const)).map(
    transport => ({ version, transport }) as const,
  ),
)

describe.each(databases)('%s', database => {
  let service: TestService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startLibrary(database)
    browser = await openBrowser(service.url)
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  test.each(nodes)('Node $version, $transport', async ({ version, transport }) => {
    const options: EveryCallOptions = { url: service.url, session: 'tokens', transport, word: fresh('node') }
    const { stdout } = await run(executableOf(version), [join(folder, 'app.mjs'), JSON.stringify(options)], {
      timeout: 60_000,
    })
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test.each([
    { session: 'cookies', transport: 'websocket' },
    { session: 'tokens', transport: 'events' },
  ] as const)('Chromium, $session, $transport', async ({ session, transport }) => {
    const options: EveryCallOptions = { url: service.url, session, transport, word: fresh('page') }
    await browser.page.goto(`${service.url}/docs/problems`)
    // The policy of the page allows no scripts but its own; the debugger may run any.
    const seen = await browser.page.evaluate(
      `${pageScript}; app.makeEveryCall(${JSON.stringify(options)}).then(JSON.stringify)`,
    )
    expect(JSON.parse(String(seen))).toEqual(expected)
  })
})
