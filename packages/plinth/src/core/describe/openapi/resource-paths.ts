// The generic operations on the collection, on one record, and on the schemas of a resource.

import type { Json } from '../../model/json.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { isReadOnly, isToMany } from '../field-schema.ts'
import { anyOne, capitalised, humanised, severalOf } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { carrying, pkRef, rankingParameters, searching, searchingCollection, shaping } from './parameters.ts'
import { answer, bareAnswer, recordBody } from './responses.ts'
import { relationsOf, type Scene, toOperation } from './scene.ts'
import { fieldParameters } from './search-fields.ts'

const reading = [400, 401, 403, 404, 406]
const writing = [400, 401, 403, 404, 406, 409, 413, 415, 422]

const collectionReads = (scene: Scene): JsonObject => {
  const { resource, type } = scene
  const family = scene.family('search')
  const ranking = rankingParameters(resource)
  const parameters = [
    ...searchingCollection,
    ...ranking,
    ...fieldParameters(resource, scene.language),
    ...carrying('IfNoneMatch'),
  ]
  return {
    get: toOperation(scene, {
      operationId: `list${capitalised(resource.name)}`,
      summary: `Search ${severalOf(resource)}`,
      description:
        'Filter with `filter` or by fields, with pagination; select by identifiers; read everything with `page=no`; or export all records that match as a file, by `Accept` (`text/csv`, `application/x-ndjson`, XLSX) or `_export`.',
      right: 'read',
      family,
      parameters,
      responses: { 200: answer(resource, 'Search', family), 304: bareAnswer('NotModified') },
      problems: reading,
    }),
    head: toOperation(scene, {
      operationId: `head${type}Collection`,
      summary: `Count ${severalOf(resource)}`,
      right: 'read',
      parameters: [ref('parameters', 'Filter'), ...ranking],
      responses: { 200: bareAnswer('PageHeaders') },
      problems: reading,
    }),
  }
}

const optionsOf = (scene: Scene, operationId: string): JsonObject =>
  toOperation(scene, {
    operationId,
    summary: 'Methods and CORS headers',
    right: null,
    responses: { 200: bareAnswer('Options'), 204: bareAnswer('Options') },
    problems: [401, 403],
  })

const collection = (scene: Scene): JsonObject => {
  const { resource, type } = scene
  const family = scene.family('create')
  return {
    ...collectionReads(scene),
    post: toOperation(scene, {
      operationId: `create${type}`,
      summary: `Create ${anyOne(resource)}`,
      description: 'A JSON array creates several records, all or nothing, and returns a page.',
      right: 'create',
      family,
      parameters: [...shaping, ...carrying('IdempotencyKey', 'Prefer')],
      body: recordBody(resource, { mode: 'create', family, formats: scene.formats }),
      responses: { 201: answer(resource, 'Created', family) },
      problems: writing,
    }),
    options: optionsOf(scene, `options${type}Collection`),
  }
}

const itemReads = (scene: Scene): JsonObject => {
  const { resource, type } = scene
  const family = scene.family('find')
  return {
    get: toOperation(scene, {
      operationId: `get${type}`,
      summary: `Read ${anyOne(resource)}`,
      right: 'read',
      family,
      parameters: [
        ...shaping,
        ...(resource.definition.history ? [ref('parameters', 'AsOf')] : []),
        ...(resource.definition.trash ? [ref('parameters', 'Trash')] : []),
        ...carrying('IfNoneMatch'),
      ],
      responses: { 200: answer(resource, 'Item', family), 304: bareAnswer('NotModified') },
      problems: reading,
    }),
    head: toOperation(scene, {
      operationId: `head${type}`,
      summary: `Check ${anyOne(resource)}`,
      right: 'read',
      parameters: carrying('IfNoneMatch'),
      responses: { 200: bareAnswer('ItemHeaders'), 304: bareAnswer('NotModified') },
      problems: reading,
    }),
  }
}

const itemWrites = (scene: Scene): JsonObject => {
  const { resource, type } = scene
  const [replacing, patching] = [scene.family('replace'), scene.family('patch')]
  return {
    put: toOperation(scene, {
      operationId: `replace${type}`,
      summary: `Replace ${anyOne(resource)}`,
      description:
        'Fields that are not sent are cleared or reset to their default; relations that are not sent are kept. An unknown `pk` creates a record.',
      right: 'replace',
      family: replacing,
      parameters: [...shaping, ...carrying('IfMatch', 'IfNoneMatch', 'Prefer')],
      body: recordBody(resource, { mode: 'replace', family: replacing, formats: scene.formats }),
      responses: {
        200: answer(resource, 'Item', replacing),
        201: answer(resource, 'Created', replacing),
        204: bareAnswer('Done'),
      },
      problems: [...writing, 412],
    }),
    patch: toOperation(scene, {
      operationId: `patch${type}`,
      summary: `Change fields of ${anyOne(resource)}`,
      description:
        'Null is ignored, except in a JSON Merge Patch, where it clears the field. If nothing changes, the response is 204, or 200 with the document in JSON:API.',
      right: 'patch',
      family: patching,
      parameters: [...shaping, ...carrying('IfMatch', 'Prefer')],
      body: recordBody(resource, { mode: 'patch', family: patching, formats: scene.formats }),
      responses: { 200: answer(resource, 'Item', patching), 204: bareAnswer('Done') },
      problems: [...writing, 412],
    }),
    delete: toOperation(scene, {
      operationId: `delete${type}`,
      summary: `Delete ${anyOne(resource)}`,
      ...(resource.definition.trash && {
        description:
          'Moves the record to the trash, with all that is deleted with it. With `trash=only`: deletes it from the trash.',
      }),
      right: 'delete',
      parameters: [...(resource.definition.trash ? [ref('parameters', 'Trash')] : []), ...carrying('IfMatch')],
      responses: { 204: bareAnswer('Done') },
      problems: [401, 403, 404, 409, 412],
    }),
  }
}

const schemaPaths = (scene: Scene): JsonObject => ({
  [`/api/rest/${scene.resource.name}/jsonschema`]: {
    get: toOperation(scene, {
      operationId: `get${scene.type}JsonSchema`,
      summary: `The JSON Schema of ${severalOf(scene.resource)}`,
      right: 'read',
      parameters: carrying('IfNoneMatch'),
      responses: { 200: bareAnswer('JsonSchema'), 304: bareAnswer('NotModified') },
      problems: [401, 403, 404],
    }),
  },
  [`/api/rest/${scene.resource.name}/uischema`]: {
    get: toOperation(scene, {
      operationId: `get${scene.type}UiSchema`,
      summary: `The UI schema of ${severalOf(scene.resource)}`,
      right: 'read',
      deprecated: true,
      parameters: carrying('IfNoneMatch'),
      responses: { 200: bareAnswer('UiSchema'), 304: bareAnswer('NotModified') },
      problems: [401, 403, 404],
    }),
  },
})

export const resourcePaths = (scene: Scene): JsonObject => ({
  [`/api/rest/${scene.resource.name}`]: collection(scene),
  [`/api/rest/${scene.resource.name}/{pk}`]: {
    parameters: [pkRef(scene.resource)],
    ...itemReads(scene),
    ...itemWrites(scene),
    options: optionsOf(scene, `options${scene.type}`),
  },
  ...schemaPaths(scene),
})

// The operations on relations: related records at two addresses, and linkage at the first of them.

interface Relation {
  readonly scene: Scene
  readonly field: ResourceField
  readonly target: Resource
  /** `FilmActorsOfFilm`: ends the names of its operations. */
  readonly name: string
  /** `the film actors of a film`. */
  readonly words: string
}

const relatedRecords = (
  { scene, field, target, name, words }: Relation,
  operation: 'relationship' | 'related',
): JsonObject => {
  const family = scene.family(operation)
  const toMany = isToMany(field)
  return toOperation(scene, {
    operationId: `${toMany ? 'list' : 'get'}${name}${operation === 'relationship' ? 'Relationship' : ''}`,
    summary: `Read ${words}${operation === 'relationship' ? ', at the relationship itself' : ''}`,
    right: 'read',
    family,
    parameters: [...(toMany ? searching : shaping), ...carrying('IfNoneMatch')],
    responses: {
      200: answer(target, toMany ? 'Page' : 'Item', family),
      ...(!toMany && { 204: bareAnswer('Empty') }),
      304: bareAnswer('NotModified'),
    },
    problems: [400, 401, 403, 404, 406],
  })
}

const linkageBody = (field: ResourceField): Json => ({
  required: true,
  content: {
    'application/vnd.api+json': { schema: ref('schemas', isToMany(field) ? 'ToManyLinkage' : 'ToOneLinkage') },
  },
})

const changes = { post: ['add', 'Add to'], patch: ['set', 'Set'], delete: ['remove', 'Remove from'] } as const

const linkage = (relation: Relation, method: keyof typeof changes): JsonObject => {
  const { scene, field, name, words } = relation
  const [verb, phrase] = changes[method]
  return toOperation(scene, {
    operationId: `${verb}${name}`,
    summary: `${phrase} ${words}`,
    right: 'patch',
    ...(method === 'post' && { parameters: carrying('IdempotencyKey') }),
    body: linkageBody(field),
    responses: { 204: bareAnswer('Done') },
    problems: [400, 401, 403, 404, 406, 409, 413, 415, 422],
  })
}

/** A relation is changed where it is kept: an inverse one at the field that points here. */
const isWritable = (field: ResourceField): boolean => {
  const kept = field.inverseOf ?? field
  return !isReadOnly(kept) && !kept.definition.options.fixed
}

const linkageOf = (relation: Relation): JsonObject => {
  if (!isWritable(relation.field)) return {}
  if (!isToMany(relation.field)) return { patch: linkage(relation, 'patch') }
  return {
    post: linkage(relation, 'post'),
    patch: linkage(relation, 'patch'),
    delete: linkage(relation, 'delete'),
  }
}

export const relationPaths = (scene: Scene): JsonObject => {
  const paths: Record<string, Json> = {}
  const item = `/api/rest/${scene.resource.name}/{pk}`
  const parameters = [pkRef(scene.resource)]
  for (const field of relationsOf(scene.resource)) {
    if (!field.target) continue
    const name = `${capitalised(field.name)}Of${scene.type}`
    const words = `the ${humanised(field.name).toLowerCase()} of ${anyOne(scene.resource)}`
    const relation: Relation = { scene, field, target: field.target, name, words }
    paths[`${item}/relationships/${field.name}`] = {
      parameters,
      get: relatedRecords(relation, 'relationship'),
      ...linkageOf(relation),
    }
    paths[`${item}/${field.name}`] = { parameters, get: relatedRecords(relation, 'related') }
  }
  return paths
}
