// GET /api/rest, the entry point: which resources the caller may read, so that a client can offer them without knowing any
// by name.

import { humanised, resourceTitle } from '../../core/describe/names.ts'
import type { ResourceEntry } from '../../core/formats/format.ts'
import { formatsByName } from '../../core/formats/index.ts'
import { shape } from '../../core/model/description.ts'
import { boolean, text } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { defineShape, type ListShape, manyOf, type ShapeValue } from '../../core/model/shape.ts'
import { inLanguage, titleIn } from '../../core/model/words.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { toStreamAnswer } from '../../core/rest/endpoint-answers.ts'
import { languageFor, languageHeaders } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'

const entry = defineShape(
  'ResourceEntry',
  {
    name: text({ required: true, about: 'The last segment of its path.' }),
    title: text({ required: true }),
    about: text({ required: true }),
    module: text({ required: true, about: 'The module that it belongs to.' }),
    moduleTitle: text({ required: true }),
    create: boolean({ required: true, about: 'Whether the caller can create records.' }),
  },
  { element: 'resource' },
)
const entries = manyOf(entry, 'resources')

const { json, hal, 'json-api': jsonApi, xml } = formatsByName

const address: JsonSchema = { type: 'string', format: 'uri' }

const linkedEntry: JsonSchema = {
  allOf: [
    shape(entry.name),
    {
      type: 'object',
      properties: { links: { type: 'object', properties: { self: address }, required: ['self'] } },
      required: ['links'],
    },
  ],
}

const content: Readonly<Record<string, JsonSchema | ListShape>> = {
  [json.mediaType]: entries,
  [hal.mediaType]: {
    type: 'object',
    properties: {
      _links: {
        description: 'One link per resource, by name; `search` has a templated link for each.',
        type: 'object',
        properties: { self: shape('HalLink'), search: { type: 'array', items: shape('HalLink') } },
        additionalProperties: shape('HalLink'),
        required: ['self', 'search'],
      },
    },
    required: ['_links'],
  },
  [jsonApi.mediaType]: {
    type: 'object',
    properties: {
      jsonapi: shape('JsonApiObject'),
      links: {
        type: 'object',
        properties: { self: address, describedby: address },
        required: ['self', 'describedby'],
      },
      meta: {
        type: 'object',
        properties: { resources: { type: 'array', items: linkedEntry } },
        required: ['resources'],
      },
    },
    required: ['jsonapi', 'links', 'meta'],
  },
  [xml.mediaType]: entries,
}

export const listResources = (service: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest',
    id: 'listResources',
    summary: 'List the resources that the caller may read',
    description: 'The entry point of the API: HAL and JSON:API clients follow its links.',
    access: 'true',
    answers: { 200: { about: 'The resources.', content } },
    problems: [401, 406, 503],
    answer: ({ context, request }) => {
      const language = languageFor(context, request)
      const resources = readable(service, context, language)
      return { kind: 'entry point', resources, headers: languageHeaders(language) }
    },
  })

const readable = (service: Service, context: Context, language: string): readonly ResourceEntry[] => {
  const { registry, access } = context.platform
  return service.overview().modules.flatMap(({ name: module, title, resources }) => {
    const moduleTitle = titleIn(title, language) ?? humanised(module)
    return resources
      .map(name => registry.resource(name))
      .filter(resource => isReadable(resource, context))
      .map(resource => ({
        name: resource.name,
        title: resourceTitle(resource, language),
        about: inLanguage(resource.definition.about, language),
        module,
        moduleTitle,
        create: access.decide(resource, 'create', context.caller) !== false,
      }))
  })
}

const isReadable = (resource: Resource, { platform: { access }, caller }: Context): boolean =>
  !resource.definition.internal && access.decide(resource, 'read', caller) !== false

// GET /api/modules: which modules of the service are on, so that a client offers nothing that is off.

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

export const listModules = (service: Service) =>
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
