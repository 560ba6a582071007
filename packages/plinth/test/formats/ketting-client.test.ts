// Ketting, a hypermedia client that others wrote, at work on the service: it finds its way by links alone.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, startLibrary } from '@plinth/test-kit/library'
import type { DemoUser, TestService } from '@plinth/test-kit/service'
import { basicAuth, type HalState, Ketting, Problem, type Resource } from 'ketting'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const problemOf = async (response: Promise<unknown>): Promise<Problem> => {
  const outcome = await response.catch((error: unknown) => error)
  if (!(outcome instanceof Problem)) throw new Error(`no problem: ${String(outcome)}`)
  return outcome
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startLibrary(database)
  })
  afterAll(() => service?.stop())

  const kettingOf = (user: DemoUser): Ketting => {
    const ketting = new Ketting(`${service.url}/api/rest/`)
    ketting.use(basicAuth(user, user))
    return ketting
  }

  /** Creates by following the address that the answer gives. */
  const made = (ketting: Ketting, collection: string, data: object): Promise<Resource> =>
    ketting.go(collection).postFollow({ data })

  test('it follows the address of what it created', async () => {
    const shelf = await made(kettingOf('staff'), 'shelves', { name: 'Top' })
    const state = await shelf.get()
    expect(state.data).toMatchObject({ name: 'Top', version: 1 })
    expect([shelf.uri, state.links.get('self')?.href]).toEqual([shelf.uri, shelf.uri])
    expect(state.headers.get('content-type')).toBe('application/hal+json')
  })

  test('it goes from record to record by their links', async () => {
    const ketting = kettingOf('staff')
    const room = await made(ketting, 'shelves', { name: 'Room' })
    const { data } = await room.get()
    const shelf = await made(ketting, 'shelves', { name: 'Shelf', parent: data.pk })
    expect((await (await shelf.follow('parent')).get()).data.pk).toBe(data.pk)
    const [child] = await (await room.follow('children')).followAll('shelves')
    expect([child?.uri, (await child?.get())?.data.name]).toEqual([shelf.uri, 'Shelf'])
  })

  test('a relation that leads nowhere has no link to follow', async () => {
    const { links } = await (await made(kettingOf('staff'), 'shelves', { name: 'Alone' })).get()
    expect([links.has('parent'), links.has('children')]).toEqual([false, true])
    for (const { href } of links.getAll()) expect(typeof href).toBe('string')
  })

  test('the records of a page are there without being asked for again', async () => {
    const ketting = kettingOf('staff')
    const word = fresh('ketting')
    for (const name of ['A', 'B', 'C']) await made(ketting, 'shelves', { name: `${word} ${name}` })
    ketting.clearCache()
    const urls: string[] = []
    ketting.use((request, next) => {
      urls.push(request.url)
      return next(request)
    })
    const namesOn = async (page: Resource): Promise<string[]> => {
      const records = await (await page.get()).followAll('shelves')
      return Promise.all(records.map(async record => (await record.get()).data.name.slice(word.length + 1)))
    }
    const first = ketting.go(`shelves?filter=name==${word}*&sort=name&_ps=2`)
    expect(await namesOn(first)).toEqual(['A', 'B'])
    expect(urls).toEqual([first.uri])
    const second = await first.follow('next')
    expect(await namesOn(second)).toEqual(['C'])
    expect((await second.get()).links.has('next')).toBe(false)
    expect(urls).toHaveLength(2)
  })

  test('included records are embedded, one or many, and known by their own addresses', async () => {
    const ketting = kettingOf('staff')
    const shelf = await made(ketting, 'shelves', { name: 'Held' })
    const book = await made(ketting, 'books', { title: 'Held too', shelf: (await shelf.get()).data.pk })
    ketting.clearCache()
    const state = (await ketting.go(`${book.uri}?include=shelf,copies`).get()) as HalState
    expect(state.data).toMatchObject({ title: 'Held too', shelf: { name: 'Held' } })
    expect(state.getEmbedded().map(one => one.uri)).toEqual([shelf.uri])
    expect(shelf.getCache()?.data).toMatchObject({ name: 'Held' })
  })

  test('it changes a part of a record, and the whole as it read it', async () => {
    const book = await made(kettingOf('staff'), 'books', { title: 'First', pages: 3 })
    const patched = await book.patch({ data: { pages: 4 } })
    expect(patched?.data).toMatchObject({ title: 'First', pages: 4, version: 2 })
    expect(await book.patch({ data: { pages: 4 } })).toBeUndefined()

    const state = await book.refresh()
    state.data.title = 'Second'
    // Given the state itself, it would send back `Keep-Alive` too, which Node does not let pass.
    const serializeBody = () => state.serializeBody()
    await book.put({ serializeBody, getContentHeaders: () => state.contentHeaders() })
    expect((await book.refresh()).data).toMatchObject({ title: 'Second', pages: 4, version: 3 })
  })

  test('a change of another user since the read is not overwritten', async () => {
    const book = await made(kettingOf('staff'), 'books', { title: 'Ours' })
    const state = await book.get()
    await service.as('staff').patch(new URL(book.uri).pathname, { title: 'Theirs' })
    const headers = { 'If-Match': state.headers.get('etag') ?? '' }
    const problem = await problemOf(book.patch({ data: { title: 'Mine' }, headers }))
    expect([problem.status, problem.body.code]).toEqual([412, 'precondition_failed'])
    expect((await book.refresh()).data.title).toBe('Theirs')
  })

  test('it deletes, and what is gone stays gone', async () => {
    const book = await made(kettingOf('staff'), 'books', { title: 'Gone' })
    await book.delete()
    await expect(book.refresh()).rejects.toMatchObject({ status: 404 })
  })

  test('it looks at the headers alone', async () => {
    const book = await made(kettingOf('staff'), 'books', { title: 'Seen' })
    const head = await book.head()
    expect(head.headers.get('etag')).toBe((await book.get()).headers.get('etag'))
  })

  test('a refusal is a problem with its code and every fault', async () => {
    const problem = await problemOf(
      kettingOf('staff')
        .go('books')
        .post({ data: { pages: 'many' } }),
    )
    expect([problem.status, problem.body.status, problem.body.code]).toEqual([400, 400, 'invalid'])
    expect(problem.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual(['/pages', '/title'])
    const refused = made(kettingOf('simple'), 'shelves', { name: 'x' })
    await expect(refused).rejects.toMatchObject({ status: 403 })
  })
})
