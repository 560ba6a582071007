// The result of a search: await it for one page, or iterate over all records.

import type { RecordLink } from './schema.ts'

/** Why a search by words has found a record. */
export interface SearchMatch {
  readonly pk: string
  /** How well it matches, in millionths. */
  readonly score: number
  /** The part of a text that has the words, as plain text; null where no text that is shown has them. */
  readonly snippet: string | null
  /** Where words begin and end in the snippet, in turn. */
  readonly marks: readonly number[]
}

/** A page in the JSON of the service. */
export interface JsonPage<T> {
  readonly content: readonly T[]
  readonly matches?: readonly SearchMatch[]
  readonly page?: { readonly totalElements: number | null; readonly estimated?: boolean }
  readonly links: readonly RecordLink[]
}

export interface ResultPage<T> {
  readonly items: readonly T[]
  /** One for each of the items, where `matches` asked for them. */
  readonly matches?: readonly SearchMatch[]
  /** All matches; null when they were not counted. */
  readonly total: number | null
  readonly isEstimate: boolean
  /** Cursors for `after` and `before`; null at the ends. */
  readonly next: string | null
  readonly previous: string | null
}

export type FetchPage<T> = (after: string | null) => Promise<JsonPage<T>>

export class FindResult<T> implements PromiseLike<ResultPage<T>>, AsyncIterable<T> {
  readonly #fetch: FetchPage<T>
  #first: Promise<ResultPage<T>> | undefined

  constructor(fetch: FetchPage<T>) {
    this.#fetch = fetch
  }

  // biome-ignore lint/suspicious/noThenProperty: `await client.books.find()` gives the first page.
  then<A = ResultPage<T>, B = never>(
    fulfilled?: ((page: ResultPage<T>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#page(null)
    return this.#first.then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<ResultPage<T> | B> {
    return this.then(null, rejected)
  }

  finally(settled?: (() => void) | null): Promise<ResultPage<T>> {
    return this.then().finally(settled)
  }

  /** All pages from here on, each fetched when it is asked for. */
  async *pages(): AsyncGenerator<ResultPage<T>, void, undefined> {
    let page = await this.then()
    yield page
    while (page.next !== null) {
      page = await this.#page(page.next)
      yield page
    }
  }

  /** All records from here on, fetched page by page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** All records in one list. */
  async toArray(): Promise<T[]> {
    const all: T[] = []
    for await (const { items } of this.pages()) all.push(...items)
    return all
  }

  async #page(after: string | null): Promise<ResultPage<T>> {
    return toResultPage(await this.#fetch(after))
  }
}

/**
 * The page in the answer of an endpoint that answers with one.
 *
 * @example const { items } = toResultPage((await client.request<JsonPage<Book>>('/api/rest/books/overdue')).body)
 */
export const toResultPage = <T>({ content, matches, page, links }: JsonPage<T>): ResultPage<T> => ({
  items: content,
  ...(matches && { matches }),
  total: page?.totalElements ?? null,
  isEstimate: page?.estimated ?? false,
  next: cursorIn(links, 'next', ['_after', 'page[after]']),
  previous: cursorIn(links, 'prev', ['_before', 'page[before]']),
})

/** The links write it like the request. The service may be reached by a relative address, so the link is not resolved against it. */
const cursorIn = (links: readonly RecordLink[], rel: 'next' | 'prev', names: readonly string[]): string | null => {
  const href = links.find(link => link.rel === rel)?.href
  const query = href === undefined ? null : new URL(href, 'http://service').searchParams
  return names.map(name => query?.get(name)).find(cursor => cursor != null) ?? null
}
