// The module: everything that the library adds to the service.

import { defineModule } from 'plinth'
import { authors } from './authors.ts'
import { books } from './books.ts'
import { classics } from './classics.ts'
import { loans } from './loans.ts'
import { markOverdue } from './mark-overdue.ts'
import { libraryProblem } from './problems.ts'
import { returnLoan } from './return-loan.ts'
import { librarySettings } from './settings.ts'

export const library = defineModule({
  name: 'library',
  about: { en: 'Books, authors and loans.', de: 'Bücher, Autoren und Ausleihen.' },
  settings: [librarySettings],
  problems: libraryProblem.table,
  resources: [authors, books, loans],
  endpoints: [returnLoan],
  jobs: [markOverdue],
  seeds: [classics],
  web: './web/index.tsx',
})
