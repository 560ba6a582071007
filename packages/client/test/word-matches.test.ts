// Searches by words through the client library, with the reason why each record was found.

import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { defineModule, defineResource, text } from 'plinth'
import { expect, test } from 'vitest'
import { createClient } from '../src/index.ts'

const recipes = defineResource('recipes', {
  about: 'Recipes.',
  search: ['title', 'body'],
  fields: { title: text({ required: true, max: 200 }), body: text({ max: 5000 }) },
  access: { read: 'true', write: 'true' },
})

const kitchen = defineModule({ name: 'kitchen', about: 'Recipes.', resources: [recipes] })

test('a page tells how well its records match, and where, if it is asked', async () => {
  const service = await startService('sqlite', { modules: [...modules, kitchen] })
  try {
    const recipesOf = createClient({ url: service.url }).resource('recipes')
    const pie = await recipesOf.create({ title: 'Apple pie', body: 'Peel the apples.' })
    await recipesOf.create({ title: 'Soup', body: 'Boil water.' })
    const { items, matches } = await recipesOf.find({ search: 'apple pie', matches: true })
    expect(items).toMatchObject([{ pk: pie.pk }])
    expect(matches).toMatchObject([{ pk: pie.pk, snippet: 'Apple pie', marks: [0, 5, 6, 9] }])
    expect(matches?.[0]?.score).toBeGreaterThan(0)
    expect(await recipesOf.find({ search: 'apple pie' })).not.toHaveProperty('matches')
  } finally {
    await service.stop()
  }
})
