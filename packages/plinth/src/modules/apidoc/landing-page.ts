// The landing page at `/`: what the service is, and where to go next. In the language of the visitor, light or dark.

import { appSettings } from '../../core/config/service-settings.ts'
import type { Request, Response, Route } from '../../core/http/exchange.ts'
import { languageFor, languageHeaders } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'
import { type Content, escaped, sendContent, toContent, toPage } from './pages.ts'

const english = {
  lead: 'A platform built with Plinth: declare a resource in one file and get storage, an HTTP API and a web client.',
  client: ['Web client', 'Search, view and edit records in the browser.'],
  docs: ['Documentation', 'Guides and reference for users of the API and for operators.'],
  reference: ['API reference', 'Read about every operation and try it.'],
  openapi: ['OpenAPI document', 'For code generators and other programs.'],
  signIn: 'Sign in',
  demo: 'Demo mode',
  demoText: 'Sign in as one of these users. The password is the username.',
  username: 'Username',
  role: 'Role',
} as const

type LandingTexts = { readonly [key in keyof typeof english]: (typeof english)[key] extends string ? string : Tile }

/** The name of a link, and what it leads to. */
type Tile = readonly [name: string, about: string]

const german: LandingTexts = {
  lead: 'Eine Plattform auf Basis von Plinth: Eine Ressource in einer Datei deklarieren und Speicher, HTTP-API und Web-Client erhalten.',
  client: ['Web-Client', 'Datensätze im Browser suchen, ansehen und bearbeiten.'],
  docs: ['Dokumentation', 'Anleitungen und Referenz für die API und den Betrieb (englisch).'],
  reference: ['API-Referenz', 'Jede Operation nachlesen und ausprobieren.'],
  openapi: ['OpenAPI-Dokument', 'Für Codegeneratoren und andere Programme.'],
  signIn: 'Anmelden',
  demo: 'Demo-Modus',
  demoText: 'Melden Sie sich mit einem dieser Konten an. Das Passwort ist der Benutzername.',
  username: 'Benutzername',
  role: 'Rolle',
}

const texts: Readonly<Record<string, LandingTexts>> = { en: english, de: german }

const demoUsers = [
  ['admin', 'ROLE_ADMIN'],
  ['operator', 'ROLE_SITE_OPERATOR'],
  ['staff', 'ROLE_STAFF'],
  ['client', 'ROLE_USER'],
  ['simple', 'ROLE_USER'],
] as const

const toTile = (href: string, [name, about]: Tile): string =>
  `<li><a href="${href}">${escaped(name)}</a><span>${escaped(about)}</span></li>`

const toDemo = (t: LandingTexts): string => `<section>
<h2>${t.demo}</h2>
<p>${t.demoText}</p>
<table>
<thead><tr><th scope="col">${t.username}</th><th scope="col">${t.role}</th></tr></thead>
<tbody>
${demoUsers.map(([name, role]) => `<tr><td><code>${name}</code></td><td><code>${role}</code></td></tr>`).join('\n')}
</tbody>
</table>
</section>`

const toLandingPage = (title: string, language: string, isDemo: boolean): string => {
  const t = texts[language] ?? english
  return toPage(
    { title, description: t.lead, language: texts[language] ? language : 'en' },
    '<link rel="stylesheet" href="/apidoc/page.css">',
    `<main class="entry">
<h1>${escaped(title)}</h1>
<p>${t.lead}</p>
<p><a class="button" href="/client/sign-in">${t.signIn}</a></p>
<ul>
${toTile('/client/', t.client)}
${toTile('/docs/', t.docs)}
${toTile('/apidoc', t.reference)}
${toTile('/api/openapi.json', t.openapi)}
</ul>
${isDemo ? toDemo(t) : ''}
</main>`,
  )
}

/** Each language is made when it is first requested. */
export const landingRoute = (service: Service): Route => {
  const pages = new Map<string, Content>()
  const { demo } = service.config.get(appSettings)
  const handler = (request: Request): Response => {
    const language = languageFor(service, request)
    const page = pages.get(language) ?? toContent(toLandingPage(service.overview().title, language, demo))
    pages.set(language, page)
    const { headers, ...response } = sendContent(request, page, 'text/html; charset=utf-8')
    return { ...response, headers: { ...headers, ...languageHeaders(language) } }
  }
  return {
    method: 'GET',
    path: '/',
    handler,
    isEssential: true,
    describe: {
      id: 'getEntryPage',
      summary: 'Open the landing page',
      open: true,
      answers: { 200: { says: 'The page.', content: { 'text/html': { type: 'string' } } } },
      problems: [404],
    },
  }
}
