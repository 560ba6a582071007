// The trash follows the model: what was deleted before a change of the model, or a move to another database, can be restored after it.

import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@plinth/test-kit/postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { boolean, links, ref, text } from '../../src/core/model/fields.ts'
import { assigned } from '../../src/core/model/identifier.ts'
import { createRegistry, type Registry } from '../../src/core/model/registry.ts'
import { createStore } from '../../src/core/store/create-store.ts'
import type { Store } from '../../src/core/store/store.ts'
import { dialects } from '../store/databases.ts'

const common = { about: 'Of the test.', identifier: assigned(), access: {}, stamps: 'none' } as const
const authors = defineResource('authors', { ...common, trash: true, fields: { name: text() } })

const before = createRegistry([
  authors,
  defineResource('books', {
    ...common,
    trash: true,
    fields: {
      title: text({ unique: 'ignoreCase' }),
      lent: boolean(),
      sequel: ref('books', { onDelete: 'clear' }),
      authors: links('authors', { embed: true }),
    },
  }),
])

const after = createRegistry([
  authors,
  defineResource('volumes', {
    ...common,
    trash: true,
    renamedFrom: 'books',
    fields: {
      name: text({ unique: 'ignoreCase', renamedFrom: 'title' }),
      lent: boolean(),
      sequel: ref('volumes', { onDelete: 'clear' }),
      writers: links('authors', { embed: true, renamedFrom: 'authors' }),
      shelf: text({ required: true, default: 'A' }),
    },
  }),
])

const open = async (url: string, registry: Registry): Promise<Store> => {
  const store = await createStore({ url, registry })
  await store.apply(await store.plan())
  onTestFinished(() => store.close())
  return store
}

const newDatabase = async (dialect: (typeof dialects)[number]): Promise<string> => {
  if (dialect === 'postgres') return createDatabase(inject('postgresUrl'))
  const path = join(tmpdir(), `plinth-trash-${crypto.randomUUID()}.db`)
  onTestFinished(async () => {
    for (const ending of ['', '-wal', '-shm']) await rm(path + ending, { force: true })
  })
  return path
}

test.each(dialects)('on %s', async dialect => {
  const url = await newDatabase(dialect)
  const former = await open(url, before)
  await former.transaction(async tx => {
    await tx.insert(tx.resource('authors'), 'a', { name: 'Ann' })
    await tx.insert(tx.resource('books'), '2', { title: 'Second' })
    await tx.insert(tx.resource('books'), '1', { title: 'First', lent: true, sequel: '2', authors: ['a'] })
  })
  for (const pk of ['2', '1']) expect(await former.transaction(tx => tx.remove(tx.resource('books'), pk))).toBe(true)

  const moved = await newDatabase(dialect === 'sqlite' ? 'postgres' : 'sqlite')
  const copy = await createStore({ url: moved, registry: before })
  onTestFinished(() => copy.close())
  await former.snapshot(snapshot => copy.load(snapshot, { version: '1.0.0', replaces: false }))

  for (const address of [url, moved]) {
    const store = await open(address, after)
    for (const pk of ['1', '2'])
      expect(await store.transaction(tx => tx.restore(tx.resource('volumes'), pk))).toBe(true)
    expect(await store.get(store.resource('volumes'), '1')).toMatchObject({
      name: 'First',
      lent: true,
      shelf: 'A',
      sequel: { pk: '2' },
      writers: [{ pk: 'a' }],
    })
    const twin = store.transaction(tx => tx.insert(tx.resource('volumes'), '3', { name: 'FIRST', shelf: 'B' }))
    await expect(twin).rejects.toMatchObject({ code: 'taken' })
  }
})
