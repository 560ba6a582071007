// What people search for, as a filter that the service understands.

import type { MemberUse } from './schema.ts'

/** Conditions on single members, by name: `a`, `a,b` or `from..to`. */
export type Conditions = Readonly<Record<string, string>>

export interface Search {
  /** Looked for in the name of the record. */
  readonly quick: string
  /** In the filter language. */
  readonly text: string
  readonly conditions: Conditions
}

const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`

/** Stars and percent signs that people type mean themselves. */
const containing = (value: string): string => `"*${value.replace(/["\\*%]/g, '\\$&')}*"`

export type ConditionKind = 'contains' | 'oneOf' | 'yesNo' | 'range' | 'equals' | 'related'

const ranged = new Set(['number', 'money', 'date', 'datetime'])

export const conditionKind = ({ widget, format, fieldType }: MemberUse): ConditionKind => {
  if (widget === 'lookup') return 'related'
  if (widget === 'select') return 'oneOf'
  if (widget === 'checkbox') return 'yesNo'
  if (ranged.has(widget)) return 'range'
  return format === 'uuid' || fieldType === 'textList' ? 'equals' : 'contains'
}

/** A day that is meant whole: from its first moment to its last, where the person is. */
const endOf = (member: MemberUse, text: string, end: 'from' | 'to'): string => {
  if (member.widget !== 'datetime' || !/^\d{4}-\d\d-\d\d$/.test(text)) return text
  return new Date(`${text}T${end === 'from' ? '00:00:00.000' : '23:59:59.999'}`).toISOString()
}

const toRange = (member: MemberUse, value: string): string => {
  const [from = '', to = ''] = value.split('..')
  const limit = (operator: string, text: string, end: 'from' | 'to') =>
    text === '' ? [] : [`${member.name}${operator}${quoted(endOf(member, text, end))}`]
  return [...limit('=ge=', from, 'from'), ...limit('=le=', to, 'to')].join(';')
}

const toComparison = (member: MemberUse, value: string): string => {
  const { name } = member
  switch (conditionKind(member)) {
    case 'contains':
      return `${name}=ilike=${containing(value)}`
    case 'oneOf':
      return `${name}=in=(${value.split(',').map(quoted).join(',')})`
    case 'range':
      return toRange(member, value)
    default:
      return `${name}==${quoted(value)}`
  }
}

export interface Composed {
  readonly filter: string
  /** Where the person's own text begins in it. */
  readonly textAt: number
}

/** All of it must hold. The person's own text comes first, so that the service's positions fit it. */
export const composeFilter = (search: Search, members: readonly MemberUse[], label: string | null): Composed => {
  const parts: string[] = []
  if (search.quick !== '' && label !== null) parts.push(`${label}=ilike=${containing(search.quick)}`)
  for (const member of members) {
    const value = search.conditions[member.name]
    if (value) parts.push(toComparison(member, value))
  }
  const present = parts.filter(part => part !== '')
  const text = search.text.trim()
  if (text === '') return { filter: present.join(';'), textAt: 0 }
  if (present.length === 0) return { filter: text, textAt: 0 }
  return { filter: [`(${text})`, ...present].join(';'), textAt: 1 }
}
