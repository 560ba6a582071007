// The API description, a page to read it and try it, and the entry page. All of it is the service's own: no other host is asked.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fault } from '../../core/fault.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Handler, Route } from '../../core/http/exchange.ts'
import type { Description } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { defineModule } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { languageFor, languageHeaders } from '../../core/rest/language.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { directoryRoute } from './directory.ts'
import { type Content, sendContent, toContent } from './fixed-content.ts'
import { modulesRoute } from './modules-route.ts'
import { entryPage, pageStyle, toProblemsPage } from './pages.ts'
import { toReferencePage } from './reference-page.ts'
import { referenceScript } from './reference-script.ts'
import { toSwaggerPart } from './swagger-part.ts'

/** Of Swagger UI, as the package carries them. */
const assets = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')), 'static')

interface Served {
  readonly path: string
  readonly type: 'text/html' | 'text/css' | 'text/javascript'
  readonly make: () => string | Buffer
  readonly describe: Pick<Description, 'id' | 'summary'>
}

const served = (service: Service): readonly Served[] => [
  {
    path: '/',
    type: 'text/html',
    make: () => entryPage,
    describe: { id: 'getEntryPage', summary: 'Open the entry page' },
  },
  {
    path: '/apidoc',
    type: 'text/html',
    make: () => toReferencePage(service.overview().openapi()),
    describe: { id: 'getReferencePage', summary: 'Open the API reference' },
  },
  {
    path: '/docs/problems',
    type: 'text/html',
    make: () => {
      const { modules, problems } = service.overview()
      return toProblemsPage(problems, Object.assign({}, fault.table, ...modules.map(({ faults }) => faults)))
    },
    describe: { id: 'getProblemsPage', summary: 'Read what the codes of problems mean' },
  },
  {
    path: '/apidoc/page.css',
    type: 'text/css',
    make: () => pageStyle,
    describe: { id: 'getPageStyle', summary: 'Fetch the style of the pages' },
  },
  {
    path: '/apidoc/start.js',
    type: 'text/javascript',
    make: () => referenceScript,
    describe: { id: 'getReferenceScript', summary: 'Fetch the script of the API reference' },
  },
  {
    path: '/apidoc/assets/swagger-ui-bundle.js',
    type: 'text/javascript',
    make: () => readFileSync(join(assets, 'swagger-ui-bundle.js')),
    describe: { id: 'getSwaggerScript', summary: 'Fetch Swagger UI' },
  },
  {
    path: '/apidoc/assets/swagger-ui.css',
    type: 'text/css',
    make: () => readFileSync(join(assets, 'swagger-ui.css')),
    describe: { id: 'getSwaggerStyle', summary: 'Fetch the style of Swagger UI' },
  },
]

const describeOpen = (given: Pick<Description, 'id' | 'summary'>, type: string, schema: JsonSchema): Description => ({
  ...given,
  open: true,
  answers: { 200: { says: 'What was asked for.', content: { [type]: schema } } },
  problems: [404],
})

const toRoute = ({ path, type, make, describe }: Served): Route => {
  let content: Content | undefined
  const handler: Handler = request => {
    content ??= toContent(make())
    return sendContent(request, content, `${type}; charset=utf-8`)
  }
  return { method: 'GET', path, handler, describe: describeOpen(describe, type, { type: 'string' }) }
}

/** People type the slash, and links carry it. */
const slashRoute: Route = {
  method: 'GET',
  path: '/apidoc/',
  handler: () => ({ status: 308, headers: { location: '/apidoc', 'cache-control': 'no-cache' } }),
}

interface Wanted {
  /** Null: the whole document. */
  readonly operation: string | null
  readonly language: string
}

/** The description and its parts, with the address under which this caller reached the service; those of the last are kept. */
const createDocuments = (service: Service) => {
  let known = { base: '', contents: new Map<string, Content>() }
  const make = ({ operation, language }: Wanted): Content => {
    const whole = service.overview().openapi(language)
    const document = operation === null ? whole : toSwaggerPart(whole, operation)
    if (!document) throw new Problem('not_found')
    return toContent(JSON.stringify({ ...document, servers: [{ url: known.base }] }))
  }
  return (base: string, wanted: Wanted): Content => {
    if (known.base !== base) known = { base, contents: new Map() }
    const key = `${wanted.language} ${wanted.operation ?? ''}`
    const content = known.contents.get(key) ?? make(wanted)
    known.contents.set(key, content)
    return content
  }
}

const object: JsonSchema = { type: 'object', additionalProperties: true }

const documentRoutes = (service: Service): Route[] => {
  const documents = createDocuments(service)
  const handler = respond(service, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    produces: 'application/json',
    forgiving: true,
    run: (context, { request }) => {
      const language = languageFor(context, request)
      const { body, etag } = documents(request.base, { operation: request.params.id ?? null, language })
      return { kind: 'bytes', mediaType: 'application/json', body, etag, headers: languageHeaders(language) }
    },
  })
  const toDocumentRoute = (path: string, id: string, summary: string): Route => ({
    method: 'GET',
    path,
    handler,
    describe: { ...describeOpen({ id, summary }, 'application/json', object), problems: [404, 406] },
  })
  return [
    toDocumentRoute('/api/openapi.json', 'getOpenApi', 'Read the OpenAPI document'),
    toDocumentRoute('/apidoc/openapi.json', 'getOpenApiOfReference', 'Read the OpenAPI document'),
    toDocumentRoute('/apidoc/operations/{id}', 'getOperationOfReference', 'Read one operation for the API reference'),
  ]
}

const routes = (service: Service): Route[] => [
  ...served(service).map(toRoute),
  slashRoute,
  ...documentRoutes(service),
  directoryRoute(service),
  modulesRoute(service),
]

export const apidoc = defineModule({
  name: 'apidoc',
  about: {
    en: 'The API description and the pages that lead to it.',
    de: 'Die API-Beschreibung und die Seiten, die zu ihr führen.',
  },
  resources: [],
  routes,
})
