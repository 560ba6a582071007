// The operations on relations: related records at two addresses, and linkage at the first of them.

import type { Json } from '../../model/json.ts'
import type { Member, Resource } from '../../model/resource.ts'
import { isReadOnly, isToMany } from '../member-schema.ts'
import { anyOne, capitalised, humanised } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { carrying, pkRef, searching, shaping } from './parameters.ts'
import { answer, bareAnswer } from './responses.ts'
import { relationsOf, type Scene, toOperation } from './scene.ts'

interface Relation {
  readonly scene: Scene
  readonly member: Member
  readonly target: Resource
  /** `FilmActorsOfFilm`: ends the names of its operations. */
  readonly name: string
  /** `the film actors of a film`. */
  readonly words: string
}

const relatedRecords = (
  { scene, member, target, name, words }: Relation,
  operation: 'relationship' | 'related',
): JsonObject => {
  const family = scene.family(operation)
  const toMany = isToMany(member)
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

const linkageBody = (member: Member): Json => ({
  required: true,
  content: {
    'application/vnd.api+json': { schema: ref('schemas', isToMany(member) ? 'ToManyLinkage' : 'ToOneLinkage') },
  },
})

const changes = { post: ['add', 'Add to'], patch: ['set', 'Set'], delete: ['remove', 'Remove from'] } as const

const linkage = (relation: Relation, method: keyof typeof changes): JsonObject => {
  const { scene, member, name, words } = relation
  const [verb, phrase] = changes[method]
  return toOperation(scene, {
    operationId: `${verb}${name}`,
    summary: `${phrase} ${words}`,
    right: 'patch',
    ...(method === 'post' && { parameters: carrying('IdempotencyKey') }),
    body: linkageBody(member),
    responses: { 204: bareAnswer('Done') },
    problems: [400, 401, 403, 404, 406, 409, 413, 415, 422],
  })
}

/** A relation is changed where it is kept: an inverse one at the member that points here. */
const isWritable = (member: Member): boolean => {
  const kept = member.inverseOf ?? member
  return !isReadOnly(kept) && !kept.field.options.fixed
}

const linkageOf = (relation: Relation): JsonObject => {
  if (!isWritable(relation.member)) return {}
  if (!isToMany(relation.member)) return { patch: linkage(relation, 'patch') }
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
  for (const member of relationsOf(scene.resource)) {
    if (!member.target) continue
    const name = `${capitalised(member.name)}Of${scene.type}`
    const words = `the ${humanised(member.name).toLowerCase()} of ${anyOne(scene.resource)}`
    const relation: Relation = { scene, member, target: member.target, name, words }
    paths[`${item}/relationships/${member.name}`] = {
      parameters,
      get: relatedRecords(relation, 'relationship'),
      ...linkageOf(relation),
    }
    paths[`${item}/${member.name}`] = { parameters, get: relatedRecords(relation, 'related') }
  }
  return paths
}
