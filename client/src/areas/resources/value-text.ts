// A member's value in one line of text, for lists, exports and comparisons.

import type { Formats } from '../../i18n/format.ts'
import type { UiField } from './schema.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Identifiers made by machines are told apart by their end: they begin with the time. */
export const shortId = (pk: string): string => (pk.length > 16 ? `#${pk.slice(-8)}` : pk)

/** What a related record is called; without a label, its identifier. */
export const relatedText = (value: unknown, field: UiField, toId = shortId): string => {
  if (!isObject(value)) return value === null || value === undefined ? '' : String(value)
  const label = field.relation?.label
  return String((label && value[label]) ?? toId(String(value.pk ?? '')))
}

/** The parts that a person gave, without the service's own. */
const partsText = (value: unknown): string =>
  isObject(value)
    ? Object.values(value)
        .filter(part => typeof part === 'string' || typeof part === 'number')
        .filter((part, at, all) => all.indexOf(part) === at)
        .join(', ')
    : String(value)

/** One of the values that the service offers. */
export const optionText = (value: string, { optionLabels = {} }: UiField): string => optionLabels[value] ?? value

export interface Words {
  readonly formats: Formats
  readonly yes: string
  readonly no: string
}

export const valueText = (value: unknown, field: UiField, { formats, yes, no }: Words): string => {
  if (value === null || value === undefined || value === '') return ''
  switch (field.widget) {
    case 'checkbox':
      return value === true ? yes : no
    case 'number':
      // Years and versions are no quantities: they are not grouped.
      return String(value)
    case 'money':
      return formats.money(Number(value))
    case 'date':
      return formats.date(String(value))
    case 'datetime':
      return formats.dateTime(String(value))
    case 'select':
      return optionText(String(value), field)
    case 'lookup':
      return relatedText(value, field)
    case 'structure':
      return partsText(value)
    case 'json':
      return JSON.stringify(value)
    case 'map':
      return isObject(value)
        ? Object.entries(value)
            .map(([key, entry]) => `${key}: ${entry}`)
            .join(', ')
        : ''
    default:
      break
  }
  if (!Array.isArray(value)) return String(value)
  return value.map(entry => (field.widget === 'lookups' ? relatedText(entry, field) : partsText(entry))).join(', ')
}
