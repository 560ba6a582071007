// The script of the API reference, as browsers get it.

/** Credentials stay in the page: nothing is kept in the browser, and nothing leaves for a validator. */
export const referenceScript = `'use strict'
const byId = id => document.getElementById(id)
const groups = [...document.querySelectorAll('nav details')]
const links = [...document.querySelectorAll('nav details a')]

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

/* Swagger UI, made ready while the reader looks at the list. */
const added = (name, attributes) =>
  new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), attributes, { onload: resolve, onerror: reject })
    document.head.append(element)
  })
const createSwagger = async () => {
  await Promise.all([
    added('script', { src: '/apidoc/assets/swagger-ui-bundle.js' }),
    added('link', { rel: 'stylesheet', href: '/apidoc/assets/swagger-ui.css' }),
  ])
  return SwaggerUIBundle({
    spec: { openapi: '3.0.3', info: { title: 'Plinth', version: '' }, paths: {} },
    dom_id: '#operation',
    docExpansion: 'full',
    defaultModelsExpandDepth: -1,
    defaultModelRendering: 'example',
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    queryConfigEnabled: false,
  })
}
/* One instance for all operations, since it holds the credentials. */
let creating
const swagger = () => {
  creating ??= createSwagger()
  return creating
}
const whenIdle = window.requestIdleCallback ?? (work => setTimeout(work, 200))

const showOperation = async id => {
  const { specActions } = await swagger()
  const url = '/apidoc/operations/' + id
  specActions.updateUrl(url)
  await specActions.download(url)
}

const follow = async () => {
  const { hash } = location
  const link = links.find(one => one.hash === hash)
  markCurrent(link)
  byId('overview').hidden = link !== undefined
  byId('operation').hidden = true
  byId('loading').hidden = link === undefined
  if (!link) return
  await showOperation(hash.split('/').at(-1))
  if (location.hash !== hash) return
  byId('operation').hidden = false
  byId('loading').hidden = true
  scrollTo(0, 0)
}
addEventListener('hashchange', follow)
follow()
whenIdle(swagger)
`
