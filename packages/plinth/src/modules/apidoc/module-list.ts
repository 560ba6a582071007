// GET /api/modules: which modules of the service are on, so that a client offers nothing that is off.

import { boolean, text } from '../../core/model/fields.ts'
import { defineShape, manyOf, type ShapeValue } from '../../core/model/shape.ts'
import { inLanguage } from '../../core/model/words.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { toStreamAnswer } from '../../core/rest/endpoint-answers.ts'
import { languageFor, languageHeaders } from '../../core/rest/schemas.ts'
import type { Service } from '../../core/rest/service.ts'

const moduleShape = defineShape(
  'Module',
  {
    name: text({ required: true, about: 'As in `app.modules`.' }),
    about: text({ required: true }),
    endpoints: boolean({ required: true, about: 'Whether it has endpoints besides those of its resources.' }),
  },
  { about: 'An enabled module.' },
)

const moduleList = manyOf(moduleShape, 'modules')

export const listModules = (service: Service): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/modules',
    id: 'listModules',
    summary: 'List the enabled modules',
    access: 'true',
    forgiving: true,
    answers: { 200: { about: 'The modules.', value: moduleList } },
    problems: [406, 503],
    answer: ({ context, request }) => {
      const language = languageFor(context, request)
      return toStreamAnswer(moduleList, modulesOf(service, language), languageHeaders(language))
    },
  })

async function* modulesOf(
  service: Service,
  language: string,
): AsyncGenerator<readonly ShapeValue<typeof moduleShape.fields>[]> {
  const { modules, routes } = service.overview()
  const withRoutes = new Set(routes.map(({ module }) => module))
  yield modules.map(({ name, about }) => ({
    name,
    about: inLanguage(about, language),
    endpoints: withRoutes.has(name),
  }))
}
