// GET /api/rest, the entry point: which resources the caller may read, so that a client can offer them without knowing any
// by name.

import { humanised, resourceTitle } from '../../core/describe/names.ts'
import type { ResourceEntry } from '../../core/formats/format.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import { shape } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
import { inLanguage, titleIn } from '../../core/model/words.ts'
import { languageFor, languageHeaders } from '../../core/rest/language.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'

const text: JsonSchema = { type: 'string' }

const entry: JsonSchema = {
  type: 'object',
  properties: {
    name: { ...text, description: 'The segment of its path.' },
    title: text,
    about: text,
    module: { ...text, description: 'The feature that it belongs to.' },
    moduleTitle: text,
    create: { type: 'boolean', description: 'May the caller add records?' },
  },
  required: ['name', 'title', 'about', 'module', 'moduleTitle', 'create'],
}
const entries: JsonSchema = { type: 'array', items: entry, xml: { name: 'resources', wrapped: true } }

const { json, hal, 'json-api': jsonApi, xml } = formatsByName

const content: Readonly<Record<string, JsonSchema>> = {
  [json.mediaType]: entries,
  [hal.mediaType]: {
    type: 'object',
    properties: {
      _links: {
        description: 'One link for each resource, by its name; `search` holds a templated link for each.',
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
      links: { type: 'object', description: 'One link for each resource, by its name.' },
      meta: { type: 'object', properties: { resources: entries }, required: ['resources'] },
    },
    required: ['jsonapi', 'links', 'meta'],
  },
  [xml.mediaType]: entries,
}

export const directoryRoute = (service: Service): Route => ({
  method: 'GET',
  path: '/api/rest',
  handler: respond(service, {
    resource: null,
    format: json,
    takesBody: false,
    run: (context, { request }) => {
      const language = languageFor(context, request)
      return {
        kind: 'entry point',
        resources: readable(service, context, language),
        headers: languageHeaders(language),
      }
    },
  }),
  describe: {
    id: 'listResources',
    summary: 'List the resources that the caller may read',
    description: 'The entry point of the API: HAL and JSON:API clients follow its links.',
    open: true,
    answers: { 200: { says: 'The resources.', content } },
    problems: [401, 406, 503],
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
