// A small registry for the tests of this folder, and callers who see more or less of it.

import fc from 'fast-check'
import { defineResource } from '../model/define.ts'
import {
  boolean,
  choice,
  counted,
  integer,
  links,
  longText,
  many,
  map,
  money,
  ref,
  secret,
  text,
  textList,
} from '../model/fields.ts'
import type { Filter } from '../model/query.ts'
import { createRegistry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import type { Visibility } from '../model/views.ts'
import { type Fault, Problem } from '../problem.ts'

const access = { read: 'true' }

const registry = createRegistry([
  defineResource('films', {
    about: 'Titles.',
    label: 'title',
    access,
    fields: {
      title: text({ required: true }),
      description: longText(),
      rating: choice(['unrated', 'PG', 'R'], {}),
      year: integer(),
      cost: money(),
      available: boolean(),
      metadata: map(),
      tags: textList(),
      key: secret(),
      strategy: ref('strategies'),
      vault: ref('vaults'),
      owner: ref('people'),
      copies: many('copies', { by: 'film' }),
      copyCount: counted('copies'),
      categories: links('categories', { embed: true }),
      sequel: ref('films'),
    },
  }),
  defineResource('strategies', { about: 'Prices.', access, fields: { name: text(), dailyPrice: money() } }),
  defineResource('vaults', { about: 'Hidden.', access, fields: { shelf: text() } }),
  defineResource('people', { about: 'Owners.', access, fields: { name: text(), diary: text() } }),
  defineResource('copies', { about: 'Discs.', access, fields: { film: ref('films'), bought: integer() } }),
  defineResource('categories', { about: 'Kinds.', access, fields: { name: text() } }),
  defineResource('islands', { about: 'Alone.', access, fields: { name: text() } }),
])

export const { resource } = registry
export const films: Resource = registry.resource('films')

export const field = (name: string, owner: Resource = films) => {
  const found = owner.fields.get(name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

/** `hidden` lists fields as `resource.field`; `records` says what is seen of a resource, everything by default. */
export const createSight = (
  hidden: readonly string[] = [],
  records: Readonly<Record<string, boolean | Filter>> = {},
): Visibility => {
  const views = new Map<Resource, View>()
  return {
    records: target => records[target.name] ?? true,
    view: target => {
      let view = views.get(target)
      if (!view) {
        const visible = [...target.fields].filter(
          ([name, { definition }]) => !definition.options.writeOnly && !hidden.includes(`${target.name}.${name}`),
        )
        view = { resource: target, fields: new Map(visible) }
        views.set(target, view)
      }
      return view
    },
  }
}

export const all = createSight()
/** Sees no vault, no diary, and of the people only Ann. */
export const onlyAnn: Filter = {
  op: 'eq',
  path: { steps: [], field: field('name', resource('people')) },
  value: 'Ann',
}
export const visitor = createSight(['films.cost', 'people.diary'], { vaults: false, people: onlyAnn })

/** The problem that the work throws; anything else fails the test. */
export const problemOf = (work: () => unknown): Problem => {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

export const faultsOf = (work: () => unknown): readonly Fault[] => problemOf(work).details.errors ?? []

/** A filter with paths as text; a guarded step carries a question mark. */
export const shorten = (filter: Filter | null): unknown => {
  if (!filter || filter.op === 'const') return filter
  if (filter.op === 'not') return { not: shorten(filter.part) }
  if ('parts' in filter) return { [filter.op]: filter.parts.map(shorten) }
  const { op, path, ...rest } = filter
  const steps = path.steps.map(({ relation, linkFilter }) => `${relation.name}${linkFilter ? '?' : ''}.`)
  return { [op]: `${steps.join('')}${path.field.name}`, ...rest }
}

/** Any text at all, halves of characters and controls among it. */
export const anyText = fc.string({ unit: fc.nat({ max: 0xffff }).map(code => String.fromCharCode(code)) })
