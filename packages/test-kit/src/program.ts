// The command line with the application of this repository in one file, so that processes of it start fast.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const plinth = fileURLToPath(new URL('../../plinth', import.meta.url))
const packages = join(plinth, '..')

export interface Program {
  readonly file: string
  remove(): Promise<void>
}

/** `name` keeps the programs of different tests apart. */
export const buildProgram = async (name: string): Promise<Program> => {
  const file = join(plinth, 'dist', `${name}-${process.pid}.js`)
  await build({
    entryPoints: [join(packages, 'test-kit/src/platform-main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // Packages of this repository are part of the file.
    alias: {
      plinth: join(plinth, 'src/index.ts'),
      'plinth/module': join(plinth, 'src/module.ts'),
      '@plinth/rental': join(packages, 'rental/src/index.ts'),
      '@plinth/membership': join(packages, 'membership/src/index.ts'),
    },
    logLevel: 'error',
  })
  return { file, remove: () => rm(file, { force: true }) }
}
