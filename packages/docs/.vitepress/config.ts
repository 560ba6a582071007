// The documentation site: the pages of `docs`, ordered by what readers want to do.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const page = (text: string, link: string) => ({ text, link })

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
  transformHtml: html => html.replaceAll(/<script((?:(?!\ssrc=)[^>])*)>([^<]+)<\/script>/g, moveScript),
  buildEnd: ({ outDir }) => {
    for (const [name, content] of scripts) writeFileSync(join(outDir, name), content)
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'API reference', link: '../apidoc/', target: '_self' },
      { text: 'Web client', link: '../client/', target: '_self' },
    ],
    sidebar: [
      { text: 'Start', items: [page('Overview', '/'), page('Glossary', '/glossary')] },
      {
        text: 'Guides',
        items: [
          page('Authentication and security', '/security'),
          page('Accounts', '/accounts'),
          page('Files', '/files'),
          page('Realtime', '/realtime'),
          page('Branding and languages', '/branding'),
          page('Deployment and operations', '/operations'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('Query language', '/queries'),
          page('Formats and writing records', '/formats'),
          page('Field types', '/field-types'),
          page('Settings', '/settings'),
          page('Problems and error codes', '/problems'),
          page('Commands', '/commands'),
          page('Releases and stability', '/releases'),
        ],
      },
      { text: 'Modules', items: [page('Rental', '/rental'), page('Membership', '/membership')] },
    ],
  },
})
