// The API reference: a list of all operations, drawn here, and the one that is looked at, drawn by Swagger UI. Swagger UI
// takes many seconds for all operations at once, so it gets one at a time.

import { type ListedOperation, operationsOf } from '../../core/describe/openapi/parts.ts'
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
  const tags = document.tags as unknown as readonly { readonly name: string; readonly description: string }[]
  return tags
    .map(({ name, description }) => ({
      name,
      about: description,
      operations: operations.filter(one => one.tag === name),
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
    { title: 'Plinth API reference' },
    head,
    `<div class="reference">
<nav aria-label="Operations">
<a class="home" href="/">Plinth</a>
<input type="search" id="filter" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" spellcheck="false">
<p id="none" role="status" hidden>No operation matches.</p>
${groups.map(groupItem).join('\n')}
</nav>
<main>
<section id="overview" class="entry">
<h1>API reference</h1>
<p>Choose an operation to read about it and to try it. Every resource has the same operations, in JSON, HAL, JSON:API and
XML. The whole description is an <a href="/api/openapi.json">OpenAPI document</a> for generators and other programs;
<a href="/docs/problems">Problems</a> lists the error codes, and the <a href="/docs/">documentation</a> explains authentication, filters
and formats.</p>
<ul>
${groups.map(groupCard).join('\n')}
</ul>
</section>
<p id="loading" role="status" hidden>Loading …</p>
<div id="operation" hidden></div>
<noscript>Reading and trying operations needs scripts. The same content is in <a href="/api/openapi.json">the OpenAPI document</a>.</noscript>
</main>
</div>`,
  )
}
