// A small model and its records, for the tests of the formats.

import { defineResource } from '../model/define.ts'
import { boolean, counted, links, many, map, money, ref, text, textList } from '../model/fields.ts'
import type { StoredRecord } from '../model/record.ts'
import { createRegistry } from '../model/registry.ts'
import type { ResourceField } from '../model/resource.ts'
import type { Included, PageDocument, View } from '../model/view.ts'
import type { Format } from './format.ts'

const shared = { about: 'For tests.', access: {}, stamps: 'none' } as const

export const registry = createRegistry([
  defineResource('films', {
    ...shared,
    label: 'title',
    fields: {
      title: text(),
      cost: money(),
      available: boolean(),
      tags: textList(),
      notes: map(),
      shelf: ref('shelves'),
      actors: links('actors', { embed: true }),
      fans: links('actors'),
      copies: many('copies', { by: 'film' }),
      copyCount: counted('copies'),
    },
  }),
  defineResource('shelves', {
    ...shared,
    singular: 'shelf',
    label: 'name',
    fields: { name: text(), films: many('films', { by: 'shelf' }) },
  }),
  defineResource('actors', { ...shared, fields: { firstName: text() } }),
  defineResource('copies', { ...shared, showsId: true, label: 'code', fields: { code: text(), film: ref('films') } }),
])

export const base = 'http://localhost:8080'

export const viewOf = (name: string, fields?: readonly string[]): View => {
  const resource = registry.resource(name)
  const seen = [...resource.fields].filter(([field]) => field === 'pk' || !fields || fields.includes(field))
  return { resource, fields: new Map(seen) }
}

export const fieldOf = (resource: string, name: string): ResourceField => {
  const field = registry.resource(resource).fields.get(name)
  if (!field) throw new Error(`${resource} has no field ${name}`)
  return field
}

export const films = viewOf('films')

export const alien: StoredRecord = {
  pk: 'f1',
  version: 3,
  title: 'Alien',
  cost: 1999,
  available: true,
  tags: ['space', 'cat'],
  notes: { seen: 'twice' },
  shelf: { pk: 's1', label: 'Top' },
  actors: [{ pk: 'a1', label: null }],
  copyCount: 2,
}

/** A record with nothing but what every record has. */
export const blank: StoredRecord = {
  pk: 'f2',
  version: 0,
  title: null,
  cost: null,
  available: null,
  tags: null,
  notes: null,
  shelf: null,
  actors: [],
  copyCount: 0,
}

export const top: StoredRecord = { pk: 's1', version: 1, name: 'Top' }
export const firstCopy: StoredRecord = { pk: 'c1', version: 1, code: 'A-1', film: { pk: 'f1', label: 'Alien' } }

interface Fetched {
  readonly relation: ResourceField
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>
  readonly deeper?: readonly Included[]
}

/** What an include of one relation fetched, with the related records by the pk of their owner. */
export const including = ({ relation, records, deeper = [] }: Fetched): Included => ({
  relation,
  view: viewOf(relation.target?.name ?? ''),
  byOwner: new Map(Object.entries(records)),
  deeper,
})

export const firstPage: PageDocument = {
  view: viewOf('shelves', ['name']),
  paging: { size: 2, number: 0, totalElements: 3, totalPages: 2 },
  links: {
    next: '/api/rest/shelves?_pn=1&_ps=2',
    self: '/api/rest/shelves?_ps=2',
    last: '/api/rest/shelves?_pn=1&_ps=2',
  },
}

export const unpaged: PageDocument = { ...firstPage, paging: null, links: { self: '/api/rest/shelves?page=no' } }

/** A whole page, its records handed over in the given batches. */
export const writePage = (
  format: Format,
  document: PageDocument,
  batches: readonly { readonly records: readonly StoredRecord[]; readonly included?: readonly Included[] }[],
): string => {
  const writer = format.page(document, base)
  const written = batches.map(({ records, included = [] }) => writer.records(records, included))
  return writer.open() + written.join('') + [...(writer.rest?.() ?? [])].join('') + writer.close()
}

/** Texts that have broken writers before. */
export const hostileTexts: readonly string[] = [
  '',
  ' leading and trailing ',
  'quote " apostrophe \' backslash \\ slash /',
  '</title><script>alert(1)</script>',
  ']]>',
  '<![CDATA[x]]>',
  '&amp; &#0; %41',
  'line\nfeed\ttab\rreturn',
  '\u0000\u0001\u0008\u000b\u001f\u007f\u0085',
  'paragraph\u2028separator\u2029',
  '\ud800 lone \udc00',
  '😀 Ωμέγα 漢字',
  '\ufffe\uffff\ufeff',
  '__proto__',
]
