// XML, for reading only. It mirrors JSON: an element for each field, lists as repeated elements, null left out.

import type { Link, StoredRecord } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { sumType } from '../model/total-fields.ts'
import { valueToJson } from '../model/value-field.ts'
import type { Included, ItemDocument, PageDocument, View } from '../model/view.ts'
import { inlineFields, isToMany, perView, relationsOf } from './document.ts'
import type { Format, ListNames, PageWriter, ValuesWriter } from './format.ts'
import { collectionPath, pageLinks, toSegment } from './paths.ts'
import { writeProblem } from './xml-problem.ts'
import { declaration, toAttribute, toContent, toElements, toNamedElements } from './xml-text.ts'

/** Writes what stands inside the element of a record. `base` comes escaped for attributes. */
type ContentWriter = (record: StoredRecord, base: string, included: readonly Included[]) => string

const compile = (view: View): ContentWriter => {
  // To-many relations that no record shows stand last, and only when they are included.
  const inline = inlineFields(view)
  const fields = [...inline, ...relationsOf(view).filter(relation => !inline.includes(relation))]
  const writers = fields.map(field => ({ name: field.name, write: compileField(field) }))
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

const compileField = (field: ResourceField): ((stored: unknown) => string) => {
  const { name, definition, target } = field
  if (definition.role === 'value') {
    const write = definition.type.parts ? toNamedElements : toElements
    return stored => write(name, valueToJson(definition.type, stored))
  }
  const type = sumType(field)
  if (type) return stored => toElements(name, valueToJson(type, stored))
  if (!target) return stored => toElements(name, stored)
  const writeLink = compileLink(name, target)
  if (isToMany(field)) return links => ((links ?? []) as readonly Link[]).map(writeLink).join('')
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
    close: () =>
      `</content>${writePaging(document)}${writeMatches(document)}${writePageLinks(document, base)}</${name}>`,
  }
}

const writePaging = ({ paging }: Pick<PageDocument, 'paging'>): string => {
  if (!paging) return ''
  const names = ['size', 'totalElements', 'totalPages', 'number', 'estimated'] as const
  return `<page>${names.map(name => toElements(name, paging[name])).join('')}</page>`
}

const writeMatches = ({ matches }: PageDocument): string => {
  const entries = matches?.map(({ marks, ...match }) =>
    toNamedElements('match', { ...match, ...(marks && { mark: [...marks] }) }),
  )
  return entries ? `<matches>${entries.join('')}</matches>` : ''
}

const writePageLinks = (document: Pick<PageDocument, 'links'>, base: string): string => {
  const links = pageLinks(document, base).map(({ rel, href }) => `<link rel="${rel}" href="${toAttribute(href)}"/>`)
  return `<links>${links.join('')}</links>`
}

const values = ({ list, entry }: ListNames): ValuesWriter => ({
  open: () => `${declaration}<${list}>`,
  entries: batch => batch.map(value => toNamedElements(entry, value)).join(''),
  close: () => `</${list}>`,
})

export const xml: Format = {
  name: 'xml',
  mediaType: 'application/xml',
  aliases: ['text/xml'],
  family: 'xml',
  schemas: { item: type => type, page: type => `${type}Page`, input: fields => fields, problem: 'Problem' },
  pageParameters: 'plain',
  item,
  page,
  groups: (document, base) => {
    const groups = document.groups.map(({ members }) => toNamedElements('aggregate', members)).join('')
    return `${declaration}<aggregates><content>${groups}</content>${writePaging(document)}${writePageLinks(document, base)}</aggregates>`
  },
  value: (name, value) => declaration + toNamedElements(name, value),
  values,
  entryPoint: resources => {
    const { open, entries, close } = values({ list: 'resources', entry: 'resource' })
    return open() + entries(resources.map(resource => ({ ...resource }))) + close()
  },
  problemType: 'application/problem+xml',
  problem: writeProblem,
}
