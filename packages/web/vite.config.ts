import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, runnerImport } from 'vite'
import { precompress } from '../../scripts/precompress.ts'
import { findFirstModules } from './build/first-modules.ts'
import { sharedModuleEntries, shareModules } from './build/shared-modules.ts'
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

const precompressed = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: ({ dir = 'dist' }) => (process.env.BUILD_UNCOMPRESSED === 'true' ? undefined : precompress(dir)),
})

const components = '@mantine/core/esm/components'

/** What the frame of every page is made of, besides the modules of this package. */
const ofFrame = new RegExp(
  `${components}/(AppShell|Avatar|Burger|Collapse|Container|Divider|Menu|NavLink|Popover|ScrollArea|Skeleton)/|@floating-ui|react-remove-scroll`,
)

const firstModules = findFirstModules(import.meta.dirname, 'src/main.tsx')

/**
 * What the start page needs besides, in one file: on a slow line, each small file costs as much as several kilobytes. The menus of the frame
 * are needed on other first pages, too.
 */
const homeModules = findFirstModules(import.meta.dirname, 'src/areas/home/home-page.tsx')
const ofHome = new RegExp(`${components}/SimpleGrid/|/icons/IconBook\\.`)
const menuModules = findFirstModules(import.meta.dirname, 'src/shell/header-menus.tsx')
const ofMenus = /color-scheme|\/icons\/IconCheck\./

export default defineConfig({
  base: '/client/',
  plugins: [
    react(),
    shareModules({ kit: join(import.meta.dirname, 'src/kit.ts') }),
    firstModules.plugin,
    homeModules.plugin,
    menuModules.plugin,
    writeTexts(),
    precompressed(),
  ],
  // The client library is built from its source, together with the pages.
  resolve: { conditions: ['plinth-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The page's policy allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: join(import.meta.dirname, 'index.html'), ...sharedModuleEntries },
      // The pages of modules import from these entries.
      preserveEntrySignatures: 'exports-only',
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', test: id => firstModules.includes(id) || ofFrame.test(id), priority: 1 },
            { name: 'menus', test: id => menuModules.includes(id) || ofMenus.test(id), priority: 0.7 },
            { name: 'home', test: id => homeModules.includes(id) || ofHome.test(id), priority: 0.5 },
            { name: 'shared', minShareCount: 10 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:8080', '/ws': { target: 'ws://127.0.0.1:8080', ws: true } },
  },
})
