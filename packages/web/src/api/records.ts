// Records of any resource, as JSON shows them.

import { type ApiResponse, newKey, type RecordLink, type RequestOptions } from '@plinth/client'
import { request } from './client.ts'

export interface Item {
  readonly pk: string
  readonly links?: readonly RecordLink[]
  readonly [field: string]: unknown
}

export interface Page<T = Item> {
  readonly content: readonly T[]
  readonly page: {
    readonly size: number
    /** Is null when they were not counted. */
    readonly totalElements: number | null
    readonly totalPages: number | null
    readonly number: number
    /** Is the total an estimate? The service counts large collections only when asked to. */
    readonly estimated?: boolean
  }
  readonly links: readonly RecordLink[]
}

/** A record with the tag that a change must present. */
export interface Tagged<T = Item> {
  readonly record: T
  readonly etag: string | null
}

export const recordPath = (resource: string, pk?: string): string =>
  `/api/rest/${resource}${pk === undefined ? '' : `/${encodeURIComponent(pk)}`}`

export const fetchPage = async <T = Item>(
  path: string,
  query: RequestOptions['query'],
  signal?: AbortSignal,
): Promise<Page<T>> => (await request<Page<T>>(path, { query, ...(signal && { signal }) })).body

export const fetchItem = async <T = Item>(resource: string, pk: string): Promise<Tagged<T>> =>
  tagged(await request<T>(recordPath(resource, pk)))

/** `key`: the same for every try of one form, so that a second press creates nothing more. */
export const createItem = async <T = Item>(resource: string, body: object, key = newKey()): Promise<Tagged<T>> =>
  tagged(await request<T>(recordPath(resource), { method: 'POST', body, idempotencyKey: key }))

/** Changes the given fields; null clears one (RFC 7396). */
export const patchItem = async <T = Item>(
  { resource, pk }: { resource: string; pk: string },
  body: object,
  etag: string | null,
): Promise<Tagged<T> | null> => {
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const reply = await request<T>(recordPath(resource, pk), { method: 'PATCH', body, headers, ifMatch: etag })
  return reply.status === 204 ? null : tagged(reply)
}

export const removeItem = async (resource: string, pk: string, etag: string | null = null): Promise<void> => {
  await request(recordPath(resource, pk), { method: 'DELETE', ifMatch: etag })
}

/** Brings a record back from the trash, with all that was deleted with it. */
export const restoreItem = async (resource: string, pk: string): Promise<void> => {
  await request(`${recordPath(resource, pk)}/restore`, { method: 'POST' })
}

/** Deletes a record from the trash for good. */
export const purgeItem = async (resource: string, pk: string): Promise<void> => {
  await request(recordPath(resource, pk), { method: 'DELETE', query: { trash: 'only' } })
}

/** Sets the fields of a record back to what they were in a version. */
export const restoreVersion = async (resource: string, pk: string, version: number): Promise<void> => {
  await request(`${recordPath(resource, pk)}/history/${version}/restore`, { method: 'POST' })
}

const tagged = <T>({ body, etag }: ApiResponse<T>): Tagged<T> => ({ record: body, etag })

/** The cursor in the link to the next page. */
export const nextCursor = ({ links }: Pick<Page, 'links'>): string | null => {
  const next = links.find(({ rel }) => rel === 'next')
  return next ? new URL(next.href, location.origin).searchParams.get('_after') : null
}
