// What people search for, as a filter that the service understands.

import type { MemberUse } from './schema.ts'

/** Conditions on single members, by name: `a`, `a,b` or `from..to`. */
export type Conditions = Readonly<Record<string, string>>

export interface ListSearch {
  /** Looked for in the name of the record. */
  readonly quick: string
  /** In the filter language. */
  readonly text: string
  readonly conditions: Conditions
}

export const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`

/** Stars and percent signs that people type mean themselves. */
export const containing = (value: string): string => `"*${value.replace(/["\\*%]/g, '\\$&')}*"`

export interface Composed {
  readonly filter: string
  /** Where the person's own text begins in it. */
  readonly textAt: number
}

/** All of it must hold. The person's own text comes first, so that the service's positions fit it. */
export const composeFilter = (search: ListSearch, members: readonly MemberUse[], label: string | null): Composed => {
  const parts: string[] = []
  if (search.quick !== '' && label !== null) parts.push(`${label}=ilike=${containing(search.quick)}`)
  for (const member of members) {
    const value = search.conditions[member.name]
    if (value && member.widget.search) parts.push(member.widget.search.toFilter(member, value))
  }
  const present = parts.filter(part => part !== '')
  const text = search.text.trim()
  if (text === '') return { filter: present.join(';'), textAt: 0 }
  if (present.length === 0) return { filter: text, textAt: 0 }
  return { filter: [`(${text})`, ...present].join(';'), textAt: 1 }
}
