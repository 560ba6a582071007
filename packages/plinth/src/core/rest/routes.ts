// The generic endpoints: one table for every resource.

import type { Format } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import type { Method, Route } from '../http/exchange.ts'
import type { Operation } from '../model/access-rules.ts'
import type { ResourceDefinition } from '../model/define.ts'
import { familyOf, type GenericOperation } from '../model/family.ts'
import { fileFieldsOf } from '../model/file-fields.ts'
import { hasTable, type Resource } from '../model/resource.ts'
import { aggregate } from './aggregates.ts'
import { atomicOperations } from './atomic.ts'
import { patch, replace } from './change.ts'
import { create } from './create.ts'
import { find } from './find.ts'
import type { FrontDoor } from './front-door.ts'
import { options } from './origins.ts'
import { allowed } from './permits.ts'
import { respond } from './pipeline.ts'
import { related } from './related.ts'
import { changeRelation } from './relations.ts'
import { remove } from './remove.ts'
import { jsonSchema, schemaTypes, uiSchema } from './schemas.ts'
import { searchOrExport } from './search.ts'
import type { DirectWork, PreparedWork } from './work.ts'

interface Place {
  readonly method: Exclude<Method, 'OPTIONS'>
  readonly path: string
  readonly operation: GenericOperation | 'aggregates' | 'jsonSchema' | 'uiSchema' | 'linkage'
}

type GenericEndpoint = Place &
  (
    | Pick<DirectWork<Resource>, 'onlyReads' | 'produces' | 'writesFiles' | 'run'>
    | Pick<PreparedWork<Resource>, 'prepare'>
  )

const table: readonly GenericEndpoint[] = [
  { method: 'POST', path: '', operation: 'create', prepare: create },
  { method: 'GET', path: '', operation: 'search', onlyReads: true, writesFiles: true, run: searchOrExport },
  {
    method: 'GET',
    path: '/aggregates',
    operation: 'aggregates',
    onlyReads: true,
    writesFiles: true,
    run: aggregate,
  },
  {
    method: 'GET',
    path: '/jsonschema',
    operation: 'jsonSchema',
    onlyReads: true,
    produces: schemaTypes,
    run: jsonSchema,
  },
  {
    method: 'GET',
    path: '/uischema',
    operation: 'uiSchema',
    onlyReads: true,
    produces: 'application/json',
    run: uiSchema,
  },
  { method: 'GET', path: '/{pk}', operation: 'find', onlyReads: true, run: find },
  { method: 'PUT', path: '/{pk}', operation: 'replace', run: replace },
  { method: 'DELETE', path: '/{pk}', operation: 'delete', run: remove },
  { method: 'PATCH', path: '/{pk}', operation: 'patch', run: patch },
  { method: 'GET', path: '/{pk}/relationships/{relation}', operation: 'relationship', onlyReads: true, run: related },
  { method: 'POST', path: '/{pk}/relationships/{relation}', operation: 'linkage', run: changeRelation('add') },
  { method: 'PATCH', path: '/{pk}/relationships/{relation}', operation: 'linkage', run: changeRelation('replace') },
  { method: 'DELETE', path: '/{pk}/relationships/{relation}', operation: 'linkage', run: changeRelation('remove') },
  { method: 'GET', path: '/{pk}/{relation}', operation: 'related', onlyReads: true, run: related },
]

export const restRoutes = (service: FrontDoor): readonly Route[] => [
  ...service.platform.registry.resources
    .filter(({ definition }) => !definition.internal)
    .flatMap(resource => resourceRoutes(service, resource)),
  { method: 'POST', path: '/api/rest/operations', handler: atomicOperations(service) },
]

const resourceRoutes = (service: FrontDoor, resource: Resource): Route[] => {
  const base = `/api/rest/${resource.name}`
  const places = hasTable(resource) ? table : table.filter(({ method }) => method === 'GET')
  const takesForms = fileFieldsOf(resource).size > 0
  const routes: Route[] = places.map(({ path, ...endpoint }) => ({
    method: endpoint.method,
    path: base + path,
    ...(takesForms && writesRecord(endpoint) && { takesForms }),
    handler: respond(service, {
      ...endpoint,
      resource,
      format: formatOf(endpoint.operation, resource),
      takesBody: endpoint.operation === 'linkage' || (endpoint.method !== 'GET' && endpoint.method !== 'DELETE'),
      permit: allowed(resource, rightOf(endpoint)),
    }),
  }))
  for (const path of new Set(places.map(({ path }) => path))) {
    const methods = places.filter(endpoint => endpoint.path === path).map(({ method }) => method)
    routes.push({ method: 'OPTIONS', path: base + path, handler: options(service, resource, methods) })
  }
  return routes
}

/** Is the body a record? */
const writesRecord = ({ operation }: Pick<Place, 'operation'>): boolean =>
  operation === 'create' || operation === 'replace' || operation === 'patch'

/** A change of a relation is a change of the record. */
const rightOf = ({ operation, method }: Pick<Place, 'operation' | 'method'>): Operation => {
  if (operation === 'linkage') return 'patch'
  return rights[method]
}

const rights: Readonly<Record<Place['method'], Operation>> = {
  GET: 'read',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
}

const json = formatsByName.json
const jsonApi = formatsByName['json-api']

const formatOf = (operation: Place['operation'], resource: Resource): Format => {
  if (operation === 'linkage') return jsonApi
  if (operation === 'jsonSchema' || operation === 'uiSchema') return json
  return defaultFormat(resource.definition, operation === 'aggregates' ? 'search' : operation)
}

// The format of a response when the caller does not name one.

export const defaultFormat = (definition: ResourceDefinition, operation: GenericOperation): Format =>
  familyOf(definition, operation) === 'jsonApi' ? formatsByName['json-api'] : formatsByName.json
