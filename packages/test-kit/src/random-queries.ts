// Random searches that can be read: paths through relations, wildcards, sorts, includes, offsets and totals, over any resource.

import type { Resource, ResourceField } from '../../plinth/src/core/model/resource.ts'
import { type ColumnType, isScalar } from '../../plinth/src/core/model/value-field.ts'
import type { Random } from './seeded-random.ts'

/** Makes a query from the resource's name on, such as `countries?filter=parent.name==*a*&sort=-name`. */
export const randomQuery = (random: Random, resources: readonly Resource[]): string => {
  const resource = random.pick(resources)
  const parameters = [
    ...maybe(random, 0.7, () => `filter=${filterOf(random, resource)}`),
    ...maybe(random, 0.5, () => `sort=${sortOf(random, resource)}`),
    ...maybe(random, 0.3, () => `include=${includeOf(random, resource)}`),
    ...maybe(random, 0.4, () => `_total=${random.pick(['exact', 'estimated', 'none'])}`),
    ...maybe(random, 0.3, () => `_ps=${random.pick([1, 50, 500])}`),
    ...maybe(random, 0.2, () => `_pn=${random.pick([1, 7, 1000])}`),
    ...maybe(random, 0.05, () => 'page=no'),
  ]
  return `${resource.name}?${parameters.join('&')}`
}

const maybe = (random: Random, chance: number, make: () => string): string[] => (random.next() < chance ? [make()] : [])

const several = (random: Random, most: number, make: () => string): string[] =>
  Array.from({ length: 1 + Math.floor(random.next() * most) }, make)

const fieldsOf = ({ fields }: Resource, fits: (field: ResourceField) => boolean): readonly ResourceField[] =>
  [...fields.values()].filter(
    field => !field.definition.options.writeOnly && !field.definition.options.readable && fits(field),
  )

const isRelation = ({ target }: ResourceField): boolean => target !== null && !target.definition.internal
const isToOne = ({ definition }: ResourceField): boolean => definition.role === 'one'

interface Walk {
  readonly names: readonly string[]
  readonly end: Resource
}

/** Walks through up to `most` relations, none of them in half of the cases. */
const walk = (
  random: Random,
  resource: Resource,
  { most, fits }: { most: number; fits: (one: ResourceField) => boolean },
) => {
  let way: Walk = { names: [], end: resource }
  while (way.names.length < most && random.next() < 0.5) {
    const relations = fieldsOf(way.end, field => isRelation(field) && fits(field))
    if (relations.length === 0) break
    const { name, target } = random.pick(relations)
    if (target) way = { names: [...way.names, name], end: target }
  }
  return way
}

const filterOf = (random: Random, resource: Resource): string => {
  const comparisons = several(random, random.next() < 0.1 ? 40 : 3, () => comparisonOf(random, resource))
  return encodeURIComponent(comparisons.join(random.pick([';', ','])))
}

const comparisonOf = (random: Random, resource: Resource): string => {
  const { names, end } = walk(random, resource, { most: 4, fits: () => true })
  const searched = fieldsOf(
    end,
    ({ definition }) => definition.role === 'value' && isScalar(definition.type) && !definition.transient,
  )
  const field = random.pick([...searched, end.pk])
  const path = [...names, field.name].join('.')
  const column = field.definition.role === 'value' ? field.definition.type.column : 'text'
  if (field.definition.role === 'value' && column === 'text' && !field.definition.type.wildcards)
    return `${path}=isnull=false`
  return path + random.pick(conditions[column])
}

const conditions: Readonly<Record<ColumnType, readonly string[]>> = {
  text: ['==a', '==a*', '==*a*', '=ilike=*ä*', '=ilike=gr*', '=in=(a,b,c)', '!=a', '=gt=m'],
  integer: ['==1', '=ge=1', '!=7', '=bt=(2,5)', '=isnull=false'],
  boolean: ['==true', '!=true'],
  timestamp: ['=gt=2020-01-01T00:00:00Z', '=lt=2020-01-01T00:00:00Z', '=isnull=true'],
  date: ['=gt=2020-01-01', '=isnull=true'],
  json: [],
  vector: [],
}

const sortOf = (random: Random, resource: Resource): string =>
  several(random, 3, () => {
    const { names, end } = walk(random, resource, { most: 3, fits: isToOne })
    const sorted = fieldsOf(
      end,
      ({ definition }) => definition.role === 'value' && isScalar(definition.type) && !definition.transient,
    )
    return random.pick(['', '-']) + [...names, random.pick([...sorted, end.pk]).name].join('.')
  }).join()

const includeOf = (random: Random, resource: Resource): string =>
  several(random, 2, () => walk(random, resource, { most: 5, fits: () => true }).names.join('.')).join()
