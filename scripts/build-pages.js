// `node scripts/build-pages.js <source> <folder>`: builds the pages of a package for the web client. What they share with it stays an
// import: `plinth build` of an application resolves it.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

const [source, folder] = process.argv.slice(2)

const shared = ['react', 'react/jsx-runtime', 'react-dom', 'react-router', '@mantine/*', '@plinth/*', '@tanstack/*']

rmSync(folder, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: { index: source },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  external: shared,
  metafile: true,
  logLevel: 'warning',
})

// The bundler writes the styles of all scripts beside the first one, which forgets them.
const script = `${folder}/index.js`
const styles = metafile.outputs[script]?.cssBundle
if (styles !== undefined) writeFileSync(script, `import './${basename(styles)}'\n${readFileSync(script, 'utf8')}`)
for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.css') && path !== styles) rmSync(path)
