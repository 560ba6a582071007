// GET /api/rest: which resources the caller may read, so that a client can offer them without knowing any by name.

import { humanised } from '../../core/describe/names.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'
import type { Resource } from '../../core/model/resource.ts'
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
    create: { type: 'boolean', description: 'May the caller add records?' },
  },
  required: ['name', 'title', 'about', 'module', 'create'],
}

export const directoryRoute = (service: Service): Route => ({
  method: 'GET',
  path: '/api/rest',
  handler: respond(service, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    run: context => ({ kind: 'value', status: 200, name: 'resources', value: directory(service, context) }),
  }),
  describe: {
    id: 'listResources',
    summary: 'List the resources that the caller may read',
    open: true,
    answers: { 200: { says: 'The resources.', value: { type: 'array', items: entry } } },
    problems: [401, 406, 503],
  },
})

const directory = (service: Service, context: Context): Json => {
  const { registry } = context.platform
  return service
    .overview()
    .modules.flatMap(({ name: module, resources }) =>
      resources.map(name => registry.resource(name)).flatMap(resource => toEntry(context, module, resource)),
    )
}

const toEntry = ({ platform: { access }, caller }: Context, module: string, resource: Resource): Json[] => {
  const { name, definition } = resource
  if (definition.internal || access.decide(resource, 'read', caller) === false) return []
  const create = access.decide(resource, 'create', caller) !== false
  return [{ name, title: humanised(name), about: definition.about, module, create }]
}
