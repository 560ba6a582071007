// The program in one file, as it is shipped, so that processes of it start fast.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const server = fileURLToPath(new URL('../..', import.meta.url))

export interface Program {
  readonly file: string
  remove(): Promise<void>
}

/** `name` keeps the programs of different tests apart. */
export const buildProgram = async (name: string): Promise<Program> => {
  const file = join(server, 'dist', `${name}-${process.pid}.js`)
  await build({
    entryPoints: [join(server, 'src/main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  return { file, remove: () => rm(file, { force: true }) }
}
