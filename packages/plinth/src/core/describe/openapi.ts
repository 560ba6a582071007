// The OpenAPI 3.1 document of the service: the generic operations of every resource, and what modules add.

import type { Access } from '../model/access.ts'
import type { DescribedFormat } from '../model/description.ts'
import type { Json } from '../model/json.ts'
import type { Registry } from '../model/registry.ts'
import { hasTable, type Resource } from '../model/resource.ts'
import { inLanguage } from '../model/words.ts'
import type { ProblemTable } from '../problem-types.ts'
import { aggregateParameters, aggregatePaths, aggregateResponses, aggregateSchemas } from './openapi/aggregates.ts'
import { atomicPaths, atomicSchemas, atomicTag } from './openapi/atomic.ts'
import {
  type Components,
  type JsonObject,
  joined,
  joinedComponents,
  joinedPaths,
  reachable,
} from './openapi/document.ts'
import { type DescribedEndpoint, endpointPaths } from './openapi/endpoints.ts'
import { jsonApiSchemas } from './openapi/json-api-schemas.ts'
import { pkParameter, sharedParameters } from './openapi/parameters.ts'
import { plainSchemas } from './openapi/plain-schemas.ts'
import { problemResponses, problemSchemas } from './openapi/problems.ts'
import { relationPaths, resourcePaths } from './openapi/resource-paths.ts'
import { headers } from './openapi/response-headers.ts'
import { resourceResponses, sharedResponses } from './openapi/responses.ts'
import { createScene, type Scene, toSecurity } from './openapi/scene.ts'
import { searchSchemas } from './openapi/search-fields.ts'
import { sharedSchemas } from './openapi/shared-schemas.ts'

export type { JsonObject } from './openapi/document.ts'
export type { DescribedEndpoint } from './openapi/endpoints.ts'

export interface OpenApiInput {
  readonly registry: Registry
  /** The formats in the order of preference. */
  readonly formats: readonly DescribedFormat[]
  /** The media types in which searches are exported. */
  readonly fileTypes: readonly string[]
  /** The language of titles and descriptions of resources and fields; by default English. */
  readonly language?: string
  /** Tells which operations are open to callers without credentials. */
  readonly access: Access
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  /** The service's own address, without a slash at the end. */
  readonly baseUrl: string
  /** The problems of the platform and of the modules. */
  readonly problems: ProblemTable
  /** 401, 403 and 404 have a problem as their body for every caller. */
  readonly problemBodies: boolean
  /** The number of the first page in `page[number]`. */
  readonly firstPage: number
  readonly maxPageSize: number
  /** The schemes by name; a caller uses any one of them. */
  readonly securitySchemes: JsonObject
  /** What modules add; a path that exists already gets further methods. */
  readonly endpoints?: readonly DescribedEndpoint[]
  /** Shapes that the endpoints name. */
  readonly schemas?: JsonObject
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
}

const componentsOf = (resources: readonly Resource[], input: OpenApiInput): Components =>
  joinedComponents(
    { schemas: sharedSchemas, responses: sharedResponses, parameters: sharedParameters(input), headers },
    { schemas: problemSchemas(input.problems), responses: problemResponses(input) },
    { schemas: searchSchemas },
    { schemas: atomicSchemas },
    { schemas: aggregateSchemas, responses: aggregateResponses(input), parameters: aggregateParameters },
    ...resources.map(resource => ({
      schemas: joined(
        'schemas',
        plainSchemas(resource, input.language ?? 'en'),
        jsonApiSchemas(resource, input.language ?? 'en'),
      ),
      responses: resourceResponses(resource, input),
      parameters: pkParameter(resource),
    })),
    { securitySchemes: input.securitySchemes },
    { schemas: input.schemas ?? {} },
  )

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
}

const operationsIn = (paths: JsonObject): Operation[] =>
  Object.values(paths).flatMap(item =>
    Object.entries(item as JsonObject)
      .filter(([method]) => method !== 'parameters')
      .map(([, operation]) => operation as unknown as Operation),
  )

const tagsIn = (paths: JsonObject): Set<string> => new Set(operationsIn(paths).flatMap(({ tags }) => tags))

const checkOperationIds = (paths: JsonObject): void => {
  const seen = new Set<string>()
  for (const { operationId } of operationsIn(paths)) {
    if (seen.has(operationId)) throw new Error(`two operations of the API description are named '${operationId}'`)
    seen.add(operationId)
  }
}

const reading = ['get', 'head', 'options', 'parameters']

/** A view of the database is read and never written. */
const writablePaths = ({ resource }: Scene, paths: JsonObject): JsonObject => {
  if (hasTable(resource)) return paths
  const only = (item: Json): JsonObject =>
    Object.fromEntries(Object.entries(item as JsonObject).filter(([name]) => reading.includes(name)))
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, only(item)]))
}

export const toOpenApi = (input: OpenApiInput): JsonObject => {
  const { language = 'en' } = input
  const resources = input.registry.resources.filter(resource => !resource.definition.internal)
  const schemes = Object.keys(input.securitySchemes)
  const scenes = resources.map(resource => createScene(resource, { ...input, securitySchemes: schemes, language }))
  const generic = joined(
    'paths',
    ...scenes.flatMap(scene =>
      [resourcePaths(scene), aggregatePaths(scene), relationPaths(scene)].map(one => writablePaths(scene, one)),
    ),
    atomicPaths,
  )
  const added = endpointPaths(input.endpoints ?? [], {
    registry: input.registry,
    securitySchemes: schemes,
    formats: input.formats,
  })
  const paths = joinedPaths(generic, added)
  checkOperationIds(paths)
  const tags = [
    ...resources.map(({ name, definition }) => ({
      name,
      description: inLanguage(definition.about, language),
    })),
    atomicTag,
    // A module that is all about one resource may have its name.
    ...(input.tags ?? []).filter(tag => !resources.some(({ name }) => name === tag.name)),
  ]
  const used = tagsIn(paths)
  return {
    openapi: '3.1.1',
    info: { ...input.info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: input.baseUrl }],
    security: toSecurity(schemes),
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: reachable(componentsOf(resources, input), paths) as JsonObject,
  }
}
