// The four formats read back into one shape, independently of the code that writes them.

import type { Resource } from '../../src/core/model/resource.ts'

export const formats = {
  json: 'application/json',
  hal: 'application/hal+json',
  'json-api': 'application/vnd.api+json',
  xml: 'application/xml',
} as const
export type FormatName = keyof typeof formats

export interface FormattedItem {
  readonly pk: string
  readonly fields: Record<string, unknown>
  readonly self: string | undefined
}

export interface FormattedPage {
  readonly items: readonly FormattedItem[]
  readonly page: { size: number; number: number; totalElements: number; totalPages: number } | null
  readonly links: Record<string, string | undefined>
}

/** A sample as a body of the format. */
export const bodyIn = (
  format: FormatName,
  resource: Resource,
  sample: Record<string, unknown>,
): { type: string; body: unknown } => {
  if (format !== 'json-api') return { type: formats[format], body: sample }
  const { pk, ...rest } = sample
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) {
    const target = resource.fields.get(name)?.target
    if (!target) attributes[name] = value
    else relationships[name] = { data: value === null ? null : { type: target.name, id: value } }
  }
  return {
    type: formats[format],
    body: { data: { type: resource.name, ...(pk !== undefined && { id: pk }), attributes, relationships } },
  }
}

type Json = Record<string, unknown>

const linkOf = (links: readonly { rel: string; href: string }[], rel: string): string | undefined =>
  links.find(link => link.rel === rel)?.href

const plainItem = (json: Json): FormattedItem => ({
  pk: String(json.pk),
  fields: json,
  self: linkOf(json.links as { rel: string; href: string }[], 'self'),
})

const halItem = (json: Json): FormattedItem => ({
  pk: String(json.pk),
  fields: json,
  self: (json._links as Record<string, { href: string }>).self?.href,
})

const apiItem = (data: Json): FormattedItem => ({
  pk: String(data.id),
  fields: data.attributes as Json,
  self: (data.links as Record<string, string>).self,
})

const unescaped = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name] ?? '',
  )

/** Enough of XML for flat records: the text of an element that stands once in the text. */
const xmlText = (xml: string, name: string): string | undefined => {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text === undefined ? undefined : unescaped(text)
}

const xmlLinks = (xml: string): Record<string, string> =>
  Object.fromEntries(
    [...xml.matchAll(/<link rel="([^"]*)" href="([^"]*)"\s*\/>/g)].map(([, rel = '', href = '']) => [
      rel,
      unescaped(href),
    ]),
  )

const xmlItem = (xml: string): FormattedItem => {
  const fields = Object.fromEntries(
    [...xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name = '', text = '']) => [name, unescaped(text)]),
  )
  return {
    pk: xmlText(xml, 'pk') ?? '',
    fields: { ...fields, name: xmlText(xml, 'name') ?? fields.name },
    self: xmlLinks(xml).self,
  }
}

export const itemIn = (format: FormatName, text: string): FormattedItem => {
  if (format === 'xml') return xmlItem(text)
  const json = JSON.parse(text) as Json
  return format === 'json' ? plainItem(json) : format === 'hal' ? halItem(json) : apiItem(json.data as Json)
}

const xmlPage = (xml: string, resource: Resource): FormattedPage => {
  const { singular } = resource.definition
  const items = [...xml.matchAll(new RegExp(`<${singular}>(.*?)</${singular}>`, 'gs'))].map(([, inner = '']) =>
    xmlItem(inner),
  )
  const page = /<page>(.*?)<\/page>/s.exec(xml)?.[1]
  const number = (name: string) => Number(xmlText(page ?? '', name))
  return {
    items,
    page:
      page === undefined
        ? null
        : {
            size: number('size'),
            number: number('number'),
            totalElements: number('totalElements'),
            totalPages: number('totalPages'),
          },
    links: xmlLinks(xml.slice(xml.lastIndexOf('</content>'))),
  }
}

export const pageIn = (format: FormatName, text: string, resource: Resource): FormattedPage => {
  if (format === 'xml') return xmlPage(text, resource)
  const json = JSON.parse(text) as Json
  if (format === 'json') {
    const links = (json.links as { rel: string; href: string }[]).map(({ rel, href }) => [rel, href])
    return {
      items: (json.content as Json[]).map(plainItem),
      page: (json.page as FormattedPage['page']) ?? null,
      links: Object.fromEntries(links),
    }
  }
  if (format === 'hal') {
    const links = Object.entries(json._links as Record<string, { href: string }>).map(([rel, { href }]) => [rel, href])
    const embedded = (json._embedded as Record<string, Json[]>)[resource.name] ?? []
    return {
      items: embedded.map(halItem),
      page: (json.page as FormattedPage['page']) ?? null,
      links: Object.fromEntries(links),
    }
  }
  return {
    items: (json.data as Json[]).map(apiItem),
    page: ((json.meta as Json | undefined)?.page as FormattedPage['page']) ?? null,
    links: json.links as Record<string, string>,
  }
}
