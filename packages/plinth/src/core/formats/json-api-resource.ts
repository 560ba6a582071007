// A record as a resource object of JSON:API.

import type { Link, StoredRecord } from '../model/record.ts'
import type { ResourceField } from '../model/resource.ts'
import { sumType } from '../model/total-fields.ts'
import type { View } from '../model/view.ts'
import { inlineFields, isRelation, isShown, isToMany, perView, relationsOf } from './document.ts'
import { compileType, quoted, toJson } from './json-pieces.ts'
import { collectionPath, toSegment } from './paths.ts'

type IncludedLinkage = ReadonlyMap<string, readonly string[]>

/** `base` comes escaped for JSON; `linkage` names the records of to-many relations that were included. */
type ResourceWriter = (record: StoredRecord, base: string, linkage?: IncludedLinkage) => string

const compile = (view: View): ResourceWriter => {
  const attributes = inlineFields(view)
    .filter(field => !isRelation(field))
    .map(compileAttribute)
  const relationships = relationsOf(view).map(compileRelationship)
  const start = `{"type":"${view.resource.name}","id":`
  const path = `${collectionPath(view.resource)}/`
  return (record, base, linkage) => {
    const address = base + path + toSegment(record.pk)
    let text = `${start + quoted(record.pk)},"attributes":{`
    for (const { name, key, write } of attributes) text += key + write(record[name])
    if (relationships.length > 0) text += '},"relationships":{'
    for (const { key, name, writeData, middle, end } of relationships) {
      text += key + writeData(record[name], linkage?.get(name)) + address + middle + address + end
    }
    return `${text}},"links":{"self":"${address}"}}`
  }
}

const keyAt = (name: string, position: number): string => `${position === 0 ? '' : ','}"${name}":`

const compileAttribute = (field: ResourceField, position: number) => {
  const { name, definition } = field
  const type = definition.role === 'value' ? definition.type : sumType(field)
  return { name, key: keyAt(name, position), write: type ? compileType(type) : toJson }
}

const compileRelationship = (relation: ResourceField, position: number) => ({
  name: relation.name,
  key: `${keyAt(relation.name, position)}{`,
  writeData: compileLinkage(relation),
  middle: `/relationships/${relation.name}","related":"`,
  end: `/${relation.name}"}}`,
})

/** Writes a relationship object from its `data`, where that is known, to the first address in its links. */
const compileLinkage = (relation: ResourceField): ((stored: unknown, included?: readonly string[]) => string) => {
  const links = '"links":{"self":"'
  const start = `{"type":"${relation.target?.name}","id":`
  const identifier = (pk: string): string => `${start + quoted(pk)}}`
  if (!isToMany(relation)) return link => `"data":${link ? identifier((link as Link).pk) : 'null'},${links}`
  return (stored, included) => {
    const pks = included ?? (isShown(relation) ? ((stored ?? []) as readonly Link[]).map(link => link.pk) : null)
    return pks ? `"data":[${pks.map(identifier).join(',')}],${links}` : links
  }
}

export const resourceWriter: (view: View) => ResourceWriter = perView(compile)
