// Random requests that may hold up a service: many alternatives, patterns beyond ASCII, paths through relations, sorts, includes,
// totals, words, aggregates, whole collections, the past, the trash and exports, each in parts, so that one of them can be changed.

import type { Random } from '@plinth/test-kit/seeded-random'
import { pkOf } from './tables.ts'

export interface HostileRequest {
  readonly caller: 'admin' | 'simple'
  readonly accept: string
  readonly resource: string
  /** The path after the resource's name, such as `/{pk}/children` or `/aggregates`. */
  readonly below: string
  /** Holds beside the others. */
  readonly common: string | null
  readonly conditions: readonly string[]
  readonly joiner: ',' | ';'
  readonly sort: string | null
  readonly include: string | null
  /** Further parameters, as they are written. */
  readonly parameters: readonly string[]
}

/** Writes the address from the resource's name on. */
export const addressOf = ({ resource, below, common, conditions, joiner, ...parts }: HostileRequest): string => {
  const joined = conditions.length > 0 ? [`(${conditions.join(joiner)})`] : []
  const filter = [...(common === null ? [] : [common]), ...joined].join(';')
  const parameters = [
    ...(filter ? [`filter=${encodeURIComponent(filter)}`] : []),
    ...(parts.sort === null ? [] : [`sort=${parts.sort}`]),
    ...(parts.include === null ? [] : [`include=${parts.include}`]),
    ...parts.parameters,
  ]
  return `${resource}${below}?${parameters.join('&')}`
}

interface Fields {
  readonly texts: readonly string[]
  /** Conditions that an index serves; many records may fulfil them. */
  readonly indexed: readonly string[]
  readonly others: readonly string[]
  readonly toOne: Readonly<Record<string, string>>
  readonly toMany: Readonly<Record<string, string>>
  /** A text and any other fields to sort by. */
  readonly sorts: readonly string[]
  readonly isSearchable?: true
  readonly groups: readonly string[]
  /** Numbers and times. */
  readonly amounts: readonly string[]
}

const first = pkOf(0)

const codes = (at: number): Fields => ({
  texts: ['name'],
  indexed: ['group==g0', ...(at > 0 ? [`next==${first}`] : [])],
  others: ['pk!=x'],
  toOne: at > 0 ? { next: `codes${at - 1}` } : {},
  toMany: { forms: 'forms' },
  sorts: ['name', 'group'],
  groups: ['group', 'name'],
  amounts: [],
})

const fields: Readonly<Record<string, Fields>> = {
  offices: {
    texts: ['name'],
    indexed: [],
    others: ['headcount=gt=1'],
    toOne: {},
    toMany: { people: 'persons' },
    sorts: ['name', 'headcount'],
    groups: ['name', 'headcount'],
    amounts: ['headcount'],
  },
  persons: {
    texts: ['name'],
    indexed: [`office==${first}`],
    others: ['active==true', 'ticketCount=gt=1'],
    toOne: { office: 'offices' },
    toMany: { tickets: 'tickets' },
    sorts: ['name', 'ticketCount', 'office.name'],
    isSearchable: true,
    groups: ['name', 'active', 'office.name', 'createdDate:hour'],
    amounts: ['ticketCount'],
  },
  tickets: {
    texts: ['title', 'path', 'tags'],
    indexed: [
      'status==open',
      `assignee==${first}`,
      `parent==${first}`,
      'due=isnull=true',
      'due=gt=2020-01-01T00:00:00Z',
    ],
    others: ['priority=gt=1', 'childCount=ge=0', 'status!=closed', `watchers==${first}`],
    toOne: { assignee: 'persons', parent: 'tickets' },
    toMany: { children: 'tickets', watchers: 'persons' },
    sorts: ['title', 'path', 'priority', 'due', 'childCount', 'parent.title', 'assignee.office.name'],
    groups: ['title', 'path', 'status', 'due:day', 'assignee.name', 'parent.path', 'assignee.office.name'],
    amounts: ['priority', 'childCount', 'due'],
  },
  notices: {
    texts: ['title', 'path', 'tags'],
    indexed: ['category==c0', `author==${first}`],
    others: ['category!=c1'],
    toOne: { author: 'persons' },
    toMany: {},
    sorts: ['title', 'path', 'author.name'],
    isSearchable: true,
    groups: ['title', 'path', 'category', 'author.office.name', 'createdDate:week'],
    amounts: ['createdDate'],
  },
  documents: {
    texts: ['title', 'summary', 'body'],
    indexed: ['category==c0', `author==${first}`],
    others: ['category!=c1'],
    toOne: { author: 'persons' },
    toMany: {},
    sorts: ['title', 'summary', 'body', 'author.name'],
    isSearchable: true,
    groups: ['title', 'summary', 'category', 'author.name'],
    amounts: ['createdDate'],
  },
  forms: {
    texts: ['title', 'field0', 'field7', 'field39'],
    indexed: [`code0==${first}`, `code7==${first}`],
    others: ['field3!=x'],
    toOne: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`code${at}`, `codes${at}`])),
    toMany: {},
    sorts: ['title', 'field0', 'code11.next.next.name'],
    groups: ['title', 'field0', 'field7', 'code3.name', 'code11.next.next.name'],
    amounts: ['createdDate'],
  },
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`codes${at}`, codes(at)])),
}

const fieldsOf = (resource: string): Fields => {
  const known = fields[resource]
  if (!known) throw new Error(`there is no table ${resource}`)
  return known
}

const maybe = <T>(random: Random, chance: number, make: () => T): T | null => (random.next() < chance ? make() : null)

/** Walks through up to `most` relations: their names, each with a dot, and the resource at the end. */
const walk = (random: Random, resource: string, most: number): readonly [prefix: string, end: string] => {
  let [prefix, end] = ['', resource]
  for (let step = 0; step < most && random.next() < 0.4; step++) {
    const relations = Object.entries({ ...fieldsOf(end).toOne, ...fieldsOf(end).toMany })
    if (relations.length === 0) break
    const [name, target] = random.pick(relations)
    prefix += `${name}.`
    end = target
  }
  return [prefix, end]
}

const pieces = ['a', 'b', 'é', 'ß', 'Σ', 'ä', 'ab', 'éa', 'aé', 'abc', 'äéß']

const patternOf = (random: Random, at: number): string => {
  const piece = () => random.pick(pieces)
  switch (random.pick(['part', 'part', 'parts', 'many', 'beginning', 'end'])) {
    case 'part':
      return `*${piece()}${at}*`
    case 'parts':
      return `*${piece()}*${piece()}*${at}é*`
    case 'many':
      return `${Array.from({ length: 30 }, () => `*${piece()}`).join('')}*${at}`
    case 'beginning':
      return `${piece()}*${at}`
    default:
      return `*${piece()}${at}`
  }
}

const conditionOf = (random: Random, resource: string, at: number): string => {
  const [prefix, end] = walk(random, resource, 3)
  const { texts, indexed, others } = fieldsOf(end)
  if (random.next() < 0.2) return prefix + random.pick([...indexed, ...others])
  const operator = random.pick(['=ilike=', '=ilike=', '==', '!='])
  return `${prefix}${random.pick(texts)}${operator}${patternOf(random, at)}`
}

/** Different conditions, or one path compared with many values. */
const conditionsOf = (random: Random, resource: string): readonly string[] => {
  const length = random.pick([0, 1, 1, 2, 5, 20, 50, 95])
  if (random.next() < 0.4) return Array.from({ length }, (_, at) => conditionOf(random, resource, at))
  const [prefix, end] = walk(random, resource, 3)
  const text = random.pick(fieldsOf(end).texts)
  const operator = random.pick(['=ilike=', '=='])
  return Array.from({ length }, (_, at) => `${prefix}${text}${operator}${patternOf(random, at)}`)
}

const includeOf = (random: Random, resource: string): string | null => {
  const ways = Array.from({ length: random.pick([1, 1, 3]) }, () => walk(random, resource, 4)[0].slice(0, -1))
  return ways.filter(Boolean).join() || null
}

const formats = [
  'application/json',
  'application/json',
  'application/hal+json',
  'application/vnd.api+json',
  'application/xml',
]

/** Words of the texts, and anything else that people type. */
const wordsOf = (random: Random): string => {
  const word = () => `${random.pick(pieces)}${random.next() < 0.5 ? random.pick(pieces) : ''}`
  const words = (length: number) => Array.from({ length }, word).join(' ')
  const parts = Array.from({ length: random.pick([1, 1, 2, 4, 8]) }, () =>
    random.pick([word(), word(), `${random.pick(pieces)}${random.pick([0, 7, 4999])}`, `"${words(3)}"`, `-${word()}`]),
  )
  // A space at the end ends the last word, which otherwise is a beginning.
  const text = `${parts.join(' ')}${random.pick(['', '', ' '])}`
  return `search=${encodeURIComponent(text)}`
}

const aggregateOf = (random: Random, resource: string): readonly string[] => {
  const { groups, amounts } = fieldsOf(resource)
  const grouped = Array.from({ length: random.pick([0, 1, 1, 2, 4]) }, () => random.pick(groups))
  const most = amounts.length > 0 ? [`max=${random.pick(amounts)}`, `min=${amounts.join()}`] : []
  return [
    'count',
    ...(grouped.length > 0 ? [`group=${[...new Set(grouped)].join()}`] : []),
    ...[...most, `distinct=${random.pick(groups).split(':')[0]}`].filter(() => random.next() < 0.5),
    ...(random.next() < 0.2 ? ['having=count=ge=1'] : []),
  ]
}

const parametersOf = (random: Random, resource: string): readonly string[] => {
  const minutesAgo = () => new Date(Date.now() - 1000).toISOString()
  return [
    maybe(random, 0.5, () => `_total=${random.pick(['exact', 'estimated', 'none'])}`),
    maybe(random, 0.6, () => `_ps=${random.pick([1, 20, 500])}`),
    maybe(random, 0.2, () => `_pn=${random.pick([1, 7, 100, 5000])}`),
    maybe(random, 0.1, () => 'page=no'),
    maybe(random, 0.1, () => `_export=${random.pick(['csv', 'xlsx', 'json', 'ndjson'])}`),
    maybe(random, 0.05, () => `asOf=${minutesAgo()}`),
    maybe(random, 0.05, () => 'trash=only'),
    maybe(random, fieldsOf(resource).isSearchable ? 0.3 : 0, () => wordsOf(random)),
  ].filter(parameter => parameter !== null)
}

const belowOf = (random: Random, resource: string): string => {
  const { toMany } = fieldsOf(resource)
  const relation = Object.keys(toMany)[0]
  if (random.next() < 0.1) return '/aggregates'
  if (relation === undefined || random.next() < 0.9) return ''
  return `/${first}/${relation}`
}

const resources = [
  ...['offices', 'persons', 'tickets', 'tickets', 'tickets', 'notices', 'notices', 'documents', 'documents', 'forms'],
  ...['forms', 'codes0', 'codes11'],
]

const anyRequest = (random: Random, resource: string): HostileRequest => {
  const { indexed, sorts } = fieldsOf(resource)
  const below = belowOf(random, resource)
  const isRelated = below !== '' && below !== '/aggregates'
  const end = isRelated ? (Object.values(fieldsOf(resource).toMany)[0] ?? resource) : resource
  return {
    caller: random.pick(['admin', 'simple']),
    accept: random.pick(formats),
    resource,
    below,
    common: indexed.length > 0 && !isRelated ? maybe(random, 0.5, () => random.pick(indexed)) : null,
    conditions: conditionsOf(random, end),
    joiner: random.pick([',', ',', ';']),
    sort: below ? null : maybe(random, 0.5, () => random.pick(['', '-']) + random.pick(sorts)),
    include: below ? null : maybe(random, 0.25, () => includeOf(random, resource)),
    parameters: below === '/aggregates' ? aggregateOf(random, resource) : parametersOf(random, end),
  }
}

export const randomRequest = (random: Random): HostileRequest => anyRequest(random, random.pick(resources))

/** The same request with one or two parts of another. */
export const changedRequest = (random: Random, request: HostileRequest): HostileRequest => {
  const other = anyRequest(random, request.resource)
  if (other.below !== request.below) return other
  const parts = ['caller', 'accept', 'common', 'conditions', 'joiner', 'sort', 'include', 'parameters'] as const
  const change = (changed: HostileRequest): HostileRequest => {
    const part = random.pick(parts)
    return { ...changed, [part]: other[part] }
  }
  return random.next() < 0.5 ? change(request) : change(change(request))
}
