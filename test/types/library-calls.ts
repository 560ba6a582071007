// Calls of the client library, typed by the application of the tutorial. Checked by the compiler, never run.

import { createClient } from '@plinth/client'
import type { SchemaOf } from 'plinth'
import type app from '../../examples/library/plinth.config.ts'
import { same } from './same.ts'

const client = createClient<SchemaOf<typeof app>>({ url: 'https://library.example' })

/** Right calls, each with the exact type of its result. */
export const right = async (): Promise<void> => {
  const book = await client.books.get('1')
  same<string>().as(book.pk)
  same<string>().as(book.title)
  same<string | null>().as(book.isbn)
  same<number>().as(book.copies)
  same<string>().as(book.author.pk)
  same<string>().as(book.sortTitle)
  const author = await client.authors.get('1')
  same<string>().as(author.name)
  same<number | null>().as(author.born)
  same<number>().as(author.bookCount)
  const loan = await client.loans.get('1')
  same<string | null>().as(loan.due)
  same<string | null>().as(loan.returned)
  same<boolean>().as(loan.overdue)
  same<string>().as(loan.book.pk)
  same<string | undefined>().as(loan.borrower?.pk)
  const withAuthor = await client.books.get('1', { include: ['author'] })
  same<string>().as(withAuthor.author.name)
  same<number | null>().as(withAuthor.author.born)
  const deep = await client.loans.get('1', { include: ['book.author'] })
  same<string>().as(deep.book.title)
  same<string>().as(deep.book.author.name)
  const short = await client.books.get('1', { fields: ['title'] })
  same<string>().as(short.title)
  const books = await client.authors.get('1', { include: ['books'] })
  same<string | undefined>().as(books.books[0]?.title)
  const page = await client.books.find({ where: { title: { ilike: 'e*' } }, sort: 'title' })
  same<number | null>().as(page.total)
  same<string | null>().as(page.next)
  same<string | undefined>().as(page.items[0]?.title)
  same<number>().as(await client.loans.count({ where: { book: { author: { name: 'Austen' } } } }))
  same<typeof book | null>().as(await client.books.first({ sort: ['-copies', 'author.name'] }))
  await client.loans.find({ where: { or: [{ overdue: true }, { due: { lt: '2026-01-01' } }] } })
  await client.loans.find({ where: { not: { returned: null } }, limit: 5, sort: '-due' })
  same<typeof book>().as(await client.books.create({ title: 'Emma', author: '1' }))
  same<readonly (typeof book)[]>().as(await client.books.createMany([{ title: 'Emma', author: '1' }]))
  same<typeof book>().as(await client.books.update('1', { copies: 2, isbn: null }))
  same<void>().as(await client.books.remove('1'))
  same<typeof loan>().as(await client.loans.create({ book: '1' }))
  for await (const one of client.books.find({ fields: ['copies'] })) same<number>().as(one.copies)
  same<string>().as((await client.users.get('1')).username)
  same<string | undefined>().as((await client.countries.first())?.pk)
}

/** Wrong calls, none of which compiles. */
export const wrong = async (): Promise<void> => {
  // @ts-expect-error: no such resource
  await client.bookz.find()
  const book = await client.books.get('1')
  // @ts-expect-error: no such field
  book.titel
  // @ts-expect-error: a text, not a number
  book.title.toFixed()
  // @ts-expect-error: may be null
  book.isbn.length
  // @ts-expect-error: the author is there in short form only
  book.author.born
  // @ts-expect-error: related records are there with include only
  ;(await client.authors.get('1')).books[0]
  // @ts-expect-error: fields are read-only
  book.title = 'Emma'
  // @ts-expect-error: a pk is a text
  await client.books.get(1)
  const short = await client.books.get('1', { fields: ['title'] })
  // @ts-expect-error: not among the fields of the request
  short.copies
  // @ts-expect-error: a misspelt field
  await client.books.get('1', { fields: ['titel'] })
  // @ts-expect-error: a field that is not a relation
  await client.books.get('1', { include: ['title'] })
  // @ts-expect-error: a misspelt relation
  await client.loans.get('1', { include: ['bok'] })
  // @ts-expect-error: a misspelt relation at the end of a path
  await client.loans.get('1', { include: ['book.autor'] })
  // @ts-expect-error: a misspelt field in a condition
  await client.books.find({ where: { titel: 'Emma' } })
  // @ts-expect-error: a value of another type
  await client.books.find({ where: { copies: '1' } })
  // @ts-expect-error: an unknown comparison
  await client.books.find({ where: { copies: { above: 1 } } })
  // @ts-expect-error: a comparison that numbers do not have
  await client.books.find({ where: { copies: { like: '1*' } } })
  // @ts-expect-error: a misspelt field of a relation
  await client.books.find({ where: { author: { nmae: 'Austen' } } })
  // @ts-expect-error: a misspelt field at the end of a path
  await client.loans.find({ where: { book: { author: { nmae: 'Austen' } } } })
  // @ts-expect-error: or takes a list
  await client.books.find({ where: { or: { copies: 1 } } })
  // @ts-expect-error: a misspelt sort
  await client.books.find({ sort: 'titel' })
  // @ts-expect-error: a misspelt sort along a relation
  await client.books.find({ sort: 'author.nmae' })
  // @ts-expect-error: many records have no order
  await client.authors.find({ sort: 'books.title' })
  // @ts-expect-error: a limit is a number
  await client.books.find({ limit: '10' })
  // @ts-expect-error: an unknown option
  await client.books.find({ wher: {} })
  // @ts-expect-error: required fields are missing
  await client.books.create({})
  // @ts-expect-error: a required reference is missing
  await client.books.create({ title: 'Emma' })
  // @ts-expect-error: required and never null
  await client.books.create({ title: null, author: '1' })
  // @ts-expect-error: set by the service
  await client.loans.create({ book: '1', due: '2026-01-01' })
  // @ts-expect-error: computed
  await client.books.update('1', { sortTitle: 'Emma' })
  // @ts-expect-error: a misspelt field
  await client.books.update('1', { titel: 'Emma' })
  // @ts-expect-error: a number
  await client.books.update('1', { copies: 'two' })
  // @ts-expect-error: a list
  await client.books.createMany({ title: 'Emma', author: '1' })
  // @ts-expect-error: a count of records is not a field to write
  await client.authors.create({ name: 'Austen', bookCount: 1 })
}
