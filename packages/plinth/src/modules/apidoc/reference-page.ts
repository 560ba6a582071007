// The API reference: an introduction and a list of all operations. Each operation is a page of its own, loaded when a reader opens it
// (operation-page.ts), so that the reference opens at once.

import { isObject, type ListedOperation, operationsOf, textOf } from '../../core/describe/openapi/parts.ts'
import type { JsonObject } from '../../core/describe/openapi.ts'
import { toAttribute, toContent } from '../../core/formats/xml.ts'
import { toPage } from './pages.ts'

interface Group {
  readonly name: string
  readonly about: string
  readonly operations: readonly ListedOperation[]
}

const groupsOf = (document: JsonObject): Group[] => {
  const operations = operationsOf(document)
  const tags = Array.isArray(document.tags) ? document.tags.filter(isObject) : []
  return tags
    .map(tag => ({
      name: textOf(tag.name),
      about: textOf(tag.description),
      operations: operations.filter(one => one.tag === tag.name),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

const addressOf = (...parts: readonly string[]): string => toAttribute(`#/${parts.map(encodeURIComponent).join('/')}`)

const operationItem = ({ method, path, tag, id, summary }: ListedOperation): string =>
  `<li><a href="${addressOf(tag, id)}"><b class="${method}">${method}</b> ${toContent(summary)} <code>${toContent(path)}</code></a></li>`

const groupItem = ({ name, operations }: Group): string =>
  `<details data-tag="${toAttribute(name)}"><summary>${toContent(name)} <span>${operations.length}</span></summary>
<ul>${operations.map(operationItem).join('\n')}</ul></details>`

const groupCard = ({ name, about }: Group): string =>
  `<li><a href="${addressOf(name)}">${toContent(name)}</a><span>${toContent(about)}</span></li>`

const head = `<link rel="stylesheet" href="/apidoc/page.css">
<script defer src="/apidoc/start.js"></script>`

export const toReferencePage = (document: JsonObject): string => {
  const groups = groupsOf(document)
  return toPage(
    { title: 'API reference' },
    head,
    `<div class="reference">
<nav aria-label="Operations">
<p class="top"><a href="/">Home</a> <a href="/docs/">Docs</a> <a href="#">Overview</a></p>
<input type="search" id="filter" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" spellcheck="false">
<p id="none" role="status" hidden>No operation matches.</p>
${groups.map(groupItem).join('\n')}
<details class="credentials"><summary>Credentials for “Try it”</summary>
<label>Username<input id="username" autocomplete="off" spellcheck="false"></label>
<label>Password<input id="password" type="password" autocomplete="off"></label>
<label>or API key or access token<input id="token" type="password" autocomplete="off"></label>
<p>They stay in this page and are sent to this service only.</p>
</details>
</nav>
<main>
<section id="overview" class="entry">
<h1>API reference</h1>
<p>Every resource has the same operations: search, read, create, replace, patch and delete, in JSON, HAL, JSON:API and XML. Choose an operation
to read about it and to try it.</p>
<ul class="plain links">
<li><a href="/docs/">Documentation</a></li>
<li><a href="/docs/queries.html">Query language</a></li>
<li><a href="/docs/formats.html">Formats</a></li>
<li><a href="/docs/problems">Problems</a></li>
<li><a href="/api/openapi.json">OpenAPI document</a></li>
</ul>
<h2 id="authentication">Authentication</h2>
<p>Send an API key or an access token as <code>Authorization: Bearer</code>, an API key as <code>X-API-Key</code>, a username and password with HTTP Basic, or
use the cookies of a sign-in. Programs should use an API key: create one in the web client under Account, or with
<a href="#/apiKeys/createApiKey">Create an API key</a>. <a href="/docs/security.html#authentication">Authentication</a> describes all methods.</p>
<h2>Requests and errors</h2>
<p>Bodies are JSON unless <code>Content-Type</code> says otherwise; <code>Accept</code> chooses the format of the response. Errors are problem details
(RFC 9457) with a stable <code>code</code>. Send <code>Idempotency-Key</code> with a <code>POST</code> to retry it safely, and <code>If-Match</code> with the
<code>ETag</code> of a record to detect concurrent changes.</p>
<h2>Resources</h2>
<ul>
${groups.map(groupCard).join('\n')}
</ul>
</section>
<div id="operation" class="entry" hidden></div>
<noscript>Reading and trying operations needs scripts. The same content is in <a href="/api/openapi.json">the OpenAPI document</a>.</noscript>
</main>
</div>`,
  )
}
