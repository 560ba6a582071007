import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, runnerImport } from 'vite'
import type { Dictionary } from './src/i18n/define-dictionary.ts'

/** All English texts by dictionary, in `texts.json`: the service checks the languages of applications against it. */
const writeTexts = (): Plugin => ({
  name: 'write-texts',
  apply: 'build',
  writeBundle: async ({ dir = 'dist' }) => {
    const list = join(import.meta.dirname, 'src/i18n/all-dictionaries.ts')
    const { module } = await runnerImport<{ readonly dictionaries: readonly Dictionary[] }>(list)
    const texts = Object.fromEntries(module.dictionaries.map(({ name, texts }) => [name, texts.en]))
    writeFileSync(join(dir, 'texts.json'), JSON.stringify(texts, null, 2))
  },
})

/** Compressed once here, so that the service does not compress the same file for every visitor. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: ({ dir = 'dist' }) => {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:js|css|html|svg)$/.test(name)) continue
      const path = join(dir, name)
      const content = readFileSync(path)
      if (content.length < 1000) continue
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
      writeFileSync(
        `${path}.br`,
        brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
      )
    }
  },
})

export default defineConfig({
  base: '/client/',
  plugins: [react(), writeTexts(), precompress()],
  // The client library is built from its source, together with the pages.
  resolve: { conditions: ['plinth-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The page's policy allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One file for what most pages share: dozens of small ones cost more requests than they save bytes.
          groups: [{ name: 'shared', minShareCount: 6 }],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:8080', '/ws': { target: 'ws://127.0.0.1:8080', ws: true } },
  },
})
