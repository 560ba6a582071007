// Indexes of words of records that are there already: built while the service runs, built again when the declaration changes, and
// checked and repaired by the doctor.

import { rm } from 'node:fs/promises'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { createApp, modules } from '@plinth/test-kit/platform'
import { configOn, emptyData } from '@plinth/test-kit/prepared-data'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { ref, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { until } from '../../src/testing/waiting.ts'

const fields = { title: text({ required: true, max: 200 }), body: text({ max: 5000 }) }
const access = { read: 'true', write: 'true' }
const about = 'Pages.'

const plain = defineResource('pages', { about, fields, access })
const byTitle = defineResource('pages', { about, fields, access, search: ['title'] })
const byBoth = defineResource('pages', {
  about,
  fields,
  access,
  search: { fields: ['title', 'body'], language: 'none' },
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('the doctor finds what differs from the records, and a repair makes it right', async () => {
    const data = await emptyData(database)
    onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
    const module = defineModule({ name: 'pages', about, resources: [byTitle] })
    const app = await createApp(configOn(data, {}), { modules: [...modules, module] })
    onTestFinished(() => app.close())
    await app.listen()
    const { records, store } = app.platform
    await until('the index to be built', async () => (await store.checkSearch()).every(({ isUnbuilt }) => !isUnbuilt))
    await records.createMany(byTitle, [{ title: 'One page' }, { title: 'Two pages' }, { title: 'Three' }])
    const sound = { resource: 'pages', isUnbuilt: false, records: 3, wrong: 0, left: 0 }
    expect(await store.checkSearch()).toEqual([sound])
    const written = 'UPDATE "pages" SET "title" = \'Four\' WHERE "title" = \'Three\''
    await store.exclusively((_, script) => script(written))
    expect(await store.checkSearch()).toEqual([{ ...sound, wrong: 1 }])
    await store.repairSearch()
    expect([await store.checkSearch(), await records.count(byTitle, { search: 'four' })]).toEqual([[sound], 1])
  })

  testAll(
    'the index of records that are there is built in the background, and again for another declaration',
    async () => {
      const data = await emptyData(database)
      onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
      const running = async <T>(
        pages: typeof plain,
        work: (app: Awaited<ReturnType<typeof createApp>>) => Promise<T>,
      ) => {
        const module = defineModule({ name: 'pages', about, resources: [pages] })
        const app = await createApp(configOn(data, {}), { modules: [...modules, module] })
        await app.listen()
        return work(app).finally(() => app.close())
      }
      const pages = Array.from({ length: 700 }, (_, at) => ({
        title: `Page number${at}`,
        body: `Text of chapters ${at % 7}`,
      }))
      await running(plain, app => app.platform.records.createMany(plain, pages))
      await running(byTitle, async ({ platform: { records } }) => {
        const count = (search: string) => records.count(byTitle, { search })
        await until('the index to be built', async () => (await count('page ')) === 700)
        expect([await count('number699 '), await count('chapter ')]).toEqual([1, 0])
      })
      await running(plain, async ({ platform: { records } }) => {
        await records.create(plain, { title: 'Page written without an index' })
        const [gone] = await records.find(plain, { where: { title: 'Page number5' } })
        await records.remove(plain, gone?.pk ?? '')
      })
      await running(byBoth, async ({ platform: { records } }) => {
        const count = (search: string) => records.count(byBoth, { search })
        await until('the index to be built', async () => (await count('chapters ')) === 699)
        expect([
          await count('page '),
          await count('without '),
          await count('number5 '),
          await count('chapters 5 '),
        ]).toEqual([700, 1, 0, 99])
      })
    },
  )

  testAll('words of related records come into the index, and out of it, with the declaration', async () => {
    const data = await emptyData(database)
    onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
    const books = defineResource('books', { about, label: 'name', fields: { name: text({ required: true }) }, access })
    const chapter = (search?: readonly string[]) =>
      defineResource('chapters', {
        ...{ about, access, fields: { title: text(), book: ref(books) } },
        ...(search && { search }),
      })
    const running = async <T>(
      chapters: ReturnType<typeof chapter>,
      work: (app: Awaited<ReturnType<typeof createApp>>) => Promise<T>,
    ) => {
      const module = defineModule({ name: 'books', about, resources: [books, chapters] })
      const app = await createApp(configOn(data, {}), { modules: [...modules, module] })
      await app.listen()
      return work(app).finally(() => app.close())
    }
    const [byTitle, byBook] = [chapter(['title']), chapter(['title', 'book.name'])]
    const pk = await running(byTitle, async ({ platform: { records } }) => {
      const book = await records.create(books, { name: 'Navigation' })
      await records.create(byTitle, { title: 'Stars', book: book.pk })
      return book.pk
    })
    await running(byBook, async ({ platform: { records } }) => {
      const count = (search: string) => records.count(byBook, { search })
      await until('the index to be built', async () => (await count('navigation ')) === 1)
      await records.update(books, pk, { name: 'Seafaring' })
      expect([await count('navigation '), await count('seafaring ')]).toEqual([0, 1])
    })
    for (const without of [chapter(), byTitle])
      await running(without, async ({ platform: { records, store } }) => {
        await records.update(books, pk, { name: 'Gardening' })
        await until('the index to be built', () => store.checkSearch().then(all => all.every(one => !one.isUnbuilt)))
        const marks = await store.checkSearch()
        expect(marks.map(({ wrong }) => wrong)).toEqual(without === byTitle ? [0] : [])
      })
  })

  testAll('an index of an earlier version is built again, without anybody having to do it', async () => {
    const data = await emptyData(database)
    onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
    const running = async <T>(work: (app: Awaited<ReturnType<typeof createApp>>) => Promise<T>) => {
      const module = defineModule({ name: 'pages', about, resources: [byTitle] })
      const app = await createApp(configOn(data, {}), { modules: [...modules, module] })
      await app.listen()
      return work(app).finally(() => app.close())
    }
    await running(async ({ platform: { records, store } }) => {
      await records.createMany(byTitle, [{ title: 'One page' }, { title: 'Two pages' }])
      await store.exclusively(async (_, script) => {
        await script('DROP TABLE "plinth_word_indexes"; DROP TABLE "plinth_words_pages"')
        await script('CREATE TABLE "plinth_words_pages" ("entry" text, "pk" text, "value" integer)')
        await script('CREATE TABLE "plinth_search" ("resource" text PRIMARY KEY, "built" integer)')
        await script(`INSERT INTO "plinth_search" VALUES ('pages', 1)`)
      })
    })
    await running(async ({ platform: { records } }) => {
      await until('the index to be built', async () => (await records.count(byTitle, { search: 'page ' })) === 2)
    })
  })
})
