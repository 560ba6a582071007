// The client stays small: what a page loads before it asks for live changes.

import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const entry = fileURLToPath(new URL('../../../client/src/index.ts', import.meta.url))

test('the client takes less than 10 kB compressed, and needs nothing of Node', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    outdir: 'out',
  })
  const first = outputFiles.find(({ path }) => path.endsWith('/index.js'))
  expect(gzipSync(first?.contents ?? '').length).toBeLessThan(10_000)
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(imported.filter(path => path.startsWith('node:'))).toEqual([])
})
