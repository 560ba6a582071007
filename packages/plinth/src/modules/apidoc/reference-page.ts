// The API reference: an introduction and a list of all operations. Each operation is a page of its own, loaded when a reader opens it
// (operation-page.ts), so that the reference opens at once.

import { isObject, type ListedOperation, operationsOf, textOf } from '../../core/describe/openapi/parts.ts'
import type { JsonObject } from '../../core/describe/openapi.ts'
import { toAttribute, toContent } from '../../core/formats/xml-text.ts'
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
    { title: 'API reference', description: 'Every operation of this service, to read about and to try.' },
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

// The script of the API reference, as browsers get it.

/** Credentials stay in the page: nothing is kept in the browser. */
export const referenceScript = `'use strict'
const byId = id => document.getElementById(id)
const groups = [...document.querySelectorAll('nav details[data-tag]')]
const links = [...document.querySelectorAll('nav details[data-tag] a')]

/* The list of operations. */
const filter = byId('filter')
const applyFilter = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const link of links) {
    const text = link.textContent.toLowerCase()
    link.parentElement.hidden = !words.every(word => text.includes(word))
  }
  for (const group of groups) {
    group.hidden = !group.querySelector('li:not([hidden])')
    if (words.length > 0) group.open = !group.hidden
  }
  byId('none').hidden = groups.some(group => !group.hidden)
}
filter.addEventListener('input', applyFilter)
/* The page is there before its script: a reader may have typed, and browsers keep what was typed before a reload. */
if (filter.value) applyFilter()

const markCurrent = current => {
  const tag = decodeURIComponent(location.hash.split('/')[1] ?? '')
  const group = groups.find(one => one.dataset.tag === tag)
  if (group) {
    group.open = true
    if (!current) group.querySelector('summary').focus()
  }
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

/* One operation, drawn by the service and kept for the way back. */
const pages = new Map()
const load = async id => {
  const known = pages.get(id)
  if (known) return known
  const response = await fetch('/apidoc/operations/' + id, { headers: { Accept: 'text/html' } })
  if (!response.ok) throw new Error('The operation cannot be loaded (' + response.status + ').')
  const page = await response.text()
  pages.set(id, page)
  return page
}

/* A pointer or the focus on a link comes before the click. */
const prepare = ({ target }) => {
  const link = target.closest?.('nav li a')
  if (link) load(link.hash.split('/').at(-1)).catch(() => {})
}
addEventListener('pointerover', prepare)
addEventListener('focusin', prepare)

const follow = async () => {
  const { hash } = location
  const link = links.find(one => one.hash === hash)
  const operation = byId('operation')
  markCurrent(link)
  byId('overview').hidden = link !== undefined
  operation.hidden = link === undefined
  if (!link) {
    if (hash && !hash.startsWith('#/')) byId(hash.slice(1))?.scrollIntoView()
    return
  }
  operation.setAttribute('aria-busy', 'true')
  const page = await load(hash.split('/').at(-1)).catch(error => '<p role="alert">' + error.message + '</p>')
  if (location.hash !== hash) return
  operation.innerHTML = page
  operation.removeAttribute('aria-busy')
  for (const form of operation.querySelectorAll('form')) fillReferences(form).catch(() => {})
  document.title = (operation.querySelector('h1')?.textContent ?? 'Operation') + ' – API reference'
  scrollTo(0, 0)
}

/* Trying an operation. */
const credentials = () => {
  const [token, username, password] = ['token', 'username', 'password'].map(id => byId(id).value)
  if (token) return { Authorization: 'Bearer ' + token }
  return username ? { Authorization: 'Basic ' + btoa(unescape(encodeURIComponent(username + ':' + password))) } : {}
}

/* Identifiers that the example invents become those of records that there are, as far as the caller may read them. */
const firstOf = async resource => {
  const response = await fetch('/api/rest/' + resource + '?_ps=1&_total=none', { headers: { Accept: 'application/json', ...credentials() } })
  return response.ok ? (await response.json()).content?.[0]?.pk : undefined
}

const fillReferences = async form => {
  const { references, invented } = form.dataset
  for (const [field, resource] of Object.entries(JSON.parse(references))) {
    const text = form.elements.body?.value ?? ''
    const input = field === '{pk}' ? form.elements.pk : null
    if (input ? input.value !== invented : !text.includes('"' + field + '"') || !text.includes(invented)) continue
    const pk = await firstOf(resource)
    if (pk === undefined) continue
    if (input) input.value = pk
    else form.elements.body.value = indented(withReference(text, field, pk, invented))
  }
}

const withReference = (text, field, pk, invented) => {
  try {
    const body = JSON.parse(text)
    body[field] = JSON.parse(JSON.stringify(body[field]).replaceAll(invented, pk))
    return JSON.stringify(body)
  } catch {
    return text
  }
}

const toRequest = form => {
  const { method, accept, type } = form.dataset
  let { path } = form.dataset
  const query = new URLSearchParams()
  const headers = { Accept: accept, ...credentials() }
  for (const input of form.querySelectorAll('input')) {
    const { name, value } = input
    if (input.dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value))
    else if (value === '') continue
    else if (input.dataset.in === 'query') query.append(name, value)
    else headers[name] = value
  }
  const body = form.elements.body?.value
  if (body !== undefined) headers['Content-Type'] = type
  const address = path + (query.size > 0 ? '?' + query : '')
  return [address, { method: method.toUpperCase(), headers, ...(body !== undefined && { body }) }]
}

const indented = text => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const send = async form => {
  const result = form.nextElementSibling
  await fillReferences(form).catch(() => {})
  const began = performance.now()
  const [address, options] = toRequest(form)
  const line = document.createElement('p')
  const output = document.createElement('pre')
  try {
    const response = await fetch(address, options)
    const text = await response.text()
    const status = document.createElement('strong')
    status.textContent = String(response.status)
    line.append(status, ' ' + response.statusText + ', ' + Math.round(performance.now() - began) + ' ms')
    output.textContent = indented(text)
  } catch (error) {
    line.textContent = error.message
  }
  output.tabIndex = 0
  result.replaceChildren(line, ...(output.textContent ? [output] : []))
}
byId('operation').addEventListener('submit', event => {
  event.preventDefault()
  send(event.target)
})

addEventListener('hashchange', follow)
follow()
`
