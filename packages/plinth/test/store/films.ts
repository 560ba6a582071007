// A small model that has every kind of field.

import { defineResource } from '../../src/core/model/define.ts'
import {
  boolean,
  counted,
  date,
  integer,
  links,
  many,
  map,
  ref,
  secret,
  text,
  textList,
  timestamp,
} from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import type { Filter, Path, Query, SortKey, Step } from '../../src/core/model/query.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import type { Resource, ResourceField } from '../../src/core/model/resource.ts'

const access = { read: 'true', write: 'true' }
const common = { about: 'For tests.', access, stamps: 'none', identifier: assigned() } as const

export const registry = createRegistry([
  defineResource('studios', {
    ...common,
    label: 'name',
    fields: {
      name: text({ required: true, unique: true }),
      city: text(),
      owner: ref('studios', { onDelete: 'clear' }),
      films: many('films', { by: 'studio' }),
      filmCount: counted('films'),
      releasedCount: counted('films', { where: { field: 'released', equals: true } }),
    },
  }),
  defineResource('actors', {
    ...common,
    label: 'name',
    fields: {
      name: text({ required: true }),
      agency: ref('studios'),
      films: many('films', { by: 'actors' }),
      filmCount: counted('films'),
    },
  }),
  defineResource('films', {
    ...common,
    label: 'title',
    fields: {
      title: text({ indexed: true }),
      code: text({ unique: 'ignoreCase' }),
      minutes: integer(),
      released: boolean(),
      premiere: timestamp(),
      shotOn: date(),
      tags: textList(),
      notes: map(),
      vault: secret({ max: 100 }),
      studio: ref('studios', { onDelete: 'refuse' }),
      actors: links('actors', { embed: true }),
      fans: links('actors'),
      reviews: many('reviews', { by: 'film' }),
      reviewCount: counted('reviews'),
    },
    uniqueTogether: [['title', 'vault']],
  }),
  defineResource('reviews', {
    ...common,
    fields: {
      stars: integer({ required: true }),
      film: ref('films', { required: true, onDelete: 'cascade' }),
    },
  }),
])

export const studios = registry.resource('studios')
export const actors = registry.resource('actors')
export const films = registry.resource('films')
export const reviews = registry.resource('reviews')

export const fieldOf = (resource: Resource, name: string): ResourceField => {
  const field = resource.fields.get(name)
  if (!field) throw new Error(`no ${name} in ${resource.name}`)
  return field
}

/** `'studio.name'` from films; link filters by the name of the step's relation. */
export const pathTo = (from: Resource, dotted: string, linkFilters: Record<string, Filter> = {}): Path => {
  const names = dotted.split('.')
  const last = names.pop() ?? ''
  let at = from
  const steps = names.map((name): Step => {
    const relation = fieldOf(at, name)
    if (!relation.target) throw new Error(`${name} is no relation`)
    at = relation.target
    return { relation, target: at, linkFilter: linkFilters[name] ?? null }
  })
  return { steps, field: fieldOf(at, last) }
}

/** `'-title'` sorts downwards; the pk is added, as the model asks. */
export const sortBy = (resource: Resource, ...keys: string[]): SortKey[] =>
  [...keys, 'pk'].map(key => ({ path: pathTo(resource, key.replace(/^-/, '')), descending: key.startsWith('-') }))

export const queryOf = (resource: Resource, parts: Partial<Query> = {}): Query => ({
  filter: null,
  sort: sortBy(resource),
  window: { kind: 'offset', offset: 0, limit: 100 },
  total: 'exact',
  linkFilters: new Map(),
  ...parts,
})
