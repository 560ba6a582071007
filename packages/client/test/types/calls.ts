// What compiles and what does not: checked by the compiler, never run.

import {
  type AtomicResult,
  createClient,
  isProblem,
  noRecord,
  noRecords,
  type RecordLink,
  ref,
} from '../../src/index.ts'
import type { LibrarySchema } from '../library-schema.ts'

const client = createClient<LibrarySchema>({ url: 'https://library.example' })

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles if both types are the same. */
const same = <Expected>() => ({
  as: <Actual>(_: Actual, ..._same: Equal<Expected, Actual> extends true ? [] : [never]) => {},
})

type Links = readonly RecordLink[]

interface AuthorInShort {
  readonly pk: string
  readonly name?: string
}

interface ShelfInShort {
  readonly pk: string
  readonly name?: string
}

/** Right uses, each with the exact type of its result. */
export const right = async (): Promise<void> => {
  const book = await client.books.get('1')
  same<string>().as(book.pk)
  same<string>().as(book.title)
  same<number | null>().as(book.pages)
  same<'hardcover' | 'paperback' | 'e-book'>().as(book.binding)
  same<readonly string[] | null>().as(book.tags)
  same<Readonly<Record<string, string>> | null>().as(book.notes)
  same<string | null | undefined>().as(book.remark)
  same<Links>().as(book.links)
  same<string | undefined>().as(book.authors[0]?.name)
  same<string | undefined>().as(book.shelf?.name)
  const short: AuthorInShort | undefined = book.authors[0]
  const shelf: ShelfInShort | null = book.shelf
  same<AuthorInShort | undefined>().as(short)
  same<ShelfInShort | null>().as(shelf)

  const titled = await client.books.get('1', { fields: ['title', 'pages'] })
  same<{ readonly pk: string; readonly title: string; readonly pages: number | null; readonly links: Links }>().as(
    titled,
  )
  const hidden = await client.books.get('1', { fields: ['remark'] })
  same<{ readonly pk: string; readonly remark?: string | null; readonly links: Links }>().as(hidden)
  const withShelf = await client.books.get('1', { include: ['shelf'] })
  same<string | undefined>().as(withShelf.shelf?.path)
  const deep = await client.copies.get('1', { include: ['book.shelf.parent'] })
  same<string>().as(deep.book.title)
  same<string | undefined>().as(deep.book.shelf?.parent?.path)
  const many = await client.authors.get('1', { include: ['books', 'books.copies'] })
  same<boolean | undefined>().as(many.books[0]?.copies[0]?.available)
  const both = await client.books.get('1', { fields: ['shelf'], include: ['shelf'] })
  same<string | undefined>().as(both.shelf?.path)

  const page = await client.books.find({ where: { title: 'A' } })
  same<number | null>().as(page.total)
  same<string | null>().as(page.next)
  same<typeof book>().as((await client.books.find()).items[0] ?? book)
  for await (const one of client.books.find({ sort: '-pages', fields: ['pages'] })) same<number | null>().as(one.pages)
  same<number>().as(await client.books.count({ where: { authors: { name: { like: 'U*' } } } }))
  same<typeof book | null>().as(await client.books.first({ sort: ['binding', '-shelf.name'] }))
  await client.books.find({ where: { or: [{ pages: { gt: 1, lt: 5 } }, { shelf: null }] } })
  await client.books.find({ where: { not: { shelf: { parent: { name: { isNull: true } } } }, shelf: { in: ['s1'] } } })
  await client.books.find({ sort: '-shelf.parent.name', offset: 10, limit: 5 })
  await client.books.find({ where: { tags: 'space', binding: { in: ['e-book'] } } })
  await client.books.find({ where: { copies: { available: true }, shelf: { parent: { name: 'House' } } } })
  await client.books.find({ where: { inPrint: { ne: null } }, total: 'none', limit: 50, after: page.next })

  same<typeof book>().as(await client.books.create({ title: 'New', shelf: 's1', authors: ['a1'] }))
  same<readonly (typeof book)[]>().as(await client.books.createMany([{ title: 'One' }, { title: 'Two' }]))
  same<typeof book>().as(await client.books.update(book, { pages: null, binding: 'e-book' }))
  same<typeof book>().as(await client.books.update('1', { title: 'Other' }, { ifMatch: '"3"' }))
  same<void>().as(await client.books.remove(book))
  same<boolean>().as((await client.books.getMany(['1', '2']))[0]?.inPrint ?? true)

  const related = await client.copies.related('c1', 'book')
  same<typeof book | null>().as(related)
  same<boolean | undefined>().as((await client.books.relatedMany('1', 'copies')).items[0]?.available)
  same<void>().as(await client.books.link('1', 'authors', [ref('authors', 'a1')]))
  same<readonly (AtomicResult | null)[]>().as(
    await client.atomic(operations => {
      const author = operations.create('authors', { name: 'New' })
      const made = operations.create('books', { title: 'New', authors: [author, ref('authors', 'a2')] })
      operations.update('books', made, { pages: 3, shelf: noRecord })
      operations.update('books', 'b2', { authors: noRecords })
      operations.remove('copies', 'c1')
    }),
  )

  same<number>().as((await client.endpoints.returnLoan({ params: { pk: '1' }, body: { condition: 'good' } })).fee)
  same<string>().as((await client.endpoints.readCurrentUser()).username)
  same<number>().as(
    (await client.call('POST /api/rest/loans/{pk}/return', { params: { pk: '1' }, body: { condition: 'good' } })).fee,
  )
  same<typeof client.books>().as(client.resource('books'))
  same<string | undefined>().as(client.session.user?.username)
  const error: unknown = book
  if (isProblem(error, 'stale', 'module_code')) same<number>().as(error.status)

  const untyped = createClient()
  const anything = await untyped.resource('anything').get('1')
  same<unknown>().as(anything.field)
}

/** Wrong uses, none of which compiles. */
export const wrong = async (): Promise<void> => {
  // Resources and fields
  // @ts-expect-error
  await client.bookz.find()
  // @ts-expect-error
  client.resource('bookz')
  const book = await client.books.get('1')
  // @ts-expect-error
  book.titel
  // @ts-expect-error
  book.title.toFixed()
  // @ts-expect-error
  book.pages.toFixed()
  // @ts-expect-error
  book.shelf.pk
  // @ts-expect-error
  book.shelf?.path
  // @ts-expect-error
  book.copies
  // @ts-expect-error
  book.title = 'other'
  // @ts-expect-error
  book.binding === 'scroll'
  // @ts-expect-error
  await client.books.get(1)
  // Fields and include
  const titled = await client.books.get('1', { fields: ['title'] })
  // @ts-expect-error
  titled.pages
  // @ts-expect-error
  await client.books.get('1', { fields: ['titel'] })
  // @ts-expect-error
  await client.books.get('1', { include: ['title'] })
  // @ts-expect-error
  await client.books.get('1', { include: ['shelf.authors'] })
  const included = await client.books.get('1', { include: ['shelf'] })
  // @ts-expect-error
  included.shelf?.parent?.path
  // @ts-expect-error
  included.authors[0]?.born
  // Conditions
  // @ts-expect-error
  await client.books.find({ where: { titel: 'A' } })
  // @ts-expect-error
  await client.books.find({ where: { pages: '12' } })
  // @ts-expect-error
  await client.books.find({ where: { pages: { gt: 'a' } } })
  // @ts-expect-error
  await client.books.find({ where: { pages: { like: '1*' } } })
  // @ts-expect-error
  await client.books.find({ where: { pages: { above: 1 } } })
  // @ts-expect-error
  await client.books.find({ where: { binding: 'scroll' } })
  // @ts-expect-error
  await client.books.find({ where: { binding: { in: 'hardcover' } } })
  // @ts-expect-error
  await client.books.find({ where: { notes: 'a' } })
  // @ts-expect-error
  await client.books.find({ where: { shelf: { title: 'A' } } })
  // @ts-expect-error
  await client.books.find({ where: { or: { pages: 1 } } })
  // Sorting and paging
  // @ts-expect-error
  await client.books.find({ sort: 'titel' })
  // @ts-expect-error
  await client.books.find({ sort: '+title' })
  // @ts-expect-error
  await client.books.find({ sort: 'authors.name' })
  // @ts-expect-error
  await client.books.find({ limit: '10' })
  // @ts-expect-error
  await client.books.find({ sort: 'shelf.parent.nmae' })
  // @ts-expect-error
  await client.books.find({ where: { not: { titel: 'A' } } })
  // @ts-expect-error
  await client.books.find({ total: 'all' })
  // @ts-expect-error
  await client.books.find({ wher: { title: 'A' } })
  // Writing
  // @ts-expect-error
  await client.books.create({})
  // @ts-expect-error
  await client.books.create({ title: 'A', version: 3 })
  // @ts-expect-error
  await client.books.create({ title: null })
  // @ts-expect-error
  await client.copies.create({ pk: 'C-1' })
  // @ts-expect-error
  await client.books.update('1', { titel: 'A' })
  // @ts-expect-error
  await client.books.update('1', { title: null })
  // @ts-expect-error
  await client.books.update({ title: 'A' })
  // @ts-expect-error
  await client.books.createMany({ title: 'A' })
  // Relations, operations, endpoints
  // @ts-expect-error
  await client.copies.related('1', 'available')
  // @ts-expect-error
  await client.books.relatedMany('1', 'shelf')
  // @ts-expect-error
  await client.books.link('1', 'authors', [ref('books', '1')])
  // @ts-expect-error
  await client.atomic(operations => operations.create('books', { title: 'A', authors: ['a1'] }))
  // @ts-expect-error
  await client.atomic(operations => operations.update('books', 'b1', { authors: [] }))
  // @ts-expect-error
  await client.atomic(operations => operations.update('books', 'b1', { shelf: null }))
  // @ts-expect-error
  await client.atomic(operations => operations.update('copies', 'c1', { book: noRecord }))
  // @ts-expect-error
  await client.endpoints.returnLoan()
  // @ts-expect-error
  await client.endpoints.returnLoan({ params: { pk: '1' }, body: { condition: 'lost' } })
  // @ts-expect-error
  await client.call('POST /api/rest/loans/{pk}/give')
  // @ts-expect-error
  await client.session.signIn({ username: 'ada' })
}
