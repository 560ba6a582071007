// What browsers, crawlers and other programs look for at fixed addresses of any site. A module that serves one of these addresses takes
// the place of what is here.

import type { Request, Response, Route } from '../../core/http/exchange.ts'
import type { Description } from '../../core/model/description.ts'
import type { Service } from '../../core/service.ts'
import { sendContent, toContent } from './pages.ts'

/** The icon of the web client, 32 × 32 points, as PNG. */
const icon = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgBAMAAACBVGfHAAAAMFBMVEVMaXEgXIoeXosfXooeX4sfX4oeXoofX4oeX4oeYIoeXoseXoseXoseXor///8fX4tZV76dAAAADnRSTlMAFfKCU/TO' +
    '/vFV8M+E0K07/lEAAAAJcEhZcwAACxMAAAsTAQCanBgAAAB8SURBVCjPY2BgPB3/Hwq+JgswMDBM+o8EVBgYOOuRBb47MAj9RwGNDOdRBT4z3EcV+MYAsuLfOzB4D2R+YviPKvAfuwAywCHwD65j' +
    'kAkQdPo7KMAtgKJFH6EApOQHw35UgW8M9ujRgBZRCxlY0KOSwQNZYAkw9hnNUJIDAGwv22JoU6SfAAAAAElFTkSuQmCC',
  'base64',
)

/** Records and pages for people who have signed in are of no use to search engines. */
const robots = `User-agent: *
Disallow: /api/
Disallow: /client/
Disallow: /apidoc/operations/
`

const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** RFC 9727: the APIs of this host, as links (RFC 9264). */
const catalogOf = (base: string): string => {
  const api = `${base}/api/rest`
  return JSON.stringify({
    linkset: [
      { anchor: `${base}${catalogPath}`, item: [{ href: api }] },
      {
        anchor: api,
        'service-desc': [{ href: `${base}/api/openapi.json`, type: 'application/json' }],
        'service-doc': [
          { href: `${base}/apidoc`, type: 'text/html' },
          { href: `${base}/docs/`, type: 'text/html' },
        ],
        status: [{ href: `${base}/api/management/health`, type: 'application/json' }],
      },
    ],
  })
}

const catalogPath = '/.well-known/api-catalog'

interface SiteFile {
  readonly path: string
  readonly respond: (request: Request) => Response
  readonly describe: Pick<Description, 'id' | 'summary' | 'answers'>
}

const redirectTo = (location: string): Response => ({
  status: 302,
  headers: { location, 'cache-control': 'no-cache' },
})

const siteFiles = (service: Service): readonly SiteFile[] => {
  const [iconContent, robotsContent] = [toContent(icon), toContent(robots)]
  return [
    {
      path: '/favicon.ico',
      respond: request => {
        const { logo } = service.overview().brand
        return logo ? redirectTo(logo) : sendContent(request, iconContent, 'image/png')
      },
      describe: {
        id: 'getFavicon',
        summary: 'Get the icon of the application',
        answers: {
          200: { says: 'The icon.', content: { 'image/png': { type: 'string' } } },
          302: { says: 'The logo of the application.' },
        },
      },
    },
    {
      path: '/robots.txt',
      respond: request => sendContent(request, robotsContent, 'text/plain; charset=utf-8'),
      describe: {
        id: 'getRobotsTxt',
        summary: 'Read what search engines may visit',
        answers: { 200: { says: 'The rules (RFC 9309).', content: { 'text/plain': { type: 'string' } } } },
      },
    },
    {
      path: '/.well-known/change-password',
      respond: () => redirectTo('/client/account/security'),
      describe: {
        id: 'getPasswordPage',
        summary: 'Go to the page where users change their password',
        answers: { 302: { says: 'The address of the page.' } },
      },
    },
    {
      path: catalogPath,
      respond: request => sendContent(request, toContent(catalogOf(request.base)), catalogType),
      describe: {
        id: 'getApiCatalog',
        summary: 'List the APIs of this host',
        answers: {
          200: {
            says: 'Links to the API, its description and its documentation (RFC 9727).',
            content: { 'application/linkset+json': { type: 'object', additionalProperties: true } },
          },
        },
      },
    },
  ]
}

export const siteRoutes = (service: Service): readonly Route[] =>
  siteFiles(service).map(({ path, respond, describe }) => ({
    method: 'GET',
    path,
    handler: respond,
    givesWay: true,
    describe: { ...describe, open: true, problems: [404] },
  }))
