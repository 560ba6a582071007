// The API description, a page to read it and try it, and the entry page. All of it is the service's own: no other host is asked.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { formatsByName } from '../../core/formats/index.ts'
import type { Handler, Route } from '../../core/http/exchange.ts'
import { pageHeaders } from '../../core/http/headers.ts'
import type { Description } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { defineModule } from '../../core/module.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { directoryRoute } from './directory.ts'
import { modulesRoute } from './modules-route.ts'
import { entryPage, pageStyle, problemsPage, referencePage, startScript } from './pages.ts'

/** The files of Swagger UI, as the package carries them. */
const assets = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')

interface Served {
  readonly path: string
  readonly type: 'text/html' | 'text/css' | 'text/javascript'
  readonly text: string
  readonly describe: Pick<Description, 'id' | 'summary'>
}

const served: readonly Served[] = [
  { path: '/', type: 'text/html', text: entryPage, describe: { id: 'getEntryPage', summary: 'Open the entry page' } },
  {
    path: '/apidoc',
    type: 'text/html',
    text: referencePage,
    describe: { id: 'getReferencePage', summary: 'Open the API reference' },
  },
  {
    path: '/docs/problems',
    type: 'text/html',
    text: problemsPage,
    describe: { id: 'getProblemsPage', summary: 'Read what the codes of problems mean' },
  },
  {
    path: '/apidoc/page.css',
    type: 'text/css',
    text: pageStyle,
    describe: { id: 'getPageStyle', summary: 'Fetch the style of the pages' },
  },
  {
    path: '/apidoc/start.js',
    type: 'text/javascript',
    text: startScript,
    describe: { id: 'getReferenceScript', summary: 'Fetch the script of the API reference' },
  },
]

const describeOpen = (given: Pick<Description, 'id' | 'summary'>, type: string, schema: JsonSchema): Description => ({
  ...given,
  open: true,
  answers: { 200: { says: 'What was asked for.', content: { [type]: schema } } },
  problems: [404],
})

const toRoute = ({ path, type, text, describe }: Served): Route => {
  const headers = { ...pageHeaders(false), 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }
  const handler: Handler = () => ({ status: 200, headers, body: text })
  return { method: 'GET', path, handler, describe: describeOpen(describe, type, { type: 'string' }) }
}

/** People type the slash, and links carry it. */
const slashRoute: Route = {
  method: 'GET',
  path: '/apidoc/',
  handler: () => ({ status: 308, headers: { location: '/apidoc', 'cache-control': 'no-cache' } }),
}

/** The document with the address under which this caller reached the service; one text is kept for the last address. */
const documentHandler = (service: Service): Handler => {
  let known = { base: '', text: '' }
  return respond(service, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    produces: 'application/json',
    forgiving: true,
    run: (_context, { request: { base } }) => {
      if (known.base !== base)
        known = { base, text: JSON.stringify({ ...service.overview().openapi(), servers: [{ url: base }] }) }
      return { kind: 'text', mediaType: 'application/json', body: known.text }
    },
  })
}

const documentPaths = { '/api/openapi.json': 'getOpenApi', '/apidoc/openapi.json': 'getOpenApiOfReference' } as const

const routes = (service: Service): Route[] => {
  const handler = documentHandler(service)
  const documents = Object.entries(documentPaths).map(([path, id]): Route => {
    const describe = describeOpen({ id, summary: 'Read the OpenAPI document' }, 'application/json', {
      type: 'object',
      additionalProperties: true,
    })
    return { method: 'GET', path, handler, describe: { ...describe, problems: [404, 406] } }
  })
  return [...served.map(toRoute), slashRoute, ...documents, directoryRoute(service), modulesRoute(service)]
}

export const apidoc = defineModule({
  name: 'apidoc',
  about: 'The API description and the pages that lead to it.',
  resources: [],
  routes,
  files: [{ prefix: '/apidoc/assets', folder: assets }],
})
