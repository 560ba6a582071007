// What the description of one resource's operations is made from.

import type { Access } from '../../model/access.ts'
import type { Operation } from '../../model/access-rules.ts'
import { anonymous } from '../../model/caller.ts'
import type { DescribedFormat } from '../../model/description.ts'
import { type Family, familyOf, type GenericOperation } from '../../model/family.ts'
import type { Json } from '../../model/json.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { typeNameOf } from '../names.ts'
import type { JsonObject } from './document.ts'
import { problemRef } from './problems.ts'

export const families: readonly Family[] = ['json', 'jsonApi', 'xml']

export interface Scene {
  readonly resource: Resource
  /** The name of the type, such as `FilmActor`. */
  readonly type: string
  family(operation: GenericOperation): Family
  /** May callers without credentials use it? */
  isOpen(operation: Operation): boolean
  readonly securitySchemes: readonly string[]
  /** The language of titles and descriptions. */
  readonly language: string
  readonly formats: readonly DescribedFormat[]
}

export interface SceneOptions extends Pick<Scene, 'securitySchemes' | 'language' | 'formats'> {
  readonly access: Access
}

export const createScene = (resource: Resource, options: SceneOptions): Scene => {
  const { access, securitySchemes, language, formats } = options
  return {
    resource,
    type: typeNameOf(resource),
    family: operation => familyOf(resource.definition, operation),
    isOpen: operation => access.decide(resource, operation, anonymous) !== false,
    securitySchemes,
    language,
    formats,
  }
}

/** The relations that have an address of their own. */
export const relationsOf = (resource: Resource): ResourceField[] =>
  [...resource.fields.values()].filter(field => field.target && !field.target.definition.internal)

export interface OperationParts {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  /** The right that the operation needs; null when anyone may call it. */
  readonly right: Operation | null
  readonly parameters?: readonly Json[]
  readonly body?: Json
  readonly responses: JsonObject
  /** The statuses of the problems that it may answer with. */
  readonly problems: readonly number[]
  /** The default family, where the answer comes in several. */
  readonly family?: Family
  readonly deprecated?: boolean
}

export const toOperation = (scene: Scene, parts: OperationParts): JsonObject => ({
  operationId: parts.operationId,
  summary: parts.summary,
  ...(parts.description && { description: parts.description }),
  tags: [scene.resource.name],
  ...(parts.deprecated && { deprecated: true }),
  ...(parts.family && { 'x-default-family': parts.family }),
  ...((parts.right === null || scene.isOpen(parts.right)) && {
    security: [...toSecurity(scene.securitySchemes), {}],
  }),
  ...(parts.parameters && { parameters: parts.parameters }),
  ...(parts.body !== undefined && { requestBody: parts.body }),
  responses: { ...parts.responses, ...toProblemResponses(parts.problems) },
})

/** Writes schemes of which any one will do. */
export const toSecurity = (schemes: readonly string[]): Json[] => schemes.map(name => ({ [name]: [] }))

export const toProblemResponses = (statuses: readonly number[]): JsonObject => ({
  ...Object.fromEntries(statuses.map(status => [String(status), problemRef(status)])),
  default: problemRef('default'),
})
