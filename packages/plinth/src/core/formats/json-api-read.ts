// Bodies of JSON:API: resource documents and relationship documents.

import { fault } from '../fault.ts'
import { toToken } from '../model/json.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { type Fault, Problem } from '../problem.ts'
import { type BodyObject, emptyFields, isObject, own, readIdentifierText, unreadable } from './body.ts'
import { isRelation, isToMany } from './document.ts'
import type { RecordInput } from './format.ts'

export const readDocument = (body: unknown, resource: Resource): RecordInput => {
  const data = isObject(body) ? own(body, 'data') : undefined
  if (!isObject(data)) throw unreadable('/data', 'must have a resource object as `data`')
  readType(data, resource)
  const attributes = readPart(data, 'attributes')
  const relationships = readPart(data, 'relationships')
  refuseMisplaced(attributes, relationships, resource)
  const members = emptyFields()
  for (const name of Object.keys(attributes)) {
    // Some serializers (Jsona) send the links of a resource object back among its attributes; no member has this name.
    if (name !== 'links') members[name] = attributes[name]
  }
  for (const name of Object.keys(relationships)) {
    if (isReference(relationships[name])) continue
    members[name] = readRelationship(relationships[name], resource.fields.get(name), relationshipPointer(name))
  }
  return {
    pk: readIdentifierText(data, 'id', '/data/id'),
    fields: members,
    pointer: name => {
      if (name === 'pk') return '/data/id'
      const field = resource.fields.get(name)
      const isRelationship = field ? isRelation(field) : Object.hasOwn(relationships, name)
      return isRelationship ? relationshipPointer(name) : attributePointer(name)
    },
    refusesUnknown: true,
  }
}

/** The pks that a relationship document names: one or null for a to-one relation, a list for a to-many relation. */
export const readLinkage = (body: unknown, field: ResourceField): readonly string[] | string | null => {
  const data = isObject(body) ? own(body, 'data') : undefined
  if (data === undefined) throw unreadable('/data', 'must have `data`')
  return readIdentifiers(data, field, '/data')
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
const refuseMisplaced = (attributes: BodyObject, relationships: BodyObject, { fields }: Resource): void => {
  const errors: Fault[] = []
  for (const name of Object.keys(attributes)) {
    const field = fields.get(name)
    if (field && (isRelation(field) || name === 'pk'))
      errors.push({ pointer: attributePointer(name), member: name, ...fault('not_attribute') })
  }
  for (const name of Object.keys(relationships)) {
    const field = fields.get(name)
    if (field && !isRelation(field))
      errors.push({ pointer: relationshipPointer(name), member: name, ...fault('not_relation') })
  }
  if (errors.length > 0) throw new Problem('invalid', { errors })
}

/** A relationship as records show it when it has no linkage: sent back, it changes nothing. */
const isReference = (relationship: unknown): boolean =>
  isObject(relationship) &&
  own(relationship, 'data') === undefined &&
  (own(relationship, 'links') !== undefined || own(relationship, 'meta') !== undefined)

const readRelationship = (relationship: unknown, field: ResourceField | undefined, pointer: string): unknown => {
  // The reader of the members refuses unknown names; there is no type to compare the linkage with.
  if (!field) return relationship
  const data = isObject(relationship) ? own(relationship, 'data') : undefined
  if (data === undefined) throw unreadable(pointer, `must give \`data\` for the relation '${field.name}'`)
  return readIdentifiers(data, field, `${pointer}/data`)
}

const readIdentifiers = (data: unknown, field: ResourceField, pointer: string): readonly string[] | string | null => {
  if (isToMany(field)) {
    if (!Array.isArray(data)) throw unreadable(pointer, `must give a list for the relation '${field.name}'`)
    return data.map((identifier, at) => readIdentifier(identifier, field, `${pointer}/${at}`))
  }
  return data === null ? null : readIdentifier(data, field, pointer)
}

const readIdentifier = (identifier: unknown, field: ResourceField, pointer: string): string => {
  const [type, id] = isObject(identifier) ? [own(identifier, 'type'), own(identifier, 'id')] : []
  if (typeof type !== 'string' || typeof id !== 'string')
    throw unreadable(pointer, `must name a record by \`type\` and \`id\` for the relation '${field.name}'`)
  if (type === field.target?.name) return id
  const reason = fault('other_type', { type: field.target?.name ?? '' })
  throw new Problem('unprocessable', {
    detail: `The type of a related record ${reason.message} for the relation '${field.name}'.`,
    errors: [{ pointer: `${pointer}/type`, member: field.name, ...reason }],
  })
}
