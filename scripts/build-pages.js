// `node scripts/build-pages.js <source> <folder>`: builds the pages of a package for the web client. What they share with it stays an
// import: `plinth build` of an application resolves it. With a folder of modules as its source, it builds the pages of each module
// into a folder of its name.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

const [source, folder] = process.argv.slice(2)

const shared = ['react', 'react/jsx-runtime', 'react-dom', 'react-router', '@mantine/*', '@plinth/*', '@tanstack/*']

const buildPages = async (source, folder) => {
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
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports)
  const style = imports.find(({ path, external }) => external && path.endsWith('.css'))
  // An application with the package has no styles of the client beside it.
  if (style) throw new Error(`${source} imports ${style.path}: the client loads the styles of what it shares.`)
  // The bundler writes the styles of all scripts beside the first one, which forgets them.
  const script = `${folder}/index.js`
  const styles = metafile.outputs[script]?.cssBundle
  if (styles !== undefined) writeFileSync(script, `import './${basename(styles)}'\n${readFileSync(script, 'utf8')}`)
  for (const path of Object.keys(metafile.outputs)) if (path.endsWith('.css') && path !== styles) rmSync(path)
}

const pagesOf = name => `${source}/${name}/web/index.tsx`

rmSync(folder, { recursive: true, force: true })
if (source.endsWith('.tsx')) await buildPages(source, folder)
else
  for (const name of readdirSync(source).filter(name => existsSync(pagesOf(name))))
    await buildPages(pagesOf(name), `${folder}/${name}`)
