// The cost of a query in words: what each part of it does, and what would be cheaper.

import { fault } from '../fault.ts'
import { isIndexed } from '../model/indexes.ts'
import type { View } from '../model/view.ts'
import { type Fault, Problem } from '../problem.ts'
import type { CostEstimate, CostPart } from './cost.ts'

/** The most parts that are worth reading. */
const maxParts = 5

export const overBudget = ({ cost, parts }: CostEstimate, budget: number, view: View): Problem => {
  const largest = parts.toSorted((left, right) => weightOf(right) - weightOf(left)).slice(0, maxParts)
  const errors = largest.map((part): Fault => ({ ...toFault(part, view), cost: rounded(part.cost) }))
  const detail = `The query costs about ${inWords(cost)}; the budget is ${inWords(budget)}. The costliest part: ${errors[0]?.message}`
  return new Problem('too_costly', { detail, errors, extra: { cost: rounded(cost), budget } })
}

/** A total only repeats what its filter costs: to leave it out seldom helps enough. */
const weightOf = ({ part, cost }: CostPart): number => (part === 'total' ? 0 : cost)

const toFault = (part: CostPart, view: View): Fault => ({
  ...fault('cost', { message: `${reasonOf(part)} costs about ${inWords(part.cost)}; ${cheaperThan(part, view)}.` }),
  ...(part.parameter !== undefined && { parameter: part.parameter }),
  ...(part.member !== undefined && { member: part.member }),
})

/** What a part of a query does. */
export const reasonOf = ({ part, member: field, rows }: CostPart): string => {
  const count = inWords(rows)
  switch (part) {
    case 'records':
      return `writing ${count} records`
    case 'export':
      return `exporting ${count} records`
    case 'history':
      return `looking up ${count} records in the history`
    case 'trash':
      return `scanning ${count} records of the trash`
    case 'words':
      return `looking up ${count} entries of the words`
    case 'near':
      return `comparing ${count} vectors of ${field}`
    case 'scan':
      return `scanning ${count} records`
    case 'filter':
      return rows > 0 ? `comparing ${field} through ${count} related records` : `comparing ${field}`
    case 'permissions':
      return 'checking permissions'
    case 'sort':
      return `sorting ${count} records by ${field}`
    case 'offset':
      return `skipping ${count} records`
    case 'total':
      return `counting among ${count} records`
    case 'include':
      return `including ${count} records of ${field}`
    case 'group':
      return `grouping ${count} records by ${field}`
    case 'groups':
      return `sorting ${count} groups`
    case 'compute':
      return `computing numbers of ${count} records`
  }
}

export const cheaperThan = ({ part, rows }: CostPart, view: View): string => {
  switch (part) {
    case 'records':
      return 'request a smaller page (_ps) or fewer fields'
    case 'export':
      return 'export fewer fields, export parts of the records with a filter, or use `plinth export` on the server'
    case 'history':
      return 'read single records with asOf'
    case 'trash':
      return 'read single records of the trash by their pk'
    case 'words':
      return 'search for rarer words, or for more of them'
    case 'near':
      return `add a condition on an indexed field, so that fewer vectors are compared: ${indexedIn(view, 'equality')}`
    case 'scan':
    case 'permissions':
      return `add a condition on an indexed field: ${indexedIn(view, 'equality')}`
    case 'filter':
      return rows > 0
        ? 'follow fewer relations, compare fewer values, or search the related records themselves'
        : 'compare with a whole value, or with a prefix and a wildcard after it'
    case 'sort':
      return `sort by an indexed field: ${indexedIn(view, 'order')}`
    case 'offset':
      return 'use cursor pagination: follow the next links instead of page numbers'
    case 'total':
      return 'use _total=estimated or _total=none'
    case 'include':
      return 'include fewer relations, or request a smaller page (_ps)'
    case 'group':
    case 'groups':
      return 'group by fewer fields, by longer periods or by fields of the record itself, or add a filter'
    case 'compute':
      return 'compute fewer numbers, of fields of the record itself, or add a filter'
  }
}

/** Fields that the caller may see. */
const indexedIn = ({ fields }: View, use: 'equality' | 'order'): string =>
  [...fields.values()]
    .filter(field => isIndexed(field, use))
    .map(field => field.name)
    .join(', ')

/** Two digits are enough, and say less about the sizes of tables. */
const rounded = (number: number): number => Number(number.toPrecision(2))

const inWords = (number: number): string => rounded(Math.ceil(number)).toLocaleString('en')
