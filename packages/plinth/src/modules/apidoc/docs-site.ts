// The documentation site at `/docs/`: static files that `npm run docs` builds. They are part of the package; in a checkout they lie
// beside it.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Route } from '../../core/http/exchange.ts'
import type { StaticFiles } from '../../core/http/static-files.ts'
import { sendContent, toContent, toPage } from './pages.ts'

const placeOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** From the bundle in `dist`, and from the source. */
const folder = ['./docs', '../../docs/dist', '../../../../docs/dist']
  .map(placeOf)
  .find(place => existsSync(`${place}/index.html`))

/** Shiki colours code by style attributes. */
export const docsFiles: readonly StaticFiles[] = folder
  ? [{ prefix: '/docs', folder, fallback: 'index.html', cleanUrls: true, inlineStyles: true }]
  : []

const missing = toContent(
  toPage(
    { title: 'Documentation' },
    '<link rel="stylesheet" href="/apidoc/page.css">',
    `<main class="entry">
<h1>Documentation</h1>
<p>The documentation site is not built. Run <code>npm run build &amp;&amp; npm run docs</code> in the repository and restart the service, or read the folder
<code>docs</code>. The <a href="/docs/problems">problem codes</a> and the <a href="/apidoc">API reference</a> are always available.</p>
</main>`,
  ),
)

const redirect: Route = {
  method: 'GET',
  path: '/docs',
  handler: () => ({ status: 308, headers: { location: '/docs/', 'cache-control': 'no-cache' } }),
}

const missingPages = ['/docs/', '/docs/{page}'].map(
  (path): Route => ({
    method: 'GET',
    path,
    handler: request => sendContent(request, missing, 'text/html; charset=utf-8'),
  }),
)

export const docsRoutes: readonly Route[] = folder ? [redirect] : [redirect, ...missingPages]
