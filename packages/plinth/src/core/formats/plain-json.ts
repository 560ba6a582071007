// JSON and HAL: records with their members at the top level. A view is compiled once into a writer of text; what is known
// beforehand, such as keys and the ends of links, is laid out then.

import { toToken } from '../model/json.ts'
import type { Link, StoredRecord } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Included, PageDocument, View } from '../model/view.ts'
import {
  type BodyObject,
  collectionPath,
  compileType,
  createSeparator,
  emptyMembers,
  entryPath,
  escaped,
  isObject,
  isToMany,
  pageLinks,
  pagingText,
  perView,
  quoted,
  readIdentifierText,
  relationsOf,
  shownMembers,
  toJson,
  toSegment,
  unreadable,
} from './document.ts'
import type { Format, ListNames, RecordInput, ResourceEntry } from './format.ts'

/** Where JSON and HAL differ. */
interface PlainStyle extends Pick<Format, 'name' | 'mediaType' | 'mergePatchType' | 'schemas'> {
  /** Writes the links at the end of a record, from the comma before them to the closing brace. */
  compileLinks(relations: readonly Member[]): (record: StoredRecord, address: string) => string
  /** Do included records stand in place of the compact member? */
  readonly replacesMembers: boolean
  /** The included records, as `"name":[…]` or `"name":{…}`, that stand in no member's place. */
  addIncluded(entries: readonly string[]): string
  /** A page's text before its records and after them. */
  openPage(document: PageDocument): string
  closePage(document: PageDocument, base: string): string
  /** The text around the entries of a list that are not records. */
  aroundValues(names: ListNames): readonly [before: string, after: string]
  readonly entryPoint: Format['entryPoint']
}

/** `base` comes escaped for JSON. */
type RecordWriter = (record: StoredRecord, base: string, included: readonly Included[]) => string

const createPlainFormat = (style: PlainStyle): Format => {
  const writerOf: (view: View) => RecordWriter = perView(view => compile(view, style, writerOf))
  return {
    name: style.name,
    mediaType: style.mediaType,
    ...(style.mergePatchType && { mergePatchType: style.mergePatchType }),
    family: 'J',
    ...(style.schemas && { schemas: style.schemas }),
    pageParameters: 'plain',
    item: ({ view, record, included }, base) => (record ? writerOf(view)(record, escaped(base), included) : 'null'),
    page: (document, base) => {
      const write = writerOf(document.view)
      const separated = createSeparator()
      const root = escaped(base)
      return {
        open: () => style.openPage(document),
        records: (batch, included) => separated(batch, record => write(record, root, included)),
        close: () => style.closePage(document, base),
      }
    },
    explanation: (document, members, base) =>
      JSON.stringify({ ...JSON.parse(style.openPage(document) + style.closePage(document, base)), ...members }),
    value: (_name, value) => JSON.stringify(value),
    values: names => {
      const separated = createSeparator()
      const [before, after] = style.aroundValues(names)
      return {
        open: () => before,
        entries: batch => separated(batch, entry => JSON.stringify(entry)),
        close: () => after,
      }
    },
    entryPoint: style.entryPoint,
    problemType: 'application/problem+json',
    problem: document => JSON.stringify(document),
    read: readPlain,
  }
}

const compile = (view: View, style: PlainStyle, writerOf: (view: View) => RecordWriter): RecordWriter => {
  const members = shownMembers(view).map(compileMember)
  const writeLinks = style.compileLinks(relationsOf(view))
  const path = `${collectionPath(view.resource)}/`
  const showsId = view.resource.definition.showsId

  const writeExpanded = (record: StoredRecord, base: string, included: readonly Included[]): string => {
    const relatedTexts = ({ view, byOwner, deeper }: Included): string[] => {
      const write = writerOf(view)
      return (byOwner.get(record.pk) ?? []).map(related => write(related, base, deeper))
    }
    const expansions = new Map<string, Included>()
    for (const one of included) if (view.members.has(one.relation.name)) expansions.set(one.relation.name, one)
    let text = ''
    for (const { member, name, key, write } of members) {
      const expansion = style.replacesMembers ? expansions.get(name) : undefined
      if (expansion) expansions.delete(name)
      const texts = expansion && relatedTexts(expansion)
      if (texts && isToMany(member)) text += `${key}[${texts.join(',')}]`
      else text += key + (texts?.[0] ?? write(record[name]))
    }
    const entries = [...expansions].flatMap(([name, expansion]) => {
      const texts = relatedTexts(expansion)
      if (isToMany(expansion.relation)) return `"${name}":[${texts.join(',')}]`
      return texts.map(one => `"${name}":${one}`)
    })
    return entries.length > 0 ? text + style.addIncluded(entries) : text
  }

  return (record, base, included) => {
    const pk = quoted(record.pk)
    let text = showsId ? `{"pk":${pk},"id":${pk}` : `{"pk":${pk}`
    if (included.length > 0) text += writeExpanded(record, base, included)
    else for (const { name, key, write } of members) text += key + write(record[name])
    return text + writeLinks(record, base + path + toSegment(record.pk))
  }
}

const compileMember = (member: Member) => ({
  member,
  name: member.name,
  key: `,"${member.name}":`,
  write: compileValue(member),
})

const compileValue = (member: Member): ((stored: unknown) => string) => {
  const { field, target } = member
  if (field.role === 'value') return compileType(field.type)
  if (!target) return toJson
  const writeLink = compileLink(target)
  if (!isToMany(member)) return link => (link ? writeLink(link as Link) : 'null')
  return links => `[${((links ?? []) as readonly Link[]).map(writeLink).join(',')}]`
}

/** A related record in short. The label is left out when there is none, or none that the caller may see. */
const compileLink = ({ label }: Resource): ((link: Link) => string) => {
  const key = label && `,"${label.name}":`
  return link =>
    key === null || link.label === null
      ? `{"pk":${quoted(link.pk)}}`
      : `{"pk":${quoted(link.pk)}${key}${quoted(link.label)}}`
}

/** The `page` member with the comma before it; nothing for a list that is not paged. */
const pageMember = ({ paging }: PageDocument): string => (paging ? `,"page":${pagingText(paging)}` : '')

// Bodies

/** What the formats write beside the members: callers may send it back, and it is never input. */
const beside = new Set(['pk', 'id', 'links', '_links', '_embedded'])

const readPlain = (body: unknown): RecordInput => {
  if (!isObject(body)) throw unreadable('', 'must be an object')
  const members = emptyMembers()
  for (const name of Object.keys(body)) if (!beside.has(name)) members[name] = body[name]
  return { pk: readPk(body), members, pointer: member => `/${toToken(member)}`, refusesUnknown: false }
}

const readPk = (body: BodyObject): string | undefined => {
  const pk = readIdentifierText(body, 'pk', '/pk')
  const id = readIdentifierText(body, 'id', '/id')
  if (pk !== undefined && id !== undefined && pk !== id) throw unreadable('/id', 'gives `pk` and `id` that differ')
  return pk ?? id
}

// JSON: `links` as a list of rel and href

export const json: Format = createPlainFormat({
  name: 'json',
  mediaType: 'application/json',
  mergePatchType: 'application/merge-patch+json',
  schemas: {
    item: type => type,
    page: type => `${type}Page`,
    input: members => members,
    problem: 'Problem',
  },
  compileLinks: relations => {
    // The address of the record stands between each two pieces.
    const pieces = [',"links":[{"rel":"self","href":"']
    let end = ''
    for (const { name } of relations) {
      pieces.push(`${end}"},{"rel":"${name}","href":"`)
      end = `/${name}`
    }
    pieces.push(`${end}"}]}`)
    return (_record, address) => pieces.join(address)
  },
  replacesMembers: true,
  addIncluded: entries => `,${entries.join(',')}`,
  openPage: () => '{"content":[',
  closePage: (document, base) => `]${pageMember(document)},"links":${JSON.stringify(pageLinks(document, base))}}`,
  aroundValues: () => ['[', ']'],
  entryPoint: resources => JSON.stringify(resources),
})

// HAL: links by rel under `_links`, records under `_embedded`

const compileHalLink = (relation: Member) => ({
  name: relation.name,
  // An empty to-one relation has nothing to follow.
  mayBeEmpty: !isToMany(relation),
  before: `,"${relation.name}":{"href":"`,
  after: `/${relation.name}"}`,
})

/** One link for each resource, by its name, and one to search it: `search`, with the resource as `name`. */
const entryLinks = (resources: readonly ResourceEntry[], base: string) => ({
  self: { href: base + entryPath },
  ...Object.fromEntries(
    resources.map(({ name, title }) => [name, { href: `${base}${entryPath}/${name}`, title }] as const),
  ),
  search: resources.map(({ name, title }) => ({
    href: `${base}${entryPath}/${name}${searchTemplate}`,
    templated: true,
    name,
    title,
  })),
})

/** RFC 6570. */
const searchTemplate = '{?filter,sort,include,fields,pks,page,_pn,_ps,_after,_before,_total}'

export const hal: Format = createPlainFormat({
  name: 'hal',
  mediaType: 'application/hal+json',
  schemas: {
    item: type => `${type}Hal`,
    page: type => `${type}HalPage`,
    input: members => members,
    problem: 'Problem',
    list: list => ({
      type: 'object',
      properties: { _embedded: { type: 'object', additionalProperties: list } },
      required: ['_embedded'],
    }),
  },
  compileLinks: relations => {
    const links = relations.map(compileHalLink)
    return (record, address) => {
      let text = `,"_links":{"self":{"href":"${address}"}`
      for (const { name, mayBeEmpty, before, after } of links) {
        if (!mayBeEmpty || record[name]) text += before + address + after
      }
      return `${text}}}`
    }
  },
  replacesMembers: false,
  addIncluded: entries => `,"_embedded":{${entries.join(',')}}`,
  openPage: ({ view }) => `{"_embedded":{"${view.resource.name}":[`,
  closePage: (document, base) => {
    const links = pageLinks(document, base).map(({ rel, href }) => [rel, { href }])
    return `]}${pageMember(document)},"_links":${JSON.stringify(Object.fromEntries(links))}}`
  },
  // A HAL document is an object, also where it is a list.
  aroundValues: ({ list }) => [`{"_embedded":{"${list}":[`, ']}}'],
  entryPoint: (resources, base) => JSON.stringify({ _links: entryLinks(resources, base) }),
})
