// Mistakes in seeds stop the start, with the seed, the resource and the field.

import { testAll } from '@plinth/test-kit/extent'
import { expect, onTestFinished, test } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { integer, ref, text } from '../../src/core/model/fields.ts'
import type { Seed } from '../../src/core/module.ts'
import { createWith, failureOf, library, resource } from './definition-faults.ts'

test('two seeds of one name', async () => {
  const seed: Seed = { name: 'library.books', run: async () => {} }
  const twice = { ...library(resource('books', { title: text() })), seeds: [seed, seed] }
  expect((await failureOf(twice))[1]).toBe(
    "  - seed 'library.books': several seeds have this name, and only the first would run; rename the others",
  )
})

/** What the start says when a seed writes these values. */
const seeding = async (values: Record<string, unknown>): Promise<string[]> => {
  const books = resource('books', {
    title: text({ required: true, unique: true }),
    author: ref('authors', { required: true }),
    pages: integer({ default: 1 }),
  })
  const seed: Seed = {
    name: 'library.books',
    run: async ({ records }) => {
      await records.create(books, values)
    },
  }
  const app = await createWith({ ...library(books, resource('authors', {})), seeds: [seed] })
  onTestFinished(() => app.close())
  const failure = await app.prepare().then(
    () => 'It was prepared.',
    error => explain(error, undefined),
  )
  return failure.split('\n')
}

test('a seed without required fields names every one', async () => {
  expect(await seeding({ pages: 3 })).toEqual([
    'The definitions have 2 errors:',
    ...['title', 'author'].map(field => `  - seed 'library.books': books.${field}: is required`),
  ])
})

testAll('a seed with a misspelt field', async () => {
  expect(await seeding({ titel: 'T', title: 'T', author: 'a' })).toEqual([
    'The definitions have an error:',
    "  - seed 'library.books': books.titel: there is no such field; did you mean 'title'?",
  ])
})

testAll('a seed that refers to a record that is not there', async () => {
  expect(await seeding({ title: 'T', author: 'unknown' })).toEqual([
    'The definitions have an error:',
    "  - seed 'library.books': books.author: does not exist in authors",
  ])
})
