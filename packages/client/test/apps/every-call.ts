// Every kind of call once, for each runtime that the client supports. Returns what it saw, so that one test can compare all of them.

import {
  createClient,
  isProblem,
  type LiveChange,
  type LiveOptions,
  noRecord,
  noRecords,
  ref,
} from '../../src/index.ts'
import type { LibrarySchema } from '../library-schema.ts'

export interface EveryCallOptions {
  readonly url: string
  readonly session: 'cookies' | 'tokens'
  readonly transport: 'websocket' | 'events'
  /** Distinguishes the records of this run. */
  readonly word: string
}

/** What Node 22 has, unlike browsers: a `WebSocket` that takes headers. */
type SocketWithHeaders = new (address: string, options: object) => unknown

const liveOptions = ({ session, transport }: EveryCallOptions): LiveOptions => {
  if (session === 'cookies' || transport === 'events') return { transport }
  const { WebSocket } = globalThis as unknown as { readonly WebSocket: SocketWithHeaders }
  return { createSocket: (address, protocols, headers) => new WebSocket(address, { protocols, headers }) }
}

const codeOf = (call: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(call).then(
    () => 'no problem',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

/** The value that a callback is given first. */
const once = <T>(start: (done: (value: T) => void) => void): Promise<T> => new Promise(start)

export const makeEveryCall = async (options: EveryCallOptions): Promise<Readonly<Record<string, unknown>>> => {
  const { url, session, word } = options
  const client = createClient<LibrarySchema>({
    url,
    session,
    live: liveOptions(options),
    endpoints: { readCurrentUser: 'GET /api/auth/userDetails' },
  })
  const seen: Record<string, unknown> = {}
  seen.guest = await client.session.load()
  seen.wrongPassword = await codeOf(client.session.signIn({ username: 'staff', password: 'wrong' }))
  seen.user = (await client.session.signIn({ username: 'staff', password: 'staff' })).username

  const author = await client.authors.create({ name: `${word} Le Guin` })
  const shelf = await client.shelves.create({ name: `${word} attic` })
  const book = await client.books.create({ title: `${word} Always`, pages: 523, shelf: shelf.pk, authors: [author.pk] })
  const changed = await client.books.update(book, { pages: 524, tags: ['new'] })
  seen.changed = [changed.pages, changed.tags]
  seen.stale = await codeOf(client.books.update(book, { pages: 1 }))
  seen.invalid = await codeOf(client.books.create({ title: '' }))
  seen.missing = await codeOf(client.books.get('00000000-0000-7000-8000-00000000ffff'))
  seen.bulk = (await client.books.createMany([{ title: `${word} Rocannon` }, { title: `${word} Earthsea` }])).length

  const where = { title: { like: `${word}*` } }
  const found = await client.books.find({ where, sort: '-title', include: ['shelf'], total: 'exact', limit: 2 })
  seen.found = [found.total, found.items.map(({ title }) => title.slice(word.length + 1)), found.next !== null]
  const iterated: (string | undefined)[] = []
  for await (const { authors } of client.books.find({ where, sort: 'title', limit: 1 })) iterated.push(authors[0]?.name)
  seen.iterated = iterated.map(name => name?.slice(word.length + 1))
  seen.included = (await client.books.get(book.pk, { include: ['shelf'] })).shelf?.path.slice(word.length + 1)
  seen.chosen = Object.keys(await client.books.get(book.pk, { fields: ['pages'] }))
  seen.count = await client.books.count({ where: { authors: { name: author.name } } })
  seen.both = (await client.books.getMany([book.pk, found.items[0]?.pk ?? ''])).map(({ pk }) => pk === book.pk)

  const results = await client.atomic(operations => {
    const other = operations.create('authors', { name: `${word} Woolf` })
    operations.update('books', book.pk, { authors: [other], shelf: noRecord })
  })
  seen.atomic = results.map(result => result?.resource)
  seen.invalidOperation = await client
    .atomic(operations => operations.update('books', book.pk, { pages: -1 }))
    .catch((error: unknown) => isProblem(error, 'invalid') && error.faults.map(({ member: field }) => field))
  seen.related = [
    await client.books.related(book.pk, 'shelf'),
    (await client.books.relatedMany(book.pk, 'authors')).items[0]?.name.slice(word.length + 1),
  ]
  await client.books.link(book.pk, 'seeAlso', [ref('books', found.items[0]?.pk ?? '')])
  seen.linked = (await client.books.relatedMany(book.pk, 'seeAlso')).total
  await client.atomic(operations => operations.update('books', book.pk, { authors: noRecords }))
  seen.unlinked = (await client.books.get(book.pk)).authors
  seen.endpoint = [
    (await client.endpoints.readCurrentUser()).username,
    (await client.call('GET /api/auth/userDetails')).username,
  ]

  const admin = createClient({
    url,
    session: 'tokens',
    headers: () => ({ Authorization: `Basic ${btoa('admin:admin')}` }),
  })
  const { pk } = await admin.resource('clientErrors').create({ message: 'with a file' })
  let progress = 0
  const log = new Blob(['a'.repeat(100_000)], { type: 'text/plain' })
  const files = admin.files('clientErrors', pk)
  await files.upload({ log }, { onProgress: ({ sent, total }) => (progress = sent / total) })
  const [stored] = await files.list()
  const content = await files.download('log')
  seen.file = [progress, stored?.name, stored?.size, content.size, await codeOf(files.download('other'))]

  const cancelled = new AbortController()
  cancelled.abort(new Error('cancelled'))
  seen.cancelled = await codeOf(client.books.find({ signal: cancelled.signal }))

  let heard: (change: LiveChange<{ readonly title: string }>) => void = () => {}
  const change = once<LiveChange<{ readonly title: string }>>(done => {
    heard = done
  })
  await once<void>(done => client.books.subscribe({ onChange: heard, onReload: done }))
  const listed = once<number>(done =>
    client.books.liveQuery(
      { where: { title: `${word} live` } },
      { onResult: ({ items }) => items.length > 0 && done(items.length) },
    ),
  )
  await client.books.create({ title: `${word} live` })
  seen.liveQuery = await listed
  seen.change = await change.then(({ type, record }) => [type, record?.title.slice(word.length + 1)])
  seen.state = client.live.state()
  await client.live.close()

  seen.refreshed = await client.session.refresh()
  seen.loaded = (await client.session.load())?.username
  await client.session.signOut()
  seen.afterwards = [await client.session.load(), await codeOf(client.books.create({ title: 'No' }))]
  return seen
}
