// What a template says, before it becomes HTML and text.

export interface Message {
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** The one thing to do, if any. */
  readonly action?: { readonly label: string; readonly href: string }
  /** Small print below. */
  readonly note: string
}

/** One template in every language that it speaks; English always. */
export type Template<Content> = {
  readonly [locale in Locale]: (content: Content, pages: Pages) => Message
}

export const locales = ['en', 'de'] as const
export type Locale = (typeof locales)[number]

/** Addresses of the client's pages. */
export interface Pages {
  (page: string, query?: Readonly<Record<string, string>>): string
  /** For a page that opens the account. The token is behind `#`: browsers send it to no server, so no log can hold it. */
  withToken(page: string, account: Account): string
}

export interface Account {
  readonly name: string
  readonly username: string
}

export const createPages = (base: string, token: string): Pages => {
  const pages = (page: string, query: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams(query).toString()
    return `${base}/client/${page}${search && `?${search}`}`
  }
  return Object.assign(pages, {
    withToken: (page: string, { username }: Account) => `${pages(page)}#${new URLSearchParams({ username, token })}`,
  })
}

/** The language of a locale such as `de-AT`, or English when there is no template in it. */
export const toLocale = (locale: string): Locale => {
  const language = locale.split(/[-_]/)[0]?.toLowerCase()
  return locales.find(known => known === language) ?? 'en'
}
