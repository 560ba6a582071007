// The documentation site: the pages of `docs`, ordered by what readers want to do.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { precompress } from '../../../scripts/precompress.ts'
import { sidebar } from './sidebar.ts'

/** The policy of the service allows no inline scripts, so those of VitePress become files. By name: content. */
const scripts = new Map<string, string>()

const moveScript = (_: string, attributes: string, content: string): string => {
  const name = `assets/inline-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.js`
  scripts.set(name, content)
  return `<script${attributes} src="/docs/${name}"></script>`
}

export default defineConfig({
  title: 'Plinth',
  description: 'Declare a resource in one file and get storage, an HTTP API and a web client.',
  lang: 'en',
  base: '/docs/',
  srcDir: '../../docs',
  outDir: './dist',
  rewrites: { 'README.md': 'index.md' },
  // Pages of the repository are not part of the site.
  ignoreDeadLinks: [/\.\.\//],
  metaChunk: true,
  // The sidebar would fetch every page of the site.
  router: { prefetchLinks: false },
  // The default themes have too little contrast for WCAG AA.
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  transformHtml: html => html.replaceAll(/<script((?:(?!\ssrc=)[^>])*)>([^<]+)<\/script>/g, moveScript),
  buildEnd: ({ outDir }) => {
    for (const [name, content] of scripts) writeFileSync(join(outDir, name), content)
    return precompress(outDir, 9)
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    // Readers search for what pages are about; long tables have every word.
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 20, text: 2, titles: 2 } } },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'API reference', link: '../apidoc/', target: '_self' },
      { text: 'Web client', link: '../client/', target: '_self' },
    ],
    sidebar,
  },
})
