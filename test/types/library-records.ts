// Records in code of an application, typed by its definitions. Checked by the compiler, never run.

import type { Records, Row } from 'plinth'
import { authors } from '../../examples/library/modules/library/authors.ts'
import { books } from '../../examples/library/modules/library/books.ts'
import { loans } from '../../examples/library/modules/library/loans.ts'
import { same } from './same.ts'

/** Right uses, each with the exact type of its result. */
export const right = async (records: Records): Promise<void> => {
  const book = await records.first(books, { where: { title: 'Emma' } })
  same<Row<typeof books> | null>().as(book)
  same<string | undefined>().as(book?.title)
  same<number | undefined>().as(book?.copies)
  same<string | null | undefined>().as(book?.isbn)
  same<string | undefined>().as(book?.author.pk)
  same<string | undefined>().as((await records.find(authors))[0]?.name)
  same<number | null | undefined>().as((await records.find(authors, { sort: '-born', limit: 3 }))[0]?.born)
  same<string | null | undefined>().as((await records.first(loans))?.due)
  same<boolean | undefined>().as((await records.first(loans))?.overdue)
  same<string | undefined>().as((await records.first(loans))?.borrower?.pk)
  same<number>().as(await records.count(loans, { where: { overdue: true } }))
  same<number>().as(await records.count(loans, { where: { book: { title: { like: 'E*' } } } }))
  same<number>().as(await records.count(books, { where: { author: { name: { ilike: 'a*' } } } }))
  const joined = await records.first(books, { include: ['author'] })
  same<string | undefined>().as(joined?.author.name)
  await records.find(loans, { where: { or: [{ overdue: true }, { returned: null }] }, sort: 'due' })
  await records.find(books, { where: { copies: { gt: 0, le: 5 } }, sort: ['title', '-copies'] })
  for await (const batch of records.stream(books)) same<string | undefined>().as(batch[0]?.title)
}

/** Wrong uses, none of which compiles. */
export const wrong = async (records: Records): Promise<void> => {
  // @ts-expect-error: a misspelt field in a condition
  await records.first(books, { where: { titel: 'Emma' } })
  // @ts-expect-error: conditions stand in where
  await records.first(books, { title: 'Emma' })
  // @ts-expect-error: a value of another type
  await records.find(books, { where: { copies: 'one' } })
  // @ts-expect-error: an unknown comparison
  await records.find(books, { where: { copies: { above: 1 } } })
  // @ts-expect-error: a misspelt field along a relation
  await records.find(loans, { where: { book: { titel: 'Emma' } } })
  // @ts-expect-error: a misspelt field at the end of a path
  await records.find(loans, { where: { book: { author: { nmae: 'Austen' } } } })
  // @ts-expect-error: a misspelt sort
  await records.find(books, { sort: 'titel' })
  // @ts-expect-error: a misspelt relation
  await records.find(books, { include: ['autor'] })
  // @ts-expect-error: a field that is not a relation
  await records.find(books, { include: ['title'] })
  // @ts-expect-error: a limit is a number
  await records.find(books, { limit: '3' })
  // @ts-expect-error: an unknown option
  await records.find(books, { size: 3 })
  // @ts-expect-error: required fields are missing
  await records.create(books, {})
  // @ts-expect-error: a required reference is missing
  await records.create(books, { title: 'Emma' })
  // @ts-expect-error: a misspelt field
  await records.create(authors, { nmae: 'Austen' })
  // @ts-expect-error: a value of another type
  await records.create(authors, { name: 'Austen', born: '1775' })
  // @ts-expect-error: required and never null
  await records.update(authors, '1', { name: null })
  // @ts-expect-error: a misspelt field
  await records.update(books, '1', { titel: 'Emma' })
  // @ts-expect-error: the definition, not its name
  await records.find('books')
  // @ts-expect-error: a promise is no list
  records.find(books).length
  // @ts-expect-error: may be null
  ;(await records.first(books)).title
}
