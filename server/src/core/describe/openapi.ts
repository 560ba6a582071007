// The OpenAPI 3.1 document of the service: the generic operations of every resource, and what modules add.

import type { Json } from '../model/json.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import { atomicPaths, atomicSchemas, atomicTag } from './openapi/atomic.ts'
import {
  type Components,
  type JsonObject,
  joined,
  joinedComponents,
  joinedPaths,
  type PathItem,
  reachable,
} from './openapi/document.ts'
import { jsonApiSchemas } from './openapi/json-api-schemas.ts'
import { headers, parameters, searchSchemas } from './openapi/parameters.ts'
import { plainSchemas } from './openapi/plain-schemas.ts'
import { problemResponses, problemSchemas } from './openapi/problems.ts'
import { relationPaths } from './openapi/relation-paths.ts'
import { resourcePaths } from './openapi/resource-paths.ts'
import { resourceResponses, sharedResponses } from './openapi/responses.ts'
import { createScene, type Families, toSecurity } from './openapi/scene.ts'
import { sharedSchemas } from './openapi/shared-schemas.ts'

export type { Components, JsonObject, PathItem } from './openapi/document.ts'
export type { Families, Family, OperationCode } from './openapi/scene.ts'

export interface OpenApiInput {
  readonly registry: Registry
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  /** The service's own address, without a slash at the end. */
  readonly baseUrl: string
  readonly families: Families
  /** By name; a caller uses any one of them. */
  readonly securitySchemes: JsonObject
  /** Further operations by path; a path that exists already gets further methods. They may refer to all components. */
  readonly extra?: Readonly<Record<string, PathItem>>
  readonly components?: Components
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
}

const componentsOf = (resources: readonly Resource[], input: OpenApiInput): Components =>
  joinedComponents(
    { schemas: sharedSchemas, responses: sharedResponses, parameters, headers },
    { schemas: problemSchemas, responses: problemResponses },
    { schemas: searchSchemas },
    { schemas: atomicSchemas },
    ...resources.map(resource => ({
      schemas: joined('schemas', plainSchemas(resource), jsonApiSchemas(resource)),
      responses: resourceResponses(resource),
    })),
    { securitySchemes: input.securitySchemes },
    input.components ?? {},
  )

const checkOperationIds = (paths: JsonObject): void => {
  const seen = new Set<string>()
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item as JsonObject)) {
      if (method === 'parameters') continue
      const { operationId } = operation as { operationId?: string }
      if (operationId === undefined) throw new Error(`${method} ${path} has no operationId`)
      if (seen.has(operationId)) throw new Error(`two operations of the API description are named '${operationId}'`)
      seen.add(operationId)
    }
  }
}

export const toOpenApi = (input: OpenApiInput): JsonObject => {
  const resources = input.registry.resources.filter(resource => !resource.definition.internal)
  const schemes = Object.keys(input.securitySchemes)
  const scenes = resources.map(resource => createScene(resource, input.families, schemes))
  const generic = joined('paths', ...scenes.flatMap(scene => [resourcePaths(scene), relationPaths(scene)]), atomicPaths)
  const paths = joinedPaths(generic, input.extra ?? {})
  checkOperationIds(paths)
  const tags: Json[] = [
    ...resources.map(({ name, definition }) => ({ name, description: definition.about })),
    atomicTag,
    ...(input.tags ?? []),
  ]
  return {
    openapi: '3.1.1',
    info: { ...input.info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: input.baseUrl }],
    security: toSecurity(schemes),
    tags,
    paths,
    components: reachable(componentsOf(resources, input), paths) as JsonObject,
  }
}
