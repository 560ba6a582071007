// Loans. A hook takes the copy from the shelf and sets the date by which the book must be returned.

import { boolean, date, defineResource, ref, timestamp } from 'plinth'
import { books } from './books.ts'
import { libraryProblem } from './problems.ts'
import { librarySettings } from './settings.ts'

const dayMs = 24 * 3600_000

export const loans = defineResource('loans', {
  title: { de: 'Ausleihen' },
  singularTitle: { de: 'Ausleihe' },
  about: { en: 'Who has which book, and until when.', de: 'Wer welches Buch hat, und bis wann.' },
  fields: {
    book: ref(books, { required: true, fixed: true, title: { de: 'Buch' } }),
    borrower: ref('users', { serverOwned: true, title: { de: 'Entliehen von' } }),
    due: date({ serverOwned: true, indexed: true, title: { de: 'Fällig am' } }),
    returned: timestamp({ serverOwned: true, title: { de: 'Zurückgegeben am' } }),
    overdue: boolean({ serverOwned: true, default: false, title: { de: 'Überfällig' } }),
  },
  access: {
    read: "record.borrower == caller.pk || caller.has('ROLE_STAFF')",
    create: 'caller.signedIn',
    write: 'false',
  },
  hooks: {
    beforeCreate: async ({ values, caller, records, settings, now }) => {
      const book = await records.asService.lock(books, values.book)
      // A book that does not exist is refused by the reference itself.
      if (!book) return
      if (book.copies === 0) throw libraryProblem('no_copies', `All copies of “${book.title}” are on loan.`)
      await records.asService.update(books, book.pk, { copies: book.copies - 1 })
      values.borrower = caller.pk
      values.due = new Date(now.getTime() + settings(librarySettings).loanDays * dayMs).toISOString().slice(0, 10)
    },
  },
})
