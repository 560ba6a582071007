import { checkProperty } from '@plinth/test-kit/random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Visibility } from '../model/views.ts'
import { all, createSight, films, onlyAnn, visitor } from './film-store.fixture.ts'
import { readKnownSearch } from './known-searches.ts'
import { readParameters } from './parameters.ts'
import { readSearch, type Search } from './read-query.ts'

const annOnly = createSight([], { people: onlyAnn })

const context = (visibility: Visibility) => ({ visibility, maxPageSize: 500, style: 'plain' as const })

const readKnown = (text: string, visibility: Visibility): Search =>
  readKnownSearch({ text, parameters: readParameters(text) }, films, context(visibility))

const readFirst = (text: string, visibility: Visibility): Search =>
  readSearch(readParameters(text), films, context(visibility))

/** Returns the result or the message of the refusal. Functions are equal to no other. */
const resultOf = (read: () => Search): unknown => {
  try {
    const { viewOf: _, ...search } = read()
    return search
  } catch (error) {
    return String(error)
  }
}

const texts = [
  '',
  'title=Alien&sort=-title',
  'owner.name=Ann',
  'sort=owner.name',
  'filter=copies.pk==C1',
  'include=owner',
  'fields=title',
  'page=no',
  'filter=title==',
]

test('a search that was read before means the same as one that is read for the first time, for every caller', () => {
  const visibilities = { all, visitor, annOnly }
  const names = fc.constantFrom(...(Object.keys(visibilities) as (keyof typeof visibilities)[]))
  checkProperty(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...texts), names), { minLength: 2, maxLength: 20 }), searches => {
      for (const [text, name] of searches) {
        const visibility = visibilities[name]
        expect(resultOf(() => readKnown(text, visibility))).toEqual(resultOf(() => readFirst(text, visibility)))
      }
    }),
  )
})

test('a search is kept for callers who see the same, and read again for others', () => {
  const text = 'title=Alien&sort=title'
  const first = readKnown(text, all)
  expect(readKnown(text, all).query).toBe(first.query)
  expect(readKnown(text, visitor).query).not.toBe(first.query)
})

test('a search that meets a rule about single records is not kept', () => {
  const text = 'owner.name=Ann'
  const first = readKnown(text, annOnly)
  expect(readKnown(text, annOnly).query).not.toBe(first.query)
})
