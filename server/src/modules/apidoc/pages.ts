// The pages of the module as text. None holds a script or a style of its own: their policy forbids it.

import { problemKinds } from '../../core/problem.ts'

const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`

export const entryPage = page(
  'Plinth',
  '<link rel="stylesheet" href="/apidoc/page.css">',
  `<main class="entry">
<h1>Plinth</h1>
<p>A platform service: every resource with storage, search, rights and schemas over HTTP.</p>
<ul>
<li><a href="/client">Client</a><span>Work with the records in the browser.</span></li>
<li><a href="/apidoc">API reference</a><span>Read about every operation, and try it.</span></li>
<li><a href="/api/openapi.json">OpenAPI document</a><span>For generators and other programs.</span></li>
</ul>
</main>`,
)

export const referencePage = page(
  'Plinth API reference',
  `<link rel="stylesheet" href="/apidoc/assets/swagger-ui.css">
<link rel="stylesheet" href="/apidoc/page.css">
<script defer src="/apidoc/assets/swagger-ui-bundle.js"></script>
<script defer src="/apidoc/start.js"></script>`,
  '<div id="reference"></div>\n<noscript>The reference needs scripts. The same content is in <a href="/api/openapi.json">the OpenAPI document</a>.</noscript>',
)

const problems = Object.entries(problemKinds).map(
  ([code, { status, title, meaning }]) =>
    `<dt id="${code}"><code>${code}</code> ${status} ${title}</dt>
<dd>${meaning.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</dd>`,
)

export const problemsPage = page(
  'Plinth problems',
  '<link rel="stylesheet" href="/apidoc/page.css">',
  `<main class="entry">
<h1>Problems</h1>
<p>What can go wrong for a caller, by the code in the answer.</p>
<dl>
${problems.join('\n')}
</dl>
</main>`,
)

/** Credentials stay in the page: nothing is kept in the browser, and nothing leaves for a validator. */
export const startScript = `window.addEventListener('DOMContentLoaded', () => {
  SwaggerUIBundle({
    url: '/apidoc/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    tagsSorter: 'alpha',
    defaultModelsExpandDepth: -1,
    defaultModelRendering: 'example',
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    queryConfigEnabled: false,
  })
})
`

export const pageStyle = `:root { color-scheme: light }
body { margin: 0; font-family: system-ui, sans-serif; color: #1f2933; background: #fafbfc }
.entry { max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem }
.entry h1 { font-size: 2.25rem; margin: 0 0 .5rem }
.entry p { color: #52606d; margin: 0 0 2rem }
.entry ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem }
.entry li { display: grid; gap: .25rem; padding: 1rem 1.25rem; background: #fff; border: 1px solid #e4e7eb; border-radius: .5rem }
.entry a { color: #0b5cad; font-weight: 600; text-decoration: none }
.entry a:hover, .entry a:focus-visible { text-decoration: underline }
.entry dt { font-weight: 600; margin: 1.5rem 0 .25rem; scroll-margin-top: 1rem }
.entry dt:target { color: #0b5cad }
.entry dd { margin: 0; color: #52606d }
.entry span { color: #52606d; font-size: .9375rem }
noscript { display: block; margin: 20vh auto; max-width: 42rem; padding: 0 1.5rem }
`
