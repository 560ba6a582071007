// `npm run create -- ../my-app`: a new application whose Plinth comes from this checkout, and everything else from the registry.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale, isMissing, packageBuilds, root, site } from './builds.js'
import { runScript } from './command.ts'
import { packAll } from './pack.ts'

const args = process.argv.slice(2)
const asksOnly = args.some(arg => ['--help', '-h', '--version', '-v'].includes(arg))

const create = (...more: readonly string[]): number =>
  spawnSync(process.execPath, [join(root, 'packages/create-plinth/bin/create-plinth.js'), ...args, ...more], {
    // Where npm was called: relative paths begin there.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  }).status ?? 1

const createFromHere = async (): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-create-'))
  try {
    console.log('Packing Plinth …')
    await packAll(folder, { isLocal: true })
    if (isMissing(site)) console.log('Without the documentation, which is not built yet: see `npm run docs`.')
    return create('--from', folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runScript(async () => {
  buildStale(asksOnly ? packageBuilds.filter(({ name }) => name === 'create-plinth') : packageBuilds)
  process.exitCode = asksOnly ? create() : await createFromHere()
})
