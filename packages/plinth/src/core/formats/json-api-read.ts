// Bodies of JSON:API: resource documents and relationship documents.

import { fault } from '../fault.ts'
import { toToken } from '../model/json.ts'
import type { Member, Resource } from '../model/resource.ts'
import { type Fault, Problem } from '../problem.ts'
import { type BodyObject, emptyMembers, isObject, own, readIdentifierText, unreadable } from './body.ts'
import { isRelation, isToMany } from './document.ts'
import type { RecordInput } from './format.ts'

export const readDocument = (body: unknown, resource: Resource): RecordInput => {
  const data = isObject(body) ? own(body, 'data') : undefined
  if (!isObject(data)) throw unreadable('/data', 'must have a resource object as `data`')
  readType(data, resource)
  const attributes = readPart(data, 'attributes')
  const relationships = readPart(data, 'relationships')
  refuseMisplaced(attributes, relationships, resource)
  const members = emptyMembers()
  for (const name of Object.keys(attributes)) {
    // Some serializers (Jsona) send the links of a resource object back among its attributes; no member has this name.
    if (name !== 'links') members[name] = attributes[name]
  }
  for (const name of Object.keys(relationships)) {
    if (isReference(relationships[name])) continue
    members[name] = readRelationship(relationships[name], resource.members.get(name), relationshipPointer(name))
  }
  return {
    pk: readIdentifierText(data, 'id', '/data/id'),
    members,
    pointer: name => {
      if (name === 'pk') return '/data/id'
      const member = resource.members.get(name)
      const isRelationship = member ? isRelation(member) : Object.hasOwn(relationships, name)
      return isRelationship ? relationshipPointer(name) : attributePointer(name)
    },
    refusesUnknown: true,
  }
}

/** The pks that a relationship document names: one or null for a to-one relation, a list for a to-many relation. */
export const readLinkage = (body: unknown, member: Member): readonly string[] | string | null => {
  const data = isObject(body) ? own(body, 'data') : undefined
  if (data === undefined) throw unreadable('/data', 'must have `data`')
  return readIdentifiers(data, member, '/data')
}

const attributePointer = (name: string): string => `/data/attributes/${toToken(name)}`
const relationshipPointer = (name: string): string => `/data/relationships/${toToken(name)}`

const readType = (data: BodyObject, { name }: Resource): void => {
  const type = own(data, 'type')
  if (typeof type !== 'string') throw unreadable('/data/type', 'must give the `type` of its resource object')
  if (type === name) return
  // JSON:API 1.1, "Creating Resources" and "Updating Resources": a foreign type is 409.
  const reason = fault('other_type', { type: name })
  throw new Problem('conflict', {
    detail: `The type of the resource object ${reason.message} here.`,
    errors: [{ pointer: '/data/type', ...reason }],
  })
}

const readPart = (data: BodyObject, name: 'attributes' | 'relationships'): BodyObject => {
  const part = own(data, name)
  if (part === undefined) return {}
  if (!isObject(part)) throw unreadable(`/data/${name}`, `must have an object as \`${name}\``)
  return part
}

/** A relation among the attributes, or the other way round, is a member that this resource does not have there. */
const refuseMisplaced = (attributes: BodyObject, relationships: BodyObject, { members }: Resource): void => {
  const errors: Fault[] = []
  for (const name of Object.keys(attributes)) {
    const member = members.get(name)
    if (member && (isRelation(member) || name === 'pk'))
      errors.push({ pointer: attributePointer(name), member: name, ...fault('not_attribute') })
  }
  for (const name of Object.keys(relationships)) {
    const member = members.get(name)
    if (member && !isRelation(member))
      errors.push({ pointer: relationshipPointer(name), member: name, ...fault('not_relation') })
  }
  if (errors.length > 0) throw new Problem('invalid', { errors })
}

/** A relationship as records show it when it has no linkage: sent back, it changes nothing. */
const isReference = (relationship: unknown): boolean =>
  isObject(relationship) &&
  own(relationship, 'data') === undefined &&
  (own(relationship, 'links') !== undefined || own(relationship, 'meta') !== undefined)

const readRelationship = (relationship: unknown, member: Member | undefined, pointer: string): unknown => {
  // The reader of the members refuses unknown names; there is no type to compare the linkage with.
  if (!member) return relationship
  const data = isObject(relationship) ? own(relationship, 'data') : undefined
  if (data === undefined) throw unreadable(pointer, `must give \`data\` for the relation '${member.name}'`)
  return readIdentifiers(data, member, `${pointer}/data`)
}

const readIdentifiers = (data: unknown, member: Member, pointer: string): readonly string[] | string | null => {
  if (isToMany(member)) {
    if (!Array.isArray(data)) throw unreadable(pointer, `must give a list for the relation '${member.name}'`)
    return data.map((identifier, at) => readIdentifier(identifier, member, `${pointer}/${at}`))
  }
  return data === null ? null : readIdentifier(data, member, pointer)
}

const readIdentifier = (identifier: unknown, member: Member, pointer: string): string => {
  const [type, id] = isObject(identifier) ? [own(identifier, 'type'), own(identifier, 'id')] : []
  if (typeof type !== 'string' || typeof id !== 'string')
    throw unreadable(pointer, `must name a record by \`type\` and \`id\` for the relation '${member.name}'`)
  if (type === member.target?.name) return id
  const reason = fault('other_type', { type: member.target?.name ?? '' })
  throw new Problem('unprocessable', {
    detail: `The type of a related record ${reason.message} for the relation '${member.name}'.`,
    errors: [{ pointer: `${pointer}/type`, member: member.name, ...reason }],
  })
}
