// HAL: links by rel under `_links`, records under `_embedded`.

import type { ResourceField } from '../model/resource.ts'
import { isToMany } from './document.ts'
import type { Format, ResourceEntry } from './format.ts'
import { entryPath, pageLinks } from './paths.ts'
import { createPlainFormat, pageFields } from './plain-json.ts'

const compileHalLink = (relation: ResourceField) => ({
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
    input: fields => fields,
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
  replacesFields: false,
  addIncluded: entries => `,"_embedded":{${entries.join(',')}}`,
  openPage: ({ view }) => `{"_embedded":{"${view.resource.name}":[`,
  openGroups: '{"_embedded":{"aggregates":[',
  closePage: (document, base) => {
    const links = pageLinks(document, base).map(({ rel, href }) => [rel, { href }])
    return `]}${pageFields(document)},"_links":${JSON.stringify(Object.fromEntries(links))}}`
  },
  // A HAL document is an object, also where it is a list.
  aroundValues: ({ list }) => [`{"_embedded":{"${list}":[`, ']}}'],
  entryPoint: (resources, base) => JSON.stringify({ _links: entryLinks(resources, base) }),
})
