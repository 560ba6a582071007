// Resource objects of JSON:API, by writers that are compiled once for each view; and compound documents.

import type { Link, StoredRecord } from '../model/record.ts'
import type { Member } from '../model/resource.ts'
import type { Included, View } from '../model/view.ts'
import {
  collectionPath,
  compileType,
  isRelation,
  isShown,
  isToMany,
  perView,
  quoted,
  relationsOf,
  shownMembers,
  toJson,
  toSegment,
} from './document.ts'

type IncludedLinkage = ReadonlyMap<string, readonly string[]>

/** `base` comes escaped for JSON; `linkage` names the records of to-many relations that were included. */
type ResourceWriter = (record: StoredRecord, base: string, linkage?: IncludedLinkage) => string

const compile = (view: View): ResourceWriter => {
  const attributes = shownMembers(view)
    .filter(member => !isRelation(member))
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

const compileAttribute = ({ name, field }: Member, position: number) => ({
  name,
  key: keyAt(name, position),
  write: field.role === 'value' ? compileType(field.type) : toJson,
})

const compileRelationship = (relation: Member, position: number) => ({
  name: relation.name,
  key: `${keyAt(relation.name, position)}{`,
  writeData: compileLinkage(relation),
  middle: `/relationships/${relation.name}","related":"`,
  end: `/${relation.name}"}}`,
})

/** Writes a relationship object from its `data`, where that is known, to the first address in its links. */
const compileLinkage = (relation: Member): ((stored: unknown, included?: readonly string[]) => string) => {
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

// The records of a compound document, each once however many ways lead to it, with all the linkage that leads on

export interface CompoundEntry {
  readonly view: View
  readonly record: StoredRecord
  /** The pks at the other end of each to-many relation that was included, by relation. */
  readonly linkage: ReadonlyMap<string, readonly string[]>
}

interface OpenEntry extends CompoundEntry {
  readonly linkage: Map<string, readonly string[]>
  readonly seen: Set<Included>
}

export interface Compound {
  add(primary: {
    readonly view: View
    readonly records: readonly StoredRecord[]
    readonly included: readonly Included[]
  }): void
  primary(): CompoundEntry[]
  related(): CompoundEntry[]
}

export const createCompound = (): Compound => {
  const primary = new Map<string, OpenEntry>()
  const related = new Map<string, OpenEntry>()

  const addPrimary = (view: View, record: StoredRecord): void => {
    const key = keyOf(view, record)
    // A document holds a record once: as primary data when it is that, even if another batch led to it before.
    const entry = related.get(key) ?? openEntry(view, record)
    related.delete(key)
    primary.set(key, entry)
  }

  const entryOf = (view: View, record: StoredRecord): OpenEntry => {
    const key = keyOf(view, record)
    let entry = primary.get(key) ?? related.get(key)
    if (!entry) {
      entry = openEntry(view, record)
      related.set(key, entry)
    }
    return entry
  }

  const follow = (entry: OpenEntry, included: readonly Included[]): void => {
    for (const one of included) {
      if (entry.seen.has(one)) continue
      entry.seen.add(one)
      const records = one.byOwner.get(entry.record.pk) ?? []
      if (isToMany(one.relation))
        entry.linkage.set(
          one.relation.name,
          records.map(record => record.pk),
        )
      for (const record of records) follow(entryOf(one.view, record), one.deeper)
    }
  }

  return {
    add: ({ view, records, included }) => {
      for (const record of records) addPrimary(view, record)
      for (const record of records) follow(entryOf(view, record), included)
    },
    primary: () => [...primary.values()],
    related: () => [...related.values()],
  }
}

const keyOf = (view: View, record: StoredRecord): string => `${view.resource.name}/${record.pk}`

const openEntry = (view: View, record: StoredRecord): OpenEntry => ({
  view,
  record,
  linkage: new Map(),
  seen: new Set(),
})
