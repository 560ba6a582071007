// The providers for react-admin against a real service. A browser test runs react-admin itself.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type PlinthClient } from '../src/index.ts'
import { createAuthProvider, createDataProvider, type PlinthDataProvider } from '../src/react-admin.ts'

interface Book {
  readonly id: string
  readonly title: string
  readonly pages: number | null
  readonly shelf: string | null
  readonly authors: readonly string[]
}

describe.each(featureDatabases(import.meta.url))('%s', database => {
  let service: TestService
  let client: PlinthClient
  let provider: PlinthDataProvider
  const word = fresh('admin')
  const ids: string[] = []
  let shelf: string
  let author: string

  beforeAll(async () => {
    service = await startLibrary(database)
    client = createClient({ url: service.url, session: 'tokens' })
    provider = createDataProvider(client, { search: { books: ['title', 'shelf.name'] } })
    await createAuthProvider(client).login({ username: 'staff', password: 'staff' })
    const create = async (resource: string, data: object): Promise<string> =>
      (await provider.create<Book>(resource, { data })).data.id
    shelf = await create('shelves', { name: `${word} shelf` })
    author = await create('authors', { name: `${word} author` })
    ids.push(await create('books', { title: `${word} a`, pages: 300, shelf, authors: [author] }))
    ids.push(await create('books', { title: `${word} b`, pages: 100 }))
    ids.push(await create('books', { title: `${word} c`, pages: 200, shelf }))
  })
  afterAll(() => service.stop())

  const titles = async (filter: Record<string, unknown>, sort = { field: 'title', order: 'ASC' }, perPage = 10) => {
    const all = { title_q: word, ...filter }
    const { data, total } = await provider.getList<Book>('books', {
      filter: all,
      sort,
      pagination: { page: 1, perPage },
    })
    return [data.map(({ title }) => title.slice(word.length + 1)).join(''), total]
  }

  test('lists are filtered, searched, sorted and paged', async () => {
    expect(await titles({})).toEqual(['abc', 3])
    expect(await titles({}, { field: 'pages', order: 'DESC' })).toEqual(['acb', 3])
    expect(await titles({}, { field: 'title', order: 'ASC' }, 2)).toEqual(['ab', 3])
    expect(await titles({ shelf })).toEqual(['ac', 2])
    expect(await titles({ 'shelf.name': `${word} shelf`, pages: '' })).toEqual(['ac', 2])
    expect(await titles({ q: `${word} SHELF` })).toEqual(['ac', 2])
    expect(await titles({ pages_gte: 200, pages_lt: 300 })).toEqual(['c', 1])
    expect(await titles({ pages: [100, 300] })).toEqual(['ab', 2])
    expect(await titles({ id: ids.slice(1) })).toEqual(['bc', 2])
  })

  test('records have ids and the pks of related records', async () => {
    const { data } = await provider.getOne<Book>('books', { id: ids[0] ?? '' })
    expect(data).toMatchObject({ id: ids[0], shelf, authors: [author] })
    const many = await provider.getMany<Book>('books', { ids: [...ids].reverse() })
    expect(many.data.map(({ id }) => id)).toEqual([...ids].reverse())
    const reference = await provider.getManyReference<Book>('books', {
      target: 'shelf',
      id: shelf,
      sort: { field: 'id', order: 'ASC' },
    })
    expect(reference.total).toBe(2)
  })

  test('an update sends what was changed, and not over the change of another user', async () => {
    const { data: previousData } = await provider.getOne<Book>('books', { id: ids[1] ?? '' })
    const data = { ...previousData, pages: 101, shelf }
    const changed = await provider.update<Book>('books', { id: previousData.id, data, previousData })
    expect(changed.data).toMatchObject({ pages: 101, shelf, title: `${word} b` })
    const again = provider.update('books', { id: previousData.id, data: { ...data, pages: 102 }, previousData })
    await expect(again).rejects.toMatchObject({ status: 412 })
    const { data: now } = await provider.getOne<Book>('books', { id: previousData.id })
    const cleared = await provider.update<Book>('books', {
      id: now.id,
      data: { ...now, shelf: null },
      previousData: now,
    })
    expect(cleared.data.shelf).toBeNull()
  })

  test('errors are reported for each field', async () => {
    await expect(provider.create('books', { data: { pages: -1 } })).rejects.toMatchObject({
      status: 400,
      body: { errors: { title: expect.any(String), pages: expect.any(String) } },
    })
  })

  test('several records are changed and deleted', async () => {
    const made = [
      await client.resource('books').create({ title: fresh('x') }),
      await client.resource('books').create({ title: fresh('y') }),
    ]
    const several = made.map(({ pk }) => pk)
    expect(await provider.updateMany('books', { ids: several, data: { pages: 7 } })).toEqual({ data: several })
    expect((await provider.getMany<Book>('books', { ids: several })).data.map(({ pages }) => pages)).toEqual([7, 7])
    expect(await provider.deleteMany('books', { ids: several })).toEqual({ data: several })
    expect((await provider.getMany('books', { ids: several })).data).toEqual([])
    const { data } = await provider.getOne<Book>('books', { id: ids[2] ?? '' })
    await provider.delete('books', { id: data.id, previousData: data })
    await expect(provider.getOne('books', { id: data.id })).rejects.toMatchObject({ status: 404 })
  })

  test('the session is that of the client', async () => {
    const own = createClient({ url: service.url, session: 'tokens' })
    const auth = createAuthProvider(own)
    await expect(auth.checkAuth()).rejects.toThrow('Not signed in')
    await expect(auth.login({ username: 'staff', password: 'wrong' })).rejects.toMatchObject({ status: 401 })
    await auth.login({ username: 'staff', password: 'staff' })
    await auth.checkAuth()
    expect(await auth.getIdentity()).toMatchObject({ id: own.session.user?.pk, fullName: expect.any(String) })
    expect(await auth.getPermissions()).toContain('ROLE_STAFF')
    await auth.checkError({ status: 403 })
    await expect(auth.checkError({ status: 401 })).rejects.toEqual({ status: 401 })
    await auth.logout()
    await auth.logout()
    await expect(auth.checkAuth()).rejects.toThrow()
  })
})
