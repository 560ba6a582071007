// The one way to the service.

import { currentLanguage } from '../i18n/language.ts'
import { ApiProblem, type ApiProblemDocument, unreachable } from './problem.ts'
import { endSession, refreshSession } from './refresh.ts'

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** JSON, or a form with files. */
  readonly body?: unknown
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  /** The ETag that the record must still have. */
  readonly ifMatch?: string | null
  /** What must not happen twice carries the same key at each try. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** 401 means here that what was typed is wrong, not that the session is over. */
  readonly provesIdentity?: boolean
}

export interface ApiResponse<T> {
  readonly status: number
  readonly body: T
  readonly etag: string | null
  readonly headers: Headers
}

export const request = async <T>(path: string, ask: ApiRequest = {}): Promise<ApiResponse<T>> => {
  const response = await sendTwice(path, ask)
  if (response.status === 401 && !ask.provesIdentity) {
    if (await refreshSession()) return toReply(await send(path, ask))
    endSession()
  }
  return toReply(response)
}

export const get = async <T>(path: string, ask: Omit<ApiRequest, 'method' | 'body'> = {}): Promise<T> =>
  (await request<T>(path, ask)).body

/** Only what cannot happen twice is sent again by itself. */
const sendTwice = async (path: string, ask: ApiRequest): Promise<Response> => {
  try {
    return await send(path, ask)
  } catch (error) {
    if (ask.idempotencyKey === undefined || ask.signal?.aborted) throw error
    await new Promise(resolve => setTimeout(resolve, 1000))
    return send(path, ask)
  }
}

const send = async (path: string, ask: ApiRequest): Promise<Response> => {
  const { method = 'GET', body, query = {}, headers = {}, ifMatch, idempotencyKey, signal } = ask
  const isForm = body instanceof FormData
  const init: RequestInit = {
    method,
    headers: {
      Accept: 'application/json, application/problem+json',
      'Accept-Language': currentLanguage(),
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...(ifMatch && { 'If-Match': ifMatch }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }
  try {
    return await fetch(path + toSearch(query), init)
  } catch (error) {
    // What the page itself gave up is no problem of the network.
    if (signal?.aborted) throw error
    throw unreachable()
  }
}

const toSearch = (query: Query): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text && `?${text}`
}

const toReply = async <T>(response: Response): Promise<ApiResponse<T>> => {
  const { status, headers } = response
  const text = await response.text().catch(() => {
    throw unreachable()
  })
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '')
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : null
  if (!response.ok) throw new ApiProblem(status, (body ?? {}) as ApiProblemDocument, headers.get('retry-after'))
  return { status, body: body as T, etag: headers.get('etag'), headers }
}

/** `crypto.randomUUID` exists on secure origins only; a service in the house may be reached without TLS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
