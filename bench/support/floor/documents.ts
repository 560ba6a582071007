// The JSON of the bare floor, written by hand to be what the service answers.

import type { Country, FloorListing, FloorLocality, FloorPage, Host } from './data.ts'

interface Link {
  readonly rel: string
  readonly href: string
}

const linksOf = (self: string, ...relations: readonly string[]): readonly Link[] => [
  { rel: 'self', href: self },
  ...relations.map(rel => ({ rel, href: `${self}/${rel}` })),
]

const countryDocument = (base: string, country: Country) => {
  const { pk, name, nativeName, callingCode, capital, currency, languages, parent, ...rest } = country
  const links = linksOf(`${base}/api/rest/countries/${encodeURIComponent(pk)}`, 'parent', 'children')
  return { pk, name, nativeName, callingCode, capital, currency, languages, parent, ...rest, links }
}

export const localityDocument = (base: string, locality: FloorLocality) => {
  const { pk, name, parent, path, pathLevel, createdDate, lastModifiedDate, version } = locality
  const self = `${base}/api/rest/localities/${encodeURIComponent(pk)}`
  return {
    pk,
    name,
    parent: 'languages' in parent ? countryDocument(base, parent) : parent,
    path,
    pathLevel,
    createdDate,
    lastModifiedDate,
    version,
    links: linksOf(self, 'parent', 'children'),
  }
}

export const hostDocument = (base: string, host: Host) => {
  const { pk, name, description, country, createdDate, lastModifiedDate, version } = host
  const links = linksOf(`${base}/api/rest/hosts/${pk}`, 'country')
  return { pk, name, description, aliases: null, country, createdDate, lastModifiedDate, version, links }
}

/** The orders, in each of which the last row of a page is the cursor of the next one. */
const orders = { name: '-name', part: 'name', parent: 'name' } as const

const filters = {
  name: (value: string) => `name%3D%3D${value}*`,
  part: (value: string) => `name%3D%3D*${value}*`,
  parent: (value: string) => `parent%3D%3D${value}`,
} as const

export const pageDocument = (
  base: string,
  { by, value, size, includesParent }: FloorListing,
  { rows, total }: FloorPage,
) => {
  const include = includesParent ? '&include=parent' : ''
  const self = `${base}/api/rest/localities?filter=${filters[by](value)}&sort=${orders[by]}&_ps=${size}${include}`
  const last = rows.at(-1)
  const cursor = Buffer.from(JSON.stringify([`localities:${orders[by]},pk`, last?.name, last?.pk])).toString(
    'base64url',
  )
  const page = { size, totalElements: total, totalPages: Math.ceil(total / size), number: 0 }
  const links = [
    { rel: 'self', href: self },
    { rel: 'first', href: self },
    { rel: 'next', href: `${self}&_after=${cursor}` },
    { rel: 'last', href: `${self}&_pn=${page.totalPages - 1}` },
  ]
  return { content: rows.map(row => localityDocument(base, row)), page, links }
}

/** The other pages, as RFC 8288 writes them. */
export const linkHeader = (links: readonly Link[]): string =>
  ['next', 'first', 'last']
    .flatMap(rel => links.filter(link => link.rel === rel))
    .map(({ rel, href }) => `<${href}>; rel="${rel}"`)
    .join(', ')
