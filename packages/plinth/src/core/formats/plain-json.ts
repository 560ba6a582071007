// What JSON and HAL share: records with their fields at the top level. A view is compiled once into a writer of text; what is known
// beforehand, such as keys and the ends of links, is laid out then.

import type { Link, StoredRecord } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { sumType } from '../model/total-fields.ts'
import type { Included, PageDocument, View } from '../model/view.ts'
import { inlineFields, isToMany, perView, relationsOf } from './document.ts'
import type { Format, ListNames } from './format.ts'
import { compileType, createSeparator, escaped, pagingText, quoted, toJson } from './json-pieces.ts'
import { collectionPath, toSegment } from './paths.ts'
import { readPlain } from './plain-json-read.ts'

/** What a page ends with. */
export type PageEnd = Pick<PageDocument, 'paging' | 'links' | 'matches'>

/** The differences of JSON and HAL. */
interface PlainStyle extends Pick<Format, 'name' | 'mediaType' | 'mergePatchType' | 'schemas'> {
  /** Writes the links at the end of a record, from the comma before them to the closing brace. */
  compileLinks(relations: readonly ResourceField[]): (record: StoredRecord, address: string) => string
  /** Do included records stand in place of the compact field? */
  readonly replacesFields: boolean
  /** The included records, as `"name":[…]` or `"name":{…}`, that stand in no field's place. */
  addIncluded(entries: readonly string[]): string
  /** A page's text before its records and after them. */
  openPage(document: PageDocument): string
  closePage(document: PageEnd, base: string): string
  /** The text before a page of groups. */
  readonly openGroups: string
  /** The text around the entries of a list that are not records. */
  aroundValues(names: ListNames): readonly [before: string, after: string]
  readonly entryPoint: Format['entryPoint']
}

/** `base` comes escaped for JSON. */
type RecordWriter = (record: StoredRecord, base: string, included: readonly Included[]) => string

export const createPlainFormat = (style: PlainStyle): Format => {
  const writerOf: (view: View) => RecordWriter = perView(view => compile(view, style, writerOf))
  return {
    name: style.name,
    mediaType: style.mediaType,
    ...(style.mergePatchType && { mergePatchType: style.mergePatchType }),
    family: 'json',
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
    groups: (document, base) =>
      style.openGroups +
      document.groups.map(({ members }) => JSON.stringify(members)).join(',') +
      style.closePage(document, base),
    explanation: (document, fields, base) =>
      JSON.stringify({ ...JSON.parse(style.openPage(document) + style.closePage(document, base)), ...fields }),
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
  const fields = inlineFields(view).map(compileField)
  const writeLinks = style.compileLinks(relationsOf(view))
  const path = `${collectionPath(view.resource)}/`
  const showsId = view.resource.definition.showsId

  const writeExpanded = (record: StoredRecord, base: string, included: readonly Included[]): string => {
    const relatedTexts = ({ view, byOwner, deeper }: Included): string[] => {
      const write = writerOf(view)
      return (byOwner.get(record.pk) ?? []).map(related => write(related, base, deeper))
    }
    const expansions = new Map<string, Included>()
    for (const one of included) if (view.fields.has(one.relation.name)) expansions.set(one.relation.name, one)
    let text = ''
    for (const { member: field, name, key, write } of fields) {
      const expansion = style.replacesFields ? expansions.get(name) : undefined
      if (expansion) expansions.delete(name)
      const texts = expansion && relatedTexts(expansion)
      if (texts && isToMany(field)) text += `${key}[${texts.join(',')}]`
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
    else for (const { name, key, write } of fields) text += key + write(record[name])
    return text + writeLinks(record, base + path + toSegment(record.pk))
  }
}

const compileField = (field: ResourceField) => ({
  member: field,
  name: field.name,
  key: `,"${field.name}":`,
  write: compileValue(field),
})

const compileValue = (field: ResourceField): ((stored: unknown) => string) => {
  const { definition, target } = field
  if (definition.role === 'value') return compileType(definition.type)
  if (!target) {
    const type = sumType(field)
    return type ? compileType(type) : toJson
  }
  const writeLink = compileLink(target)
  if (!isToMany(field)) return link => (link ? writeLink(link as Link) : 'null')
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

/** The fields `page`, for a list that is paged, and `matches`, each with the comma before it. */
export const pageFields = ({ paging, matches }: PageEnd): string => {
  const page = paging ? `,"page":${pagingText(paging)}` : ''
  return matches ? `${page},"matches":${JSON.stringify(matches)}` : page
}
