// The client library finds the nearest records, with types.

import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { defineApp, defineModule, defineResource, type SchemaOf, text, vector } from 'plinth'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../src/index.ts'

const poems = defineResource('poems', {
  about: 'Poems.',
  label: 'title',
  search: ['title'],
  fields: { title: text({ required: true, max: 100 }), meaning: vector(2) },
  access: { read: 'true', write: 'true' },
})
const poetry = defineModule({ name: 'poetry', about: 'Poems.', resources: [poems] })
const app = defineApp({ name: 'Poetry', modules: [poetry] })

test('the nearest records come first, alone or ranked together with words', async () => {
  const service = await startService('sqlite', { modules: [...modules, poetry] })
  onTestFinished(() => service.stop())
  const client = createClient<SchemaOf<typeof app>>({ url: service.url })
  for (const [title, meaning] of [
    ['sea', [1, 0]],
    ['hill', [0, 1]],
    ['shore', [1, 0.5]],
  ] as const)
    await client.poems.create({ title, meaning })
  const near = await client.poems.find({ near: { meaning: [1, 0] }, fields: ['title', 'meaning'], limit: 2 })
  expect(near.items).toMatchObject([
    { title: 'sea', meaning: [1, 0] },
    { title: 'shore', meaning: [1, 0.5] },
  ])
  const both = await client.poems.find({ search: 'hill', near: { meaning: [1, 0] } })
  expect(both.items.map(({ title }) => title)).toEqual(['hill', 'sea', 'shore'])
  // @ts-expect-error a title is no vector
  await expect(client.poems.find({ near: { title: [1] } })).rejects.toThrow()
})
