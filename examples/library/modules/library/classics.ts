// A few books for demo mode.

import type { Seed } from 'plinth'
import { authors } from './authors.ts'
import { books } from './books.ts'

export const classics: Seed = {
  name: 'library.classics',
  demo: true,
  run: async ({ records }) => {
    const woolf = await records.create(authors, { name: 'Virginia Woolf', born: 1882 })
    const austen = await records.create(authors, { name: 'Jane Austen', born: 1775 })
    await records.create(books, { title: 'The Waves', isbn: '978-0156949606', author: woolf.pk, copies: 1 })
    await records.create(books, { title: 'Emma', isbn: '978-0141439587', author: austen.pk, copies: 3 })
  },
}
