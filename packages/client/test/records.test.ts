// The typed client against a real service: searches, writes, relations, endpoints, files.

import { testAll } from '@plinth/test-kit/extent'
import { fresh, freshCopy, startLibrary } from '@plinth/test-kit/library'
import type { DemoUser, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { ApiProblem, createClient, isProblem, type PlinthClient, ref } from '../src/index.ts'
import type { LibrarySchema } from './library-schema.ts'

let service: TestService
let client: PlinthClient<LibrarySchema>

const clientOf = (user: DemoUser, fetchOnce?: typeof fetch): PlinthClient<LibrarySchema> =>
  createClient<LibrarySchema>({
    url: service.url,
    headers: () => ({ Authorization: `Basic ${btoa(`${user}:${user}`)}` }),
    endpoints: { readCurrentUser: 'GET /api/auth/userDetails' },
    ...(fetchOnce && { fetch: fetchOnce }),
  })

/** A client that knows no types. */
const asAdmin = () =>
  createClient({ url: service.url, headers: () => ({ Authorization: `Basic ${btoa('admin:admin')}` }) })

beforeAll(async () => {
  service = await startLibrary('sqlite')
  client = clientOf('staff')
})
afterAll(() => service.stop())

describe('searching', () => {
  const word = fresh('found')
  let author: { readonly pk: string }

  beforeAll(async () => {
    author = await client.authors.create({ name: `${word} Le Guin` })
    const shelf = await client.shelves.create({ name: `${word} shelf` })
    await client.books.createMany([
      { title: `${word} Rocannon`, pages: 136, authors: [author.pk], shelf: shelf.pk, tags: ['space', 'a"b\\c'] },
      { title: `${word} Always`, pages: 523, binding: 'hardcover', authors: [author.pk] },
      { title: `${word} 100%*`, pages: null },
    ])
  })

  const titles = async (where: Parameters<typeof client.books.find>[0]): Promise<string[]> =>
    (await client.books.find({ sort: 'title', ...where })).items.map(({ title }) => title.slice(word.length + 1))

  testAll('aggregates have the groups and numbers that were asked for, all pages of them', async () => {
    const groups = await client.books.aggregate({
      group: ['binding', 'shelf.name'],
      count: true,
      sum: ['pages'],
      where: { title: { like: `${word}*` } },
      having: { count: { ge: 1 }, sum: { pages: { gt: 10 } } },
      sort: '-sum.pages',
    })
    expect(groups).toEqual([
      { group: { binding: 'hardcover', 'shelf.name': null }, count: 1, sum: { pages: 523 } },
      { group: { binding: 'paperback', 'shelf.name': `${word} shelf` }, count: 1, sum: { pages: 136 } },
    ])
    const [first] = groups
    expectTypeOf(first?.group.binding).toEqualTypeOf<'hardcover' | 'paperback' | 'e-book' | undefined>()
    expectTypeOf(first?.group['shelf.name']).toEqualTypeOf<string | null | undefined>()
    expectTypeOf(first?.sum.pages).toEqualTypeOf<number | null | undefined>()
    // @ts-expect-error a text has no sum
    await expect(client.books.aggregate({ sum: ['title'] })).rejects.toMatchObject({ code: 'bad_parameter' })
    for (let at = 0; at < 101; at++) await client.authors.create({ name: `${word} ${at}` })
    const names = { group: ['name'], where: { name: { like: `${word} *` } } } as const
    expect(await client.authors.aggregate(names)).toHaveLength(102)
    expect(await client.authors.aggregate({ ...names, limit: 3 })).toHaveLength(3)
  })

  test('conditions become filters, and no value is taken for a wildcard', async () => {
    const like = { like: `${word}*` }
    expect(await titles({ where: { title: like } })).toEqual(['100%*', 'Always', 'Rocannon'])
    expect(await titles({ where: { title: `${word} 100%*` } })).toEqual(['100%*'])
    expect(await titles({ where: { title: `${word}*` } })).toEqual([])
    expect(await titles({ where: { title: like, pages: { gt: 200 } } })).toEqual(['Always'])
    expect(await titles({ where: { title: like, pages: { between: [136, 200] } } })).toEqual(['Rocannon'])
    expect(await titles({ where: { title: like, pages: null } })).toEqual(['100%*'])
    expect(await titles({ where: { title: like, pages: { ne: null } } })).toEqual(['Always', 'Rocannon'])
    expect(await titles({ where: { title: like, binding: { in: ['hardcover', 'e-book'] } } })).toEqual(['Always'])
    expect(await titles({ where: { title: like, binding: { in: [] } } })).toEqual([])
    expect(await titles({ where: { title: like, binding: { notIn: [] } } })).toHaveLength(3)
    expect(await titles({ where: { title: like, tags: 'a"b\\c' } })).toEqual(['Rocannon'])
    expect(await titles({ where: { title: { ilike: `${word.toUpperCase()} a*` } } })).toEqual(['Always'])
    expect(await titles({ where: { title: like, or: [{ pages: 136 }, { pages: null }] } })).toEqual([
      '100%*',
      'Rocannon',
    ])
    expect(await titles({ where: { title: like, or: [] } })).toEqual([])
    expect(await titles({ where: { title: like }, filter: 'pages==136' })).toEqual(['Rocannon'])
  })

  test('conditions lead through relations', async () => {
    expect(await titles({ where: { authors: { name: `${word} Le Guin` } } })).toEqual(['Always', 'Rocannon'])
    expect(await titles({ where: { authors: author.pk, shelf: { name: { like: `${word}*` } } } })).toEqual(['Rocannon'])
    expect(await titles({ where: { authors: author.pk, shelf: null } })).toEqual(['Always'])
    expect(await client.books.count({ where: { authors: author.pk } })).toBe(2)
  })

  test('the result follows fields and include', async () => {
    const { items } = await client.books.find({
      where: { authors: author.pk },
      sort: '-pages',
      fields: ['pages', 'shelf', 'authors'],
      include: ['shelf', 'authors'],
    })
    expectTypeOf(items[0]?.shelf?.path).toEqualTypeOf<string | undefined>()
    expectTypeOf(items[0]?.authors[0]?.bookCount).toEqualTypeOf<number | undefined>()
    expect(items.map(({ pages, shelf, authors }) => [pages, shelf?.path, authors[0]?.bookCount])).toEqual([
      [523, undefined, 2],
      [136, `${word} shelf`, 2],
    ])
    const [bare] = (await client.books.find({ where: { authors: author.pk }, fields: ['title'] })).items
    expect(Object.keys(bare ?? {})).toEqual(['pk', 'id', 'title', 'links'])
    const first = await client.authors.first({ where: { pk: author.pk }, include: ['books'] })
    expect(first?.books.map(({ title }) => title).sort()).toEqual([`${word} Always`, `${word} Rocannon`])
  })

  test('a search is iterated page by page, by cursors', async () => {
    let requests = 0
    const counting = clientOf('staff', (...args) => {
      requests++
      return fetch(...args)
    })
    const seen: string[] = []
    for await (const { title } of counting.books.find({
      where: { title: { like: `${word}*` } },
      sort: 'title',
      limit: 1,
    }))
      seen.push(title)
    expect(seen).toHaveLength(3)
    expect(requests).toBe(3)
    const page = await counting.books.find({ where: { title: { like: `${word}*` } }, sort: 'title', limit: 2 })
    expect(page).toMatchObject({ total: 3, isEstimate: false, previous: null })
    const second = await counting.books.find({
      where: { title: { like: `${word}*` } },
      sort: 'title',
      limit: 2,
      after: page.next,
    })
    expect(second.items.map(({ title }) => title)).toEqual([`${word} Rocannon`])
  })

  test('negations, absent values, stars and offsets mean what they mean in code', async () => {
    const where = { title: { like: `${word}*` } }
    expect(await titles({ where: { ...where, not: { title: { ilike: '*always' } } } })).toEqual(['100%*', 'Rocannon'])
    expect(await titles({ where: { ...where, not: { shelf: { name: { like: `${word}*` } } } } })).toEqual([
      '100%*',
      'Always',
    ])
    expect(await titles({ where: { ...where, not: {} } })).toEqual([])
    expect(await titles({ where: { ...where, and: [{ title: { like: '*\\*' } }] } })).toEqual(['100%*'])
    expect(await titles({ where: { ...where, pages: { isNull: true } } })).toEqual(['100%*'])
    const page = await client.books.find({ where, sort: 'title', offset: 1, limit: 1 })
    const next = await client.books.find({ where, sort: 'title', after: page.next })
    expect([page.items[0]?.pages, next.items[0]?.pages]).toEqual([523, 136])
  })

  test('mistakes are problems with their faults', async () => {
    const search = client.books.find({ filter: 'nmae==x' })
    await expect(search.then()).rejects.toMatchObject({ code: 'bad_filter', faults: [{ member: 'nmae' }] })
    const error = await client.books.get('00000000-0000-7000-8000-00000000ffff').catch((error: unknown) => error)
    expect(isProblem(error, 'not_found')).toBe(true)
    expect(isProblem(error, 'stale')).toBe(false)
    expect(isProblem(new Error('other'))).toBe(false)
  })
})

describe('writing', () => {
  test('records are created, changed against their version, and removed', async () => {
    const book = await client.books.create({ title: fresh('made'), pages: 10 })
    expectTypeOf(book.binding).toEqualTypeOf<'hardcover' | 'paperback' | 'e-book'>()
    const changed = await client.books.update(book, { pages: null, tags: ['new'] })
    expect(changed).toMatchObject({ pages: null, tags: ['new'], version: book.version + 1 })
    await expect(client.books.update(book, { pages: 1 })).rejects.toMatchObject({ code: 'precondition_failed' })
    await expect(client.books.remove(book)).rejects.toMatchObject({ status: 412 })
    expect(await client.books.update(changed, { tags: ['new'] })).toMatchObject({ version: changed.version })
    await client.books.remove(changed)
    expect(await client.books.getMany([book.pk])).toEqual([])
  })

  test('many records are created together, all or none', async () => {
    const title = fresh('bulk')
    const failed = client.books.createMany([{ title }, { title, pages: -1 }])
    await expect(failed).rejects.toMatchObject({ code: 'invalid', faults: [{ pointer: '/1/pages' }] })
    expect(await client.books.count({ where: { title } })).toBe(0)
  })

  test('atomic operations refer to one another, and all fail with one', async () => {
    const name = fresh('atomic')
    const results = await client.atomic(operations => {
      const author = operations.create('authors', { name })
      const book = operations.create('books', { title: name, authors: [author] })
      operations.update('books', book, { pages: 7 })
    })
    expect(results.map(result => result?.resource)).toEqual(['authors', 'books', 'books'])
    const [found] = (await client.books.find({ where: { title: name } })).items
    expect(found).toMatchObject({ pages: 7, authors: [{ pk: results[0]?.pk, name }] })
    const half = client.atomic(operations => {
      operations.remove('books', found?.pk ?? '')
      operations.remove('authors', 'no such author')
    })
    await expect(half).rejects.toBeInstanceOf(ApiProblem)
    expect(await client.books.count({ where: { title: name } })).toBe(1)
  })

  test('deleted records are found in the trash, restored, and purged', async () => {
    const countries = asAdmin().resource('countries')
    const made = await countries.put('QX', { name: fresh('Land') })
    expect(await countries.put(made, { name: 'Land' })).toMatchObject({ pk: 'QX', name: 'Land', version: 2 })
    await expect(countries.put(made, { name: 'Other' })).rejects.toMatchObject({ code: 'precondition_failed' })
    const inTrash = async () => (await countries.find({ trash: 'only', where: { pk: 'QX' } })).items.map(({ pk }) => pk)
    await countries.remove('QX')
    expect(await inTrash()).toEqual(['QX'])
    await countries.restore('QX')
    expect([await inTrash(), (await countries.get('QX')).name]).toEqual([[], 'Land'])
    await countries.remove('QX')
    await countries.purge('QX')
    await expect(countries.restore('QX')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('the history of a record is read in pages, and a version restored', async () => {
    const countries = asAdmin().resource('countries')
    await countries.put('QY', { name: 'First' })
    await countries.update('QY', { name: 'Second' })
    const page = await countries.history('QY', { limit: 1 })
    const name = { field: 'name', before: 'First', after: 'Second' }
    const fields = expect.arrayContaining([name])
    expect(page.items).toMatchObject([{ version: 2, change: 'updated', by: { username: 'admin' }, fields }])
    const rest = await countries.history('QY', { after: page.next })
    expect(rest.items.map(({ change }) => change)).toEqual(['created'])
    await countries.restoreVersion('QY', 1)
    expect(await countries.get('QY')).toMatchObject({ name: 'First', version: 3 })
    await countries.remove('QY')
  })

  test('relations are followed and changed', async () => {
    const [one, other] = await client.books.createMany([{ title: fresh('one') }, { title: fresh('other') }])
    const pk = one?.pk ?? ''
    const copy = await client.copies.create({ pk: freshCopy(), book: pk })
    expect((await client.copies.related(copy.pk, 'book'))?.title).toBe(one?.title)
    expect(await client.books.related(pk, 'shelf')).toBeNull()
    expect((await client.books.relatedMany(pk, 'copies')).items.map(({ available }) => available)).toEqual([true])
    await client.books.link(pk, 'seeAlso', [ref('books', other?.pk ?? '')])
    expect((await client.books.relatedMany(pk, 'seeAlso', { fields: ['title'] })).items).toMatchObject([
      { title: other?.title },
    ])
    await client.books.unlink(pk, 'seeAlso', [ref('books', other?.pk ?? '')])
    expect((await client.books.relatedMany(pk, 'seeAlso')).total).toBe(0)
  })

  test('files are stored, with progress', async () => {
    const admin = asAdmin()
    const { pk } = await admin.resource('clientErrors').create({ message: 'with a file' })
    const progress: number[] = []
    const files = admin.files('clientErrors', pk)
    const text = 'a'.repeat(200_000)
    await files.upload(
      { log: new Blob([text], { type: 'text/plain' }) },
      { onProgress: ({ sent, total }) => progress.push(sent / total) },
    )
    expect(progress.at(-1)).toBe(1)
    await files.upload({ more: new Blob(['b'], { type: 'text/plain' }) })
    expect((await files.list()).map(({ name, size }) => [name, size])).toEqual([
      ['log', text.length],
      ['more', 1],
    ])
    const stored = await files.download('log')
    expect(await stored.text()).toBe(text)
  })

  test('endpoints are called by name and by route', async () => {
    expect((await client.endpoints.readCurrentUser()).username).toBe('staff')
    expect((await client.call('GET /api/auth/userDetails')).username).toBe('staff')
    expect(() => client.endpoints.returnLoan).toThrow(/unknown/)
  })
})

describe('on a bad line', () => {
  /** Fails before or after the service has done its work. */
  const breaking = (failures: number, when: 'before' | 'after'): typeof fetch => {
    let left = failures
    return async (...args) => {
      if (left === 0) return fetch(...args)
      left--
      if (when === 'after') await (await fetch(...args)).text()
      throw new TypeError('connection lost')
    }
  }

  test('what was carried out and not answered is not carried out twice', async () => {
    const title = fresh('once')
    const book = await clientOf('staff', breaking(2, 'after')).books.create({ title })
    expect((await client.books.find({ where: { title } })).items.map(({ pk }) => pk)).toEqual([book.pk])
  })

  testAll('reads are repeated, and changes without a key are not', async () => {
    const { pk } = await client.books.create({ title: fresh('line'), pages: 1 })
    expect((await clientOf('staff', breaking(3, 'before')).books.get(pk)).pages).toBe(1)
    const change = clientOf('staff', breaking(1, 'before')).books.update(pk, { pages: 2 })
    await expect(change).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
      message: 'The service cannot be reached.',
    })
  })

  testAll('Retry-After is respected, and a long one is left to the caller', async () => {
    const times: number[] = []
    const busy =
      (seconds: string): typeof fetch =>
      (...args) => {
        times.push(Date.now())
        if (times.length > 1) return fetch(...args)
        return Promise.resolve(new Response(null, { status: 503, headers: { 'Retry-After': seconds } }))
      }
    await clientOf('staff', busy('1')).books.find({ limit: 1 })
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)
    times.length = 0
    await expect(clientOf('staff', busy('3600')).books.find({ limit: 1 }).then()).rejects.toMatchObject({
      retryAfterSeconds: 3600,
    })
  })

  test('a request and the wait for the next attempt can be cancelled', async () => {
    const controller = new AbortController()
    const failing = clientOf('staff', () => {
      queueMicrotask(() => controller.abort(new Error('enough')))
      return Promise.resolve(new Response(null, { status: 503, headers: { 'Retry-After': '20' } }))
    })
    await expect(failing.books.find({ signal: controller.signal }).then()).rejects.toThrow('enough')
  })
})
