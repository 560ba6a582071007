// The client stays small: what a page loads before it asks for live changes.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))

/** A file and everything that it imports, except what is imported on demand. */
const loadedFirst = (outputs: Metafile['outputs'], name: string): string[] => [
  ...new Set([
    name,
    ...(outputs[name]?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .flatMap(({ path }) => loadedFirst(outputs, path)),
  ]),
]

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
  const loaded = loadedFirst(metafile.outputs, 'out/index.js')
  const contents = outputFiles.filter(({ path }) => loaded.some(name => path.endsWith(name)))
  const bytes = contents.reduce((sum, file) => sum + gzipSync(file.contents).length, 0)
  expect(bytes).toBeGreaterThan(5000)
  expect(bytes).toBeLessThan(10_000)
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(imported.filter(path => path.startsWith('node:'))).toEqual([])
})

test('what the web client loads first is not larger than before it used the library', () => {
  const dist = new URL('../../web/dist/', import.meta.url)
  const scripts = readFileSync(new URL('index.html', dist), 'utf8').matchAll(/"\/client\/(assets\/[^"]+\.js)"/g)
  const sizes = [...scripts].map(([, path = '']) => gzipSync(readFileSync(new URL(path, dist))).length)
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(189_217)
})
