// JSON: `links` as a list of rel and href.

import type { Format } from './format.ts'
import { pageLinks } from './paths.ts'
import { createPlainFormat, pageFields } from './plain-json.ts'

export const json: Format = createPlainFormat({
  name: 'json',
  mediaType: 'application/json',
  mergePatchType: 'application/merge-patch+json',
  schemas: {
    item: type => type,
    page: type => `${type}Page`,
    input: fields => fields,
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
  replacesFields: true,
  addIncluded: entries => `,${entries.join(',')}`,
  openPage: () => '{"content":[',
  openGroups: '{"content":[',
  closePage: (document, base) => `]${pageFields(document)},"links":${JSON.stringify(pageLinks(document, base))}}`,
  aroundValues: () => ['[', ']'],
  entryPoint: resources => JSON.stringify(resources),
})
