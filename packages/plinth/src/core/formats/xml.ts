// XML, for reading only. It mirrors JSON: an element for each member, lists as repeated elements, null left out.

import type { Json } from '../model/json.ts'
import type { Link, StoredRecord } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import { shown } from '../model/value-field.ts'
import type { Included, ItemDocument, PageDocument, View } from '../model/view.ts'
import { collectionPath, isToMany, pageLinks, perView, relationsOf, shownMembers, toSegment } from './document.ts'
import type { Format, ListNames, PageWriter, ProblemDocument, ValuesWriter } from './format.ts'

// Text: whatever a value holds, what is written is well-formed

// Section 2.2: all other characters, among them lone surrogates, have no place in a document, not even escaped.
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

// What may stand both between tags and between quotes as it is.
const plain = /^[ !#-%'-;=?-\ud7ff\ue000-\ufffd]*$/

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Sections 2.11 and 3.3.3: as they are, a reader would turn these into line feeds or blanks.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const refer = (character: string): string => references[character] ?? character

/** Between tags. */
export const toContent = (text: string): string =>
  plain.test(text) ? text : text.replace(forbidden, '').replace(/[&<>\r]/g, refer)

/** Between double quotes. */
export const toAttribute = (text: string): string =>
  plain.test(text) ? text : text.replace(forbidden, '').replace(/[&<>"\r\n\t]/g, refer)

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/**
 * A JSON value as elements of one name: a list repeats the element, an object holds an `entry` for each of its names
 * (they may come from callers, so they are never element names), and null is left out.
 */
const toElements = (name: string, value: unknown, attributes = ''): string => {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return `<${name}${attributes}>${contentOf(value)}</${name}>`
  return value.map(entry => `<${name}${attributes}>${contentOf(entry)}</${name}>`).join('')
}

const contentOf = (value: unknown): string => {
  if (typeof value === 'string') return toContent(value)
  if (typeof value !== 'object') return `${value}`
  if (value === null) return ''
  if (Array.isArray(value)) return toElements('entry', value)
  return Object.entries(value)
    .map(([name, entry]) => toElements('entry', entry, ` name="${toAttribute(name)}"`))
    .join('')
}

const elementName = /^[A-Za-z_][\w.-]*$/

/** As `toElements`, for values whose names are the service's own: each becomes an element, where XML admits it. */
const toNamedElements = (name: string, value: Json): string => {
  if (value === null || typeof value !== 'object') return toElements(name, value)
  if (Array.isArray(value)) return value.map(entry => toNamedElements(name, entry)).join('')
  const content = Object.entries(value).map(([key, entry]) =>
    elementName.test(key) ? toNamedElements(key, entry) : toElements('entry', entry, ` name="${toAttribute(key)}"`),
  )
  return `<${name}>${content.join('')}</${name}>`
}

// Records

/** Writes what stands inside the element of a record. `base` comes escaped for attributes. */
type ContentWriter = (record: StoredRecord, base: string, included: readonly Included[]) => string

const compile = (view: View): ContentWriter => {
  // To-many relations that no record shows stand last, and only when they are included.
  const shownFirst = shownMembers(view)
  const members = [...shownFirst, ...relationsOf(view).filter(relation => !shownFirst.includes(relation))]
  const writers = members.map(member => ({ name: member.name, write: compileMember(member) }))
  const writeLinks = compileLinks(view)
  const showsId = view.resource.definition.showsId
  return (record, base, included) => {
    const pk = toContent(record.pk)
    let text = showsId ? `<pk>${pk}</pk><id>${pk}</id>` : `<pk>${pk}</pk>`
    for (const { name, write } of writers) {
      const expansion = included.length > 0 ? included.find(({ relation }) => relation.name === name) : undefined
      text += (expansion && writeRelated(expansion, record, base)) || write(record[name])
    }
    return text + writeLinks(base, record.pk)
  }
}

const writerOf = perView(compile)

const writeRelated = ({ relation, view, byOwner, deeper }: Included, owner: StoredRecord, base: string): string => {
  const write = writerOf(view)
  const related = byOwner.get(owner.pk) ?? []
  return related.map(record => `<${relation.name}>${write(record, base, deeper)}</${relation.name}>`).join('')
}

const compileMember = (member: Member): ((stored: unknown) => string) => {
  const { name, field, target } = member
  if (field.role === 'value') {
    const write = field.type.parts ? toNamedElements : toElements
    return stored => write(name, shown(field.type, stored))
  }
  if (!target) return stored => toElements(name, stored)
  const writeLink = compileLink(name, target)
  if (isToMany(member)) return links => ((links ?? []) as readonly Link[]).map(writeLink).join('')
  return link => (link ? writeLink(link as Link) : '')
}

/** A related record in short. The label is left out when there is none, or none that the caller may see. */
const compileLink =
  (name: string, { label }: Resource) =>
  (link: Link): string =>
    `<${name}><pk>${toContent(link.pk)}</pk>${label ? toElements(label.name, link.label) : ''}</${name}>`

const compileLinks = (view: View): ((base: string, pk: string) => string) => {
  const path = `${collectionPath(view.resource)}/`
  const relations = relationsOf(view).map(({ name }) => ({
    before: `"/><link rel="${name}" href="`,
    after: `/${name}`,
  }))
  return (base, pk) => {
    const address = base + path + toSegment(pk)
    let text = `<links><link rel="self" href="${address}`
    for (const { before, after } of relations) text += before + address + after
    return `${text}"/></links>`
  }
}

const item = ({ view, record, included }: ItemDocument, base: string): string => {
  const { singular } = view.resource.definition
  const content = record ? writerOf(view)(record, toAttribute(base), included) : ''
  return `${declaration}<${singular}>${content}</${singular}>`
}

const page = (document: PageDocument, base: string): PageWriter => {
  const { name, definition } = document.view.resource
  const write = writerOf(document.view)
  const root = toAttribute(base)
  const before = `<${definition.singular}>`
  const after = `</${definition.singular}>`
  return {
    open: () => `${declaration}<${name}><content>`,
    records: (batch, included) => batch.map(record => before + write(record, root, included) + after).join(''),
    close: () => `</content>${writePaging(document)}${writePageLinks(document, base)}</${name}>`,
  }
}

const writePaging = ({ paging }: PageDocument): string => {
  if (!paging) return ''
  const names = ['size', 'totalElements', 'totalPages', 'number', 'estimated'] as const
  return `<page>${names.map(name => toElements(name, paging[name])).join('')}</page>`
}

const writePageLinks = (document: PageDocument, base: string): string => {
  const links = pageLinks(document, base).map(({ rel, href }) => `<link rel="${rel}" href="${toAttribute(href)}"/>`)
  return `<links>${links.join('')}</links>`
}

const values = ({ list, entry }: ListNames): ValuesWriter => ({
  open: () => `${declaration}<${list}>`,
  entries: batch => batch.map(value => toNamedElements(entry, value)).join(''),
  close: () => `</${list}>`,
})

// Problem details (RFC 9457, appendix B): an element for each member, an `i` for each entry of a list

const writeProblem = (document: ProblemDocument): string =>
  `${declaration}<problem xmlns="urn:ietf:rfc:7807">${toChildren(document)}</problem>`

const toChildren = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return toContent(`${value}`)
  if (Array.isArray(value)) return value.map(entry => `<i>${toChildren(entry ?? '')}</i>`).join('')
  return Object.entries(value)
    .filter(([name, member]) => elementName.test(name) && member !== undefined && member !== null)
    .map(([name, member]) => `<${name}>${toChildren(member)}</${name}>`)
    .join('')
}

export const xml: Format = {
  name: 'xml',
  mediaType: 'application/xml',
  aliases: ['text/xml'],
  family: 'X',
  schemas: { item: type => type, page: type => `${type}Page`, input: members => members, problem: 'Problem' },
  pageParameters: 'plain',
  item,
  page,
  value: (name, value) => declaration + toNamedElements(name, value),
  values,
  entryPoint: resources => {
    const { open, entries, close } = values({ list: 'resources', entry: 'resource' })
    return open() + entries(resources.map(resource => ({ ...resource }))) + close()
  },
  problemType: 'application/problem+xml',
  problem: writeProblem,
}
