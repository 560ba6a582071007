// GET /api/modules: which modules of the service are on, so that a client offers nothing that is off.

import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'
import { inLanguage } from '../../core/model/words.ts'
import { languageFor, languageHeaders } from '../../core/rest/language.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'

const entry: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'As in `app.modules`.' },
    about: { type: 'string' },
    endpoints: { type: 'boolean', description: 'Has it endpoints beyond those of its resources?' },
  },
  required: ['name', 'about', 'endpoints'],
}

export const modulesRoute = (service: Service): Route => ({
  method: 'GET',
  path: '/api/modules',
  handler: respond(service, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    forgiving: true,
    run: (context, { request }) => {
      const language = languageFor(context, request)
      return {
        kind: 'values',
        names: { list: 'modules', entry: 'module' },
        batches: modulesOf(service, language),
        headers: languageHeaders(language),
      }
    },
  }),
  describe: {
    id: 'listModules',
    summary: 'List the modules that are on',
    open: true,
    answers: { 200: { says: 'The modules.', value: { type: 'array', items: entry } } },
    problems: [406, 503],
  },
})

async function* modulesOf(service: Service, language: string): AsyncGenerator<readonly Json[]> {
  const { modules, routes } = service.overview()
  const withRoutes = new Set(routes.map(({ module }) => module))
  yield modules.map(({ name, about }) => ({
    name,
    about: inLanguage(about, language),
    endpoints: withRoutes.has(name),
  }))
}
