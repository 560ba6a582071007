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
  document.title = (operation.querySelector('h1')?.textContent ?? 'Operation') + ' – API reference'
  scrollTo(0, 0)
}

/* Trying an operation. */
const credentials = () => {
  const [token, username, password] = ['token', 'username', 'password'].map(id => byId(id).value)
  if (token) return { Authorization: 'Bearer ' + token }
  return username ? { Authorization: 'Basic ' + btoa(unescape(encodeURIComponent(username + ':' + password))) } : {}
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
