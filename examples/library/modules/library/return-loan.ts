import { defineEndpoint } from 'plinth'
import { books } from './books.ts'
import { loans } from './loans.ts'
import { libraryProblem } from './problems.ts'

export const returnLoan = defineEndpoint({
  method: 'POST',
  path: '/api/rest/loans/{pk}/return',
  id: 'returnLoan',
  summary: 'Return a book',
  params: { pk: 'The loan.' },
  access: "caller.has('ROLE_STAFF')",
  button: {
    title: { en: 'Return', de: 'Zurückgeben' },
    confirm: { en: 'Is the book back?', de: 'Ist das Buch zurück?' },
  },
  answers: { 200: loans },
  problems: [404, 409],
  run: ({ params, records, now }) =>
    records.transaction(async transaction => {
      const loan = await transaction.get(loans, params.pk)
      const locked = await transaction.asService.lock(loans, loan.pk)
      if (!locked || locked.returned !== null) throw libraryProblem('returned')
      const book = await transaction.asService.lock(books, loan.book.pk)
      if (book) await transaction.asService.update(books, book.pk, { copies: book.copies + 1 })
      return transaction.asService.update(loans, loan.pk, { returned: now.toISOString(), overdue: false })
    }),
})
