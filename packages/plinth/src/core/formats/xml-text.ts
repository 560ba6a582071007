// Text in XML: whatever a value holds, what is written is well-formed.

import type { Json } from '../model/json.ts'

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

/** Escapes text between tags. */
export const toContent = (text: string): string =>
  plain.test(text) ? text : text.replace(forbidden, '').replace(/[&<>\r]/g, refer)

/** Escapes text between double quotes. */
export const toAttribute = (text: string): string =>
  plain.test(text) ? text : text.replace(forbidden, '').replace(/[&<>"\r\n\t]/g, refer)

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/**
 * A JSON value as elements of one name: a list repeats the element, an object holds an `entry` for each of its names
 * (they may come from callers, so they are never element names), and null is left out.
 */
export const toElements = (name: string, value: unknown, attributes = ''): string => {
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

export const elementName = /^[A-Za-z_][\w.-]*$/

/**
 * Writes elements as `toElements` does, for values whose names are the service's own: each becomes an element, where
 * XML admits it.
 */
export const toNamedElements = (name: string, value: Json): string => {
  if (value === null || typeof value !== 'object') return toElements(name, value)
  if (Array.isArray(value)) return value.map(entry => toNamedElements(name, entry)).join('')
  const content = Object.entries(value).map(([key, entry]) =>
    elementName.test(key) ? toNamedElements(key, entry) : toElements('entry', entry, ` name="${toAttribute(key)}"`),
  )
  return `<${name}>${content.join('')}</${name}>`
}
