// `npm run create -- ../my-app`: a new application whose Plinth comes from this checkout, and everything else from the registry.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCreate } from '../packages/create-plinth/src/create.ts'
import { readTarballs, type Tarball } from '../packages/create-plinth/src/tarballs.ts'
import { buildStale, isMissing, packageBuilds, site } from './builds.js'
import { runScript } from './command.ts'
import { packAll } from './pack.ts'

const packInto = async (folder: string): Promise<readonly Tarball[]> => {
  buildStale(packageBuilds)
  console.log('Packing Plinth …')
  await packAll(folder, { isLocal: true })
  if (isMissing(site)) console.log('Without the documentation, which is not built yet: see `npm run docs`.')
  return readTarballs([folder])
}

await runScript(async () => {
  // Where npm was called: relative paths begin there.
  process.chdir(process.env.INIT_CWD ?? process.cwd())
  const folder = mkdtempSync(join(tmpdir(), 'plinth-create-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.exitCode = await runCreate(process.argv.slice(2), () => packInto(folder))
})
