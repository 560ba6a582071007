// The documentation site at `/docs/`: static files that `npm run docs` builds. They are part of the package; in a checkout they lie
// beside it, and `npm start` builds them while the service runs.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Route } from '../../core/http/exchange.ts'
import type { StaticFiles } from '../../core/http/static-folder.ts'
import { type Content, sendContent, toContent, toPage } from './pages.ts'

const placeOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const mediaType = 'text/html; charset=utf-8'

const toNotice = (head: string, text: string): Content =>
  toContent(
    toPage(
      { title: 'Documentation', description: 'The documentation of this service.' },
      `<link rel="stylesheet" href="/apidoc/page.css">${head}`,
      `<main class="entry">
<h1>Documentation</h1>
<p>${text} The <a href="/docs/problems">problem codes</a> and the <a href="/apidoc">API reference</a> are always available.</p>
</main>`,
    ),
  )

const beingBuilt = toNotice(
  '<meta http-equiv="refresh" content="3">',
  `The documentation is being built, which takes about a minute. This page reloads by itself. If you did not start the service with
<code>npm start</code>, run <code>npm run docs</code> in the repository, or read its folder <code>docs</code>.`,
)

const missing = toNotice(
  '',
  'This copy of Plinth was packed without its documentation. Read the folder <code>docs</code> of the repository.',
)

const packed = [placeOf('./docs')].find(place => existsSync(`${place}/index.html`))

/** The folder of the documentation, seen from the bundle in `dist` and from the source. */
const checkout = ['../../docs', '../../../../docs'].map(placeOf).find(place => existsSync(`${place}/build-site.ts`))

/** Shiki colours code by style attributes. */
const site = { prefix: '/docs', fallback: 'index.html', cleanUrls: true, inlineStyles: true } as const

export const docsFiles: readonly StaticFiles[] = packed
  ? [{ ...site, folder: packed }]
  : checkout
    ? [{ ...site, folder: `${checkout}/dist`, placeholder: { mediaType, content: beingBuilt.body } }]
    : []

/** The service itself answers at `/docs/problems`, with the codes of its modules: no page of the site is to have that name. */
const redirects = Object.entries({ '/docs': '/docs/', '/docs/problems.html': '/docs/problems' }).map(
  ([path, location]): Route => ({
    method: 'GET',
    path,
    isEssential: true,
    handler: () => ({ status: 308, headers: { location, 'cache-control': 'no-cache' } }),
  }),
)

const missingPages = ['/docs/', '/docs/{page}'].map(
  (path): Route => ({
    method: 'GET',
    path,
    isEssential: true,
    handler: request => sendContent(request, missing, mediaType),
  }),
)

export const docsRoutes: readonly Route[] = docsFiles.length > 0 ? redirects : [...redirects, ...missingPages]
