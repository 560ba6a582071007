// Sends requests: credentials, retries, problems.

import { ApiProblem, isProblem, isTransient, type ProblemBody, redirected, unexpected, unreachable } from './problem.ts'

export type QueryParameters = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Is sent as JSON, except forms, files and streams. */
  readonly body?: unknown
  readonly query?: QueryParameters
  readonly headers?: Readonly<Record<string, string>>
  /** The ETag that the record must still have. */
  readonly ifMatch?: string | null
  /** The same key at each attempt: the service carries the request out once. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** 401 means that the given credentials are wrong, not that the session has ended. */
  readonly provesIdentity?: boolean
  /** What the body of a success is; `json` unless given. */
  readonly responseType?: 'json' | 'blob'
  /** Sends this request instead of the client's own, for progress. */
  readonly fetch?: typeof fetch
}

export interface ApiResponse<T> {
  readonly status: number
  readonly body: T
  readonly etag: string | null
  readonly headers: Headers
}

/** How requests prove who sends them. */
export interface Credentials {
  /** Headers of a request; may refresh the session first. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Marks the session; to be called before a request is sent. */
  mark(): RequestMark
  /** Says whether the request may be sent again, after 401. */
  renew(mark: RequestMark): Promise<boolean>
}

/** The time when a request was sent, and its session. */
export interface RequestMark {
  readonly sentAt: number
  readonly epoch: number
}

/** Sends a request once, without credentials but cookies. Rejects with problem `unreachable`. */
export type SendOnce = (path: string, options: RequestOptions) => Promise<Response>

export interface TransportOptions {
  /** The address of the service, such as `https://api.example.org`. Empty: the origin of the page. */
  readonly url: string
  readonly fetch?: typeof fetch
  /** Headers of every request, such as `Accept-Language`. */
  readonly headers?: () => Readonly<Record<string, string>>
}

/** Sends a request, again where that is safe; rejects with an `ApiProblem`. */
export type Transport = <T>(path: string, options?: RequestOptions) => Promise<ApiResponse<T>>

/** A longer wait is left to the caller. */
const maxWaitSeconds = 30

/** Adds credentials, and renews them once when they are refused. */
export const withCredentials = (send: SendOnce, credentials: Credentials): SendOnce => {
  const sendAs: SendOnce = async (path, options) =>
    send(path, { ...options, headers: { ...(await credentials.headers()), ...options.headers } })
  return async (path, options) => {
    const mark = credentials.mark()
    const response = await sendAs(path, options)
    if (response.status !== 401 || options.provesIdentity || !(await credentials.renew(mark))) return response
    return sendAs(path, options)
  }
}

export const createTransport =
  (send: SendOnce, retries = 3): Transport =>
  async <T>(path: string, options: RequestOptions = {}) => {
    for (let failed = 0; ; failed++) {
      try {
        return await toApiResponse<T>(await send(path, options), options.responseType)
      } catch (error) {
        const wait = failed < retries && isRepeatable(options) ? waitAfter(error, failed) : null
        if (options.signal?.aborted) throw options.signal.reason
        if (wait === null) throw error
        await sleep(wait, options.signal)
      }
    }
  }

/** Lets the user confirm who they are; false when they do not want to. */
export type ConfirmSignIn = () => Promise<boolean>

/** Asks the user to confirm who they are where an act needs a recent sign-in, and sends the request again. */
export const withConfirmation =
  (request: Transport, confirmSignIn?: ConfirmSignIn): Transport =>
  async <T>(path: string, options?: RequestOptions) => {
    try {
      return await request<T>(path, options)
    } catch (error) {
      const isRefused = isProblem(error, 'recent_sign_in_required') && !isStream(options?.body)
      if (!confirmSignIn || !isRefused || !(await confirmSignIn())) throw error
      return request<T>(path, options)
    }
  }

const isRepeatable = ({ method = 'GET', idempotencyKey }: RequestOptions): boolean =>
  method === 'GET' || idempotencyKey !== undefined

/** Returns the milliseconds to wait; null: the request would fail again. */
const waitAfter = (error: unknown, failed: number): number | null => {
  if (!(error instanceof ApiProblem)) return null
  const { status, code, retryAfterSeconds } = error
  if (!isTransient(error) && code !== 'in_progress' && (status !== 429 || retryAfterSeconds === null)) return null
  if (retryAfterSeconds !== null) return retryAfterSeconds > maxWaitSeconds ? null : retryAfterSeconds * 1000
  // Clients that failed together do not come back together.
  return 250 * 2 ** failed * (0.75 + Math.random() / 2)
}

export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })

/** React Native has no streams. */
const isStream = (body: unknown): body is ReadableStream =>
  typeof ReadableStream !== 'undefined' && body instanceof ReadableStream

const isRaw = (body: unknown): body is FormData | Blob | ReadableStream =>
  body instanceof FormData || body instanceof Blob || isStream(body)

export const createSendOnce =
  (options: TransportOptions, credentials: 'include' | 'omit'): SendOnce =>
  async (path, { method = 'GET', body, query = {}, headers, ifMatch, idempotencyKey, signal, ...own }) => {
    const { url } = options
    const send = own.fetch ?? options.fetch ?? fetch
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      credentials,
      // Credentials must not follow to another address. Not every edge runtime knows `error`.
      redirect: 'manual',
      headers: {
        Accept: 'application/json, application/problem+json',
        ...options.headers?.(),
        ...(body !== undefined && !isRaw(body) && { 'Content-Type': 'application/json' }),
        ...(ifMatch && { 'If-Match': ifMatch }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
      ...(isStream(body) && { duplex: 'half' }),
      ...(signal && { signal }),
    }
    try {
      return refuseRedirect(await send(url + path + toSearch(query), init))
    } catch (error) {
      if (error instanceof ApiProblem) throw error
      if (signal?.aborted) throw error
      throw unreachable()
    }
  }

/** Browsers hide where a redirect leads. */
const refuseRedirect = (response: Response): Response => {
  const { type, status, headers } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'))) throw redirected(status)
  return response
}

const toSearch = (query: QueryParameters): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text && `?${text}`
}

export const toApiResponse = async <T>(
  response: Response,
  type: RequestOptions['responseType'] = 'json',
): Promise<ApiResponse<T>> => {
  const { status, headers } = response
  const content = type === 'blob' && response.ok ? response.blob() : response.text().then(text => read(text, response))
  const body: unknown = await content.catch((error: unknown) => {
    throw error instanceof DOMException || error instanceof ApiProblem ? error : unreachable()
  })
  if (!response.ok) throw new ApiProblem(status, (body ?? {}) as ProblemBody, headers.get('retry-after'))
  return { status, body: body as T, etag: headers.get('etag'), headers }
}

/** Returns null without JSON. A page instead of it comes from another server, or from one in between. */
const read = (text: string, { ok, status, headers }: Response): unknown => {
  const type = headers.get('content-type') ?? ''
  if (ok && /\bhtml\b/.test(type)) throw unexpected(status)
  if (text === '' || !/\bjson\b/.test(type)) return null
  try {
    return JSON.parse(text)
  } catch {
    if (ok) throw unexpected(status)
    return null
  }
}

/** JSON:API, where only it will do; problems in JSON nevertheless. */
export const jsonApi = 'application/vnd.api+json'
export const acceptsJsonApi = `${jsonApi};q=0.8, application/problem+json`

/**
 * React Native has no `crypto` of its own, and pages without TLS no `randomUUID`. A key must be unique, not secret.
 *
 * @example await client.books.create({ title: 'Emma' }, { idempotencyKey: newKey() })
 */
export const newKey = (): string => {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256)
  globalThis.crypto?.getRandomValues(bytes)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
