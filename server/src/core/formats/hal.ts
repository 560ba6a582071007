// HAL: members at the top level, links by rel under `_links`, records under `_embedded`.

import type { Member } from '../model/resource.ts'
import type { Format } from './format.ts'
import { pageLinks } from './links.ts'
import { isToMany } from './members.ts'
import { createPlainFormat, pageMember } from './plain.ts'

const compileLink = (relation: Member) => ({
  name: relation.name,
  // An empty to-one relation has nothing to follow.
  mayBeEmpty: !isToMany(relation),
  before: `,"${relation.name}":{"href":"`,
  after: `/${relation.name}"}`,
})

export const hal: Format = createPlainFormat({
  name: 'hal',
  mediaType: 'application/hal+json',
  compileLinks: relations => {
    const links = relations.map(compileLink)
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
})
