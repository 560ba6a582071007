// JSON:API 1.1: documents. Resource objects, errors and bodies have files of their own.

import type { ItemDocument, PageDocument } from '../model/view.ts'
import type { Format, PageWriter } from './format.ts'
import { type Compound, type CompoundEntry, createCompound } from './json-api-compound.ts'
import { writeErrors } from './json-api-errors.ts'
import { readDocument } from './json-api-read.ts'
import { resourceWriter } from './json-api-resource.ts'
import { createSeparator, escaped, pagingText, quoted } from './json-pieces.ts'
import { extensionsIn, isUtf8, type MediaType } from './media-type.ts'
import { entryPath, pageLinks, recordPath } from './paths.ts'

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
    rest: function* () {
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

const pageEnd = (document: Pick<PageDocument, 'paging' | 'links' | 'matches'>, base: string): string => {
  const links = Object.fromEntries(pageLinks(document, base).map(({ rel, href }) => [rel, href]))
  const { paging, matches } = document
  const total = paging && paging.totalElements !== null ? `,"total":${paging.totalElements}` : ''
  const found = matches ? `,"matches":${JSON.stringify(matches)}` : ''
  const meta = paging ? `,"meta":{"page":${pagingText(paging)}${total}${found}}` : ''
  return `,"links":${JSON.stringify(links)}${meta}`
}

/** Groups have no identifier of their own: what their records have in common is theirs. */
const groups: Format['groups'] = (document, base) => {
  const entries = document.groups.map(({ key, members }) =>
    JSON.stringify({ type: 'aggregates', id: key, attributes: members }),
  )
  return `${opening}[${entries.join(',')}]${pageEnd(document, base)}}`
}

/** Links of a document have fixed names ("Top Level"), so that those of the resources are in `meta`. */
const entryPoint: Format['entryPoint'] = (resources, base) =>
  JSON.stringify({
    jsonapi: { version: '1.1' },
    links: { self: base + entryPath, describedby: `${base}/api/openapi.json` },
    meta: { resources: resources.map(one => ({ ...one, links: { self: `${base}${entryPath}/${one.name}` } })) },
  })

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
  family: 'jsonApi',
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
  groups,
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
