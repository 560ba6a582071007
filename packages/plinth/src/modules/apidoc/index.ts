// The API description, a page to read and try it, the landing page and the documentation site. Nothing is loaded from other hosts.

import { fault } from '../../core/fault.ts'
import type { Handler, Route } from '../../core/http/exchange.ts'
import type { Description } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { defineModule } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { languageFor, languageHeaders } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'
import { listActions, listPossibleActions } from './actions.ts'
import { listModules, listResources } from './directory.ts'
import { docsFiles, docsRoutes } from './docs-site.ts'
import { getEndpointForm } from './endpoint-form.ts'
import { landingRoute } from './landing-page.ts'
import { toOperationPage } from './operation-page.ts'
import { type Content, pageStyle, sendContent, toContent, toProblemsPage } from './pages.ts'
import { referenceScript, toReferencePage } from './reference-page.ts'
import { listReports } from './reports.ts'
import { securityRoutes, securitySettings } from './security-txt.ts'
import { siteRoutes } from './site-files.ts'

interface Served {
  readonly path: string
  readonly type: 'text/html' | 'text/css' | 'text/javascript'
  readonly make: () => string | Buffer
  readonly describe: Pick<Description, 'id' | 'summary'>
}

const served = (service: Service): readonly Served[] => [
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
    describe: { id: 'getProblemsPage', summary: 'Read the reference of problem codes' },
  },
  {
    path: '/apidoc/page.css',
    type: 'text/css',
    make: () => pageStyle,
    describe: { id: 'getPageStyle', summary: 'Get the style sheet of the pages' },
  },
  {
    path: '/apidoc/start.js',
    type: 'text/javascript',
    make: () => referenceScript,
    describe: { id: 'getReferenceScript', summary: 'Get the script of the API reference' },
  },
]

const toRoute = ({ path, type, make, describe }: Served): Route => {
  let content: Content | undefined
  const handler: Handler = request => {
    content ??= toContent(make())
    return sendContent(request, content, `${type}; charset=utf-8`)
  }
  const answers = { 200: { says: 'The page.', content: { [type]: { type: 'string' } } } }
  const description = { ...describe, open: true, answers, problems: [404] }
  return { method: 'GET', path, handler, isEssential: true, describe: description }
}

/** People type the slash, and links carry it. */
const slashRoute: Route = {
  method: 'GET',
  path: '/apidoc/',
  isEssential: true,
  handler: () => ({ status: 308, headers: { location: '/apidoc', 'cache-control': 'no-cache' } }),
}

interface DocumentPart {
  /** The operation; null for the whole document. */
  readonly operation: string | null
  readonly language: string
}

/** The description and the pages of its operations, with the address under which this caller reached the service; those of the last are kept. */
const createDocuments = (service: Service) => {
  let known = { base: '', contents: new Map<string, Content>() }
  const make = ({ operation, language }: DocumentPart): Content => {
    const whole = service.overview().openapi(language)
    if (operation === null) return toContent(JSON.stringify({ ...whole, servers: [{ url: known.base }] }))
    const page = toOperationPage(whole, operation, known.base)
    if (page === null) throw new Problem('not_found')
    return toContent(page)
  }
  return (base: string, part: DocumentPart): Content => {
    if (known.base !== base) known = { base, contents: new Map() }
    const key = `${part.language} ${part.operation ?? ''}`
    const content = known.contents.get(key) ?? make(part)
    known.contents.set(key, content)
    return content
  }
}

const json = 'application/json'
const html = 'text/html'

const schemas: Readonly<Record<string, JsonSchema>> = {
  [json]: { type: 'object', additionalProperties: true },
  [html]: { type: 'string' },
}

const documentEndpoints = (service: Service): readonly Endpoint[] => {
  const documents = createDocuments(service)
  const toEndpoint = (
    path: string,
    mediaType: string,
    { id, summary }: Pick<Description, 'id' | 'summary'>,
  ): Endpoint =>
    defineEndpoint({
      method: 'GET',
      path,
      id,
      summary,
      access: 'true',
      forgiving: true,
      produces: mediaType,
      answers: { 200: { about: 'The document.', content: { [mediaType]: schemas[mediaType] ?? {} } } },
      problems: [404, 406],
      answer: ({ context, request }) => {
        const language = languageFor(context, request)
        const { body, etag } = documents(request.base, { operation: request.params.id ?? null, language })
        return {
          kind: 'bytes',
          mediaType: mediaType === html ? `${html}; charset=utf-8` : mediaType,
          body,
          etag,
          headers: languageHeaders(language),
        }
      },
    })
  return [
    toEndpoint('/api/openapi.json', json, { id: 'getOpenApi', summary: 'Read the OpenAPI document' }),
    toEndpoint('/apidoc/openapi.json', json, { id: 'getOpenApiOfReference', summary: 'Read the OpenAPI document' }),
    toEndpoint('/apidoc/operations/{id}', html, {
      id: 'getOperationOfReference',
      summary: 'Read about one operation, for the API reference',
    }),
  ]
}

export const apidoc = defineModule({
  name: 'apidoc',
  about: {
    en: 'The API description, its reference pages and the landing page.',
    de: 'Die API-Beschreibung, ihre Referenz und die Startseite.',
  },
  settings: [securitySettings],
  resources: [],
  endpoints: service => [
    ...documentEndpoints(service),
    listResources(service),
    listModules(service),
    listActions(service),
    listPossibleActions(service),
    getEndpointForm(service),
    listReports(service),
  ],
  files: docsFiles,
  routes: service => [
    landingRoute(service),
    ...served(service).map(toRoute),
    slashRoute,
    ...docsRoutes,
    ...securityRoutes(service),
    ...siteRoutes(service),
  ],
})
