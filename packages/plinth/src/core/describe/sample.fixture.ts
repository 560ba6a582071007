// A small model with every kind of field, for the tests of this folder.

import { defineResource } from '../model/define.ts'
import {
  boolean,
  choice,
  computed,
  counted,
  date,
  decimal,
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
  timestamp,
} from '../model/fields.ts'
import { assigned, hashOf, sharedWith } from '../model/identifier.ts'
import { createRegistry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'

const staff = "caller.has('ROLE_STAFF')"

export const registry = createRegistry([
  defineResource('films', {
    about: 'A title the store rents out.',
    label: 'title',
    showsId: true,
    fields: {
      title: text({ required: true, max: 200, indexed: true }),
      description: longText({ about: 'A summary of the story.' }),
      rating: choice(['unrated', 'G', 'PG-13'], { default: 'unrated' }),
      audience: choice(['children', 'adults']),
      runtimeInSeconds: integer({ min: 1, max: 100_000 }),
      replacementCost: money({ default: 19.99 }),
      score: decimal({ scale: 1, min: 0, max: 5 }),
      inPrint: boolean({ required: true }),
      released: date(),
      lastSeen: timestamp({ serverOwned: true }),
      barcode: text({ unique: 'ignoreCase', fixed: true, max: 40 }),
      site: text({ format: 'uri' }),
      language: text({ pattern: { is: /^[a-z]{2}$/, says: 'must be a language code' } }),
      keywords: textList({ maxItems: 5 }),
      metadata: map(),
      releaseKey: secret({ required: true, min: 8 }),
      slug: computed(text(), ({ title }: { readonly title: string }) => title.toLowerCase()),
      studio: ref('studios', { required: true }),
      sequelOf: ref('films'),
      actors: links('actors', { embed: true }),
      fans: links('actors'),
      sequels: many('films', { by: 'sequelOf' }),
      sequelCount: counted('sequels'),
    },
    access: { read: 'true', write: staff },
  }),
  defineResource('actors', {
    about: 'Who plays in films.',
    fields: { firstName: text(), lastName: text({ required: true }), films: many('films', { by: 'actors' }) },
    families: { search: 'jsonApi' },
    access: { read: 'caller.signedIn', write: staff },
  }),
  defineResource('studios', {
    about: 'Who makes films.',
    label: 'name',
    identifier: assigned(/^[A-Z]{2}$/, 2),
    stamps: 'none',
    fields: {
      name: text({ required: true, unique: true }),
      parent: ref('studios'),
      films: many('films', { by: 'studio' }),
    },
    access: { read: 'caller.signedIn', write: staff },
  }),
  defineResource('studioDetails', {
    about: 'More about a studio.',
    singular: 'studioDetails',
    identifier: sharedWith('studio'),
    fields: { studio: ref('studios', { required: true, onDelete: 'cascade' }), motto: text() },
    access: { read: 'caller.signedIn', write: staff },
  }),
  defineResource('errorLogs', {
    about: 'What went wrong.',
    identifier: hashOf('stacktrace'),
    fields: { stacktrace: longText({ required: true }), reporter: ref('actors', { serverOwned: true }) },
    access: { read: staff },
  }),
  defineResource('sessions', { about: 'Internal.', internal: true, fields: {}, access: {} }),
])

/** What someone sees from whom nothing is hidden, except the fields named. */
export const viewOf = (resource: Resource, hidden: readonly string[] = []): View => ({
  resource,
  fields: new Map(
    [...resource.fields].filter(([name, { definition }]) => !definition.options.writeOnly && !hidden.includes(name)),
  ),
})

export const films = registry.resource('films')
export const studios = registry.resource('studios')

const uuid = '0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3'

/** A film as JSON shows it. */
export const filmAsShown = {
  pk: uuid,
  id: uuid,
  title: 'Alien',
  description: null,
  rating: 'PG-13',
  audience: null,
  runtimeInSeconds: 7020,
  replacementCost: 19.99,
  score: 4.7,
  inPrint: true,
  released: '1979-05-25',
  lastSeen: '2024-05-17T09:30:00.000Z',
  barcode: null,
  site: 'https://www.example.com/alien',
  language: 'en',
  keywords: ['space'],
  metadata: { shelf: 'A7' },
  slug: 'alien',
  studio: { pk: 'FX', name: 'Fox' },
  sequelOf: null,
  actors: [{ pk: uuid }],
  sequelCount: 3,
  createdDate: '2024-05-17T09:30:00.000Z',
  lastModifiedDate: '2024-05-17T09:30:00.000Z',
  version: 1,
  links: [{ rel: 'self', href: `http://localhost:8080/api/rest/films/${uuid}` }],
}
