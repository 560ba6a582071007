// Long texts in an index of words: their beginning is found, and what they take holds up no others.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule, defineResource, longText, text } from '../../src/index.ts'

const novels = defineResource('novels', {
  about: 'Novels.',
  label: 'title',
  search: ['title', 'body'],
  fields: { title: text({ required: true, max: 200 }), body: longText({ max: 1_000_000 }) },
  access: { read: 'true', write: 'caller.signedIn' },
})
const library = defineModule({ name: 'library', about: 'Novels.', resources: [novels] })

/** Words that are all different. */
const wordsFrom = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `w${(first + at).toString(36)}x`).join(' ')

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, library] })
    staff = service.as('staff')
  })
  afterAll(() => service.stop())

  const titles = async (search: string): Promise<readonly string[]> =>
    (await staff.get(`/api/rest/novels?search=${encodeURIComponent(search)}`)).body.content.map(
      ({ title }: { title: string }) => title,
    )
  const add = async (body: object): Promise<string> => {
    const made = await staff.post('/api/rest/novels', body, { Accept: 'application/json' })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body.pk
  }

  test('the first words of a very long text are found, and forgotten when it changes', async () => {
    const pk = await add({ title: 'Endless', body: wordsFrom(0, 60_000) })
    expect(await titles('"w0x"')).toEqual(['Endless'])
    expect(await titles(`"w${(4000).toString(36)}x"`)).toEqual(['Endless'])
    expect(await titles(`"w${(50_000).toString(36)}x"`)).toEqual([])
    const changed = await staff.patch(`/api/rest/novels/${pk}`, { body: 'An end.' }, { Accept: 'application/json' })
    expect(changed.status).toBe(200)
    expect(await titles('"w0x"')).toEqual([])
    expect(await titles('endless end')).toEqual(['Endless'])
  })

  test('several of them are written at once', async () => {
    const bodies = Array.from({ length: 6 }, (_, at) => ({
      title: `Volume ${at}`,
      body: `${wordsFrom(1_000_000 * (at + 1), 3000)} finis`,
    }))
    const made = await staff.post('/api/rest/novels', bodies, { Accept: 'application/json' })
    expect(made.status).toBe(201)
    expect((await titles('finis ')).toSorted()).toEqual(bodies.map(({ title }) => title))
    expect(await titles(`"w${(3_002_999).toString(36)}x"`)).toEqual(['Volume 2'])
  })

  test('an error is forgiven in each of many long words', async () => {
    const words = Array.from({ length: 11 }, (_, at) => `${'abcdefghijklmnopqrst'.slice(at)}${'uvwxyz'.slice(0, 4)}`)
    await add({ title: 'Letters', body: words.join(' ') })
    const wrong = words.map(word => `${word.slice(0, 3)}${word.slice(4)}`).join(' ')
    expect(await titles(`${wrong} `)).toEqual(['Letters'])
  })
})
