// Filters of providers (RFC 7644, section 3.4.2.2) → conditions on records. Each attribute says what a comparison with it asks for.

import { type Compare, type Filter, parse } from 'scim2-parse-filter'
import { mistake } from './scim-problem.ts'

/** A condition on users or roles. */
export interface FilterConditions<W> {
  /** What holds for every record. */
  readonly all: W
  readonly and: (parts: readonly W[]) => W
  readonly or: (parts: readonly W[]) => W
  readonly not: (part: W) => W
  /** The condition of a comparison by the name of the attribute in lower case, such as `name.givenname`. */
  readonly compare: Readonly<Record<string, (comparison: AttributeComparison) => Promise<W> | W>>
}

/** `pr`: the attribute has a value. */
export interface AttributeComparison {
  readonly op: Compare['op'] | 'pr'
  readonly value: Compare['compValue']
}

const maxLength = 2000

export const toCondition = async <W>(text: string, conditions: FilterConditions<W>): Promise<W> => {
  if (text.length > maxLength) throw mistake('invalidFilter', `A filter has ${maxLength} characters at most.`)
  return convert(read(text), conditions, '')
}

const read = (text: string): Filter => {
  try {
    return parse(text)
  } catch {
    throw mistake('invalidFilter', 'The filter cannot be read.')
  }
}

const convert = async <W>(filter: Filter, conditions: FilterConditions<W>, prefix: string): Promise<W> => {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts: W[] = []
      for (const one of filter.filters) parts.push(await convert(one, conditions, prefix))
      return conditions[filter.op](parts)
    }
    case 'not':
      return conditions.not(await convert(filter.filter, conditions, prefix))
    case '[]':
      return convert(filter.valFilter, conditions, `${prefix}${filter.attrPath}.`)
    default:
      return compare(filter, conditions, prefix)
  }
}

const compare = <W>(
  filter: Extract<Filter, { readonly op: AttributeComparison['op'] }>,
  { compare }: FilterConditions<W>,
  prefix: string,
): Promise<W> | W => {
  const name = `${prefix}${filter.attrPath}`.replace(/^urn:.*:/i, '').toLowerCase()
  const make = Object.hasOwn(compare, name) ? compare[name] : undefined
  if (!make) {
    const known = Object.keys(compare).join(', ')
    throw mistake('invalidFilter', `A filter cannot name '${filter.attrPath}', only: ${known}.`)
  }
  return make({ op: filter.op, value: 'compValue' in filter ? filter.compValue : null })
}

interface TextCondition {
  readonly ilike?: string
  readonly like?: string
  readonly ne?: null
  readonly gt?: string
  readonly ge?: string
  readonly lt?: string
  readonly le?: string
}

const literal = (text: string): string => text.replace(/[\\*]/g, '\\$&')

const unsupported = (op: string): Error => mistake('invalidFilter', `'${op}' cannot be used here.`)

/** Whether the condition is to be denied, and a condition on a text, in any case. */
export const onText = ({ op, value }: AttributeComparison): { readonly not: boolean; readonly is: TextCondition } => {
  if (op === 'pr') return { not: false, is: { ne: null } }
  if (typeof value !== 'string') throw mistake('invalidFilter', 'The attribute is compared with texts.')
  const text = literal(value)
  switch (op) {
    case 'eq':
      return { not: false, is: { ilike: text } }
    case 'ne':
      return { not: true, is: { ilike: text } }
    case 'co':
      return { not: false, is: { ilike: `*${text}*` } }
    case 'sw':
      return { not: false, is: { ilike: `${text}*` } }
    case 'ew':
      return { not: false, is: { ilike: `*${text}` } }
    default:
      return { not: false, is: { [op]: value } }
  }
}

/** The one text that is asked for: for attributes that are only looked up. */
export const onlyEqual = ({ op, value }: AttributeComparison): string => {
  if (op !== 'eq') throw unsupported(op)
  if (typeof value !== 'string') throw mistake('invalidFilter', 'The attribute is compared with texts.')
  return value
}

export const onBoolean = ({ op, value }: AttributeComparison): boolean => {
  if (op !== 'eq' && op !== 'ne') throw unsupported(op)
  const text = `${value}`.toLowerCase()
  if (text !== 'true' && text !== 'false') throw mistake('invalidFilter', 'The attribute is true or false.')
  return (text === 'true') === (op === 'eq')
}

interface DateCondition {
  readonly gt?: string
  readonly ge?: string
  readonly lt?: string
  readonly le?: string
  readonly ne?: null
}

export const onDate = ({ op, value }: AttributeComparison): DateCondition => {
  if (op === 'pr') return { ne: null }
  const date = new Date(`${value}`)
  if (Number.isNaN(date.getTime())) throw mistake('invalidFilter', 'The attribute is compared with dates.')
  const text = date.toISOString()
  if (op === 'eq') return { ge: text, le: text }
  if (op === 'gt' || op === 'ge' || op === 'lt' || op === 'le') return { [op]: text }
  throw unsupported(op)
}
