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
    records.transaction(async inside => {
      const loan = await inside.get(loans, params.pk)
      const locked = await inside.asService.lock(loans, loan.pk)
      if (!locked || locked.returned !== null) throw libraryProblem('returned')
      const book = await inside.asService.lock(books, loan.book.pk)
      if (book) await inside.asService.update(books, book.pk, { copies: book.copies + 1 })
      return inside.asService.update(loans, loan.pk, { returned: now.toISOString(), overdue: false })
    }),
})
