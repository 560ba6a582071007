// JSON:API 1.1: documents and errors. Resource objects and bodies have files of their own.

import type { Link, StoredRecord } from '../model/record.ts'
import type { Member } from '../model/resource.ts'
import type { Included, ItemDocument, PageDocument, View } from '../model/view.ts'
import type { Fault } from '../problem.ts'
import {
  collectionPath,
  compileType,
  createSeparator,
  entryPath,
  escaped,
  isRelation,
  isShown,
  isToMany,
  pageLinks,
  pagingText,
  perView,
  quoted,
  recordPath,
  relationsOf,
  shownMembers,
  toJson,
  toSegment,
} from './document.ts'
import type { Format, PageWriter, ProblemDocument } from './format.ts'
import { readDocument } from './json-api-read.ts'
import { extensionsIn, isUtf8, type MediaType } from './media-type.ts'

const opening = '{"jsonapi":{"version":"1.1"},"data":'

const item = (document: ItemDocument, base: string): string => {
  const { view, record, included } = document
  const links = itemLinks(document, base)
  if (!record) return `${opening}null${links}}`
  const root = escaped(base)
  if (included.length === 0) return `${opening}${resourceWriter(view)(record, root)}${links}}`
  const compound = createCompound()
  compound.add({ view, records: [record], included })
  const write = entryWriter(root)
  return `${opening}${compound.primary().map(write).join()},"included":[${compound.related().map(write).join()}]${links}}`
}

const itemLinks = ({ view, record, self }: ItemDocument, base: string): string => {
  const path = self ?? (record && recordPath(view.resource, record.pk))
  return path === null ? '' : `,"links":{"self":${quoted(base + path)}}`
}

const entryWriter =
  (root: string) =>
  ({ view, record, linkage }: CompoundEntry): string =>
    resourceWriter(view)(record, root, linkage)

const page = (document: PageDocument, base: string): PageWriter => {
  const { view } = document
  const root = escaped(base)
  const write = resourceWriter(view)
  const separated = createSeparator()
  // What is included may concern any record of the page, so a compound document is held back until all of it is known.
  let compound: Compound | null = null
  return {
    open: () => `${opening}[`,
    records: (batch, included) => {
      if (included.length === 0) return separated(batch, record => write(record, root))
      compound ??= createCompound()
      compound.add({ view, records: batch, included })
      return ''
    },
    held: function* () {
      if (!compound) return
      const write = entryWriter(root)
      for (const entries of inPieces(compound.primary())) yield separated(entries, write)
      yield '],"included":['
      const separatedRelated = createSeparator()
      for (const entries of inPieces(compound.related())) yield separatedRelated(entries, write)
    },
    close: () => `]${pageEnd(document, base)}}`,
  }
}

/** Each piece is sent before the next is written. */
const pieceSize = 500

const inPieces = function* (entries: readonly CompoundEntry[]): Iterable<readonly CompoundEntry[]> {
  for (let from = 0; from < entries.length; from += pieceSize) yield entries.slice(from, from + pieceSize)
}

const pageEnd = (document: PageDocument, base: string): string => {
  const links = Object.fromEntries(pageLinks(document, base).map(({ rel, href }) => [rel, href]))
  const { paging } = document
  const total = paging && paging.totalElements !== null ? `,"total":${paging.totalElements}` : ''
  const meta = paging ? `,"meta":{"page":${pagingText(paging)}${total}}` : ''
  return `,"links":${JSON.stringify(links)}${meta}`
}

/** Links of a document have fixed names ("Top Level"), so that those of the resources are in `meta`. */
const entryPoint: Format['entryPoint'] = (resources, base) =>
  JSON.stringify({
    jsonapi: { version: '1.1' },
    links: { self: base + entryPath, describedby: `${base}/api/openapi.json` },
    meta: { resources: resources.map(one => ({ ...one, links: { self: `${base}${entryPath}/${one.name}` } })) },
  })

// Errors: one for each fault, or one in all

const writeErrors = (document: ProblemDocument): string => {
  const { type, title, status, detail, instance, code, errors: faults = [], errorLogId, ...extra } = document
  const common = { ...(errorLogId && { id: errorLogId }), status: `${status}`, code, title }
  const errors = faults.map(fault => ({
    ...common,
    detail: fault.message,
    ...withSource(fault),
    meta: {
      ...extra,
      fault: fault.code,
      params: fault.params,
      member: fault.member,
      position: fault.position,
      ...costOf(fault),
    },
  }))
  const only = { ...common, detail, ...(Object.keys(extra).length > 0 && { meta: extra }) }
  return JSON.stringify({ jsonapi: { version: '1.1' }, errors: errors.length > 0 ? errors : [only] })
}

/** Of the part, beside that of the whole query. */
const costOf = ({ cost }: Fault) => (cost === undefined ? {} : { partCost: cost })

const withSource = ({ pointer, parameter }: Fault) => {
  if (pointer !== undefined) return { source: { pointer } }
  return parameter === undefined ? {} : { source: { parameter } }
}

// Media types

/** The one extension that is known; it is spoken at the operations endpoint only. */
export const atomicExtension = 'https://jsonapi.org/ext/atomic'

/** The parameters `ext` and `profile` are allowed; many clients add a charset out of habit. */
const supportsParameters = ({ parameters }: MediaType, extensions: readonly string[]): boolean =>
  parameters.every(({ name, value }) => {
    if (name === 'ext') return extensionsIn(value).every(extension => extensions.includes(extension))
    return name === 'profile' || name === 'q' || (name === 'charset' && isUtf8(value))
  })

export const jsonApi: Format = {
  name: 'json-api',
  mediaType: 'application/vnd.api+json',
  family: 'A',
  schemas: {
    item: type => `${type}Document`,
    page: type => `${type}Collection`,
    input: members => `${members}Document`,
    problem: 'ErrorDocument',
    hasMeta: true,
  },
  supportsParameters,
  extensions: [atomicExtension],
  pageParameters: 'bracket',
  isAlwaysDocument: true,
  item,
  page,
  // A document without data may consist of meta alone (JSON:API 1.1, "Top Level").
  meta: value => JSON.stringify({ jsonapi: { version: '1.1' }, meta: value }),
  explanation: (document, members, base) => {
    const writer = page(document, base)
    const empty = JSON.parse(writer.open() + writer.close())
    return JSON.stringify({ ...empty, meta: { ...empty.meta, ...members } })
  },
  entryPoint,
  problemType: 'application/vnd.api+json',
  problem: writeErrors,
  read: readDocument,
}

// One resource object

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
