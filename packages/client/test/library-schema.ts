// The types of a small library, in the form that `plinth types` writes.

export interface LibrarySchema {
  resources: {
    authors: {
      values: { pk: string; name: string; known: boolean; born: string | null; bookCount: number; version: number }
      label: 'name'
      one: object
      lists: object
      many: { books: 'books' }
      create: { name: string; known?: boolean; born?: string | null }
    }
    shelves: {
      values: { pk: string; name: string; path: string; version: number }
      label: 'name'
      one: { parent: 'shelves' | null }
      lists: object
      many: { books: 'books'; children: 'shelves' }
      create: { name: string; parent?: string | null }
    }
    books: {
      values: {
        pk: string
        title: string
        pages: number | null
        binding: 'hardcover' | 'paperback' | 'e-book'
        inPrint: boolean
        tags: readonly string[] | null
        notes: Readonly<Record<string, string>> | null
        remark?: string | null
        version: number
      }
      label: 'title'
      one: { shelf: 'shelves' | null }
      lists: { authors: 'authors' }
      many: { seeAlso: 'books'; copies: 'copies' }
      create: {
        title: string
        pages?: number | null
        binding?: 'hardcover' | 'paperback' | 'e-book'
        tags?: readonly string[] | null
        shelf?: string | null
        authors?: readonly string[]
        seeAlso?: readonly string[]
      }
    }
    copies: {
      values: { pk: string; available: boolean; shelfMark: string | null; version: number }
      label: never
      one: { book: 'books' }
      lists: object
      many: object
      create: { pk: string; book: string; available?: boolean; shelfMark?: string | null }
    }
  }
  endpoints: {
    readCurrentUser: {
      route: 'GET /api/auth/userDetails'
      params: object
      query: object
      body: undefined
      answer: { pk: string; username: string }
    }
    returnLoan: {
      route: 'POST /api/rest/loans/{pk}/return'
      params: { pk: string }
      query: { notify?: boolean }
      body: { condition: 'good' | 'damaged' }
      answer: { fee: number }
    }
  }
}
