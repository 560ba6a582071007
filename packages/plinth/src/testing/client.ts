// Requests to a service under test, as one user.

import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { waitingFor } from './waiting.ts'

/** JSON that was read, or a record in it, as `JSON.parse` types it. What a test expects of it, it asserts. */
export type Parsed = ReturnType<typeof JSON.parse>

/** A response with its whole body. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined where it is something else. */
  readonly body: Parsed
}

/** A request. A body that is neither text nor bytes is sent as JSON. */
export interface TestRequest {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** Sends requests as one user. Paths begin with `/`, such as `/api/rest/books`. */
export interface TestClient {
  (path: string, request?: TestRequest): Promise<TestResponse>
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  delete(path: string, headers?: Record<string, string>): Promise<TestResponse>
}

type RequestHeaders = Record<string, string>

/** `credentials` are headers of every request; a function is asked for them before the first one. */
export const clientFor = (
  address: string,
  credentials: RequestHeaders | (() => Promise<RequestHeaders>),
): TestClient => {
  const signIn = typeof credentials === 'function' ? once(credentials) : () => credentials
  const ask = async (path: string, { method = 'GET', headers = {}, body }: TestRequest = {}): Promise<TestResponse> => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const exchange = send(address + path, {
      method,
      headers: {
        ...(await signIn()),
        ...(body !== undefined && !isRaw && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || isRaw ? body : JSON.stringify(body),
    })
    const { status, headers: received, text } = await waitingFor(`the answer to ${method} ${path}`, exchange)
    const isJson = /\bjson\b/.test(received.get('content-type') ?? '')
    return { status, headers: received, text, body: isJson && text ? JSON.parse(text) : undefined }
  }
  const sending =
    (method: string) =>
    (path: string, body: unknown, headers: RequestHeaders = {}) =>
      ask(path, { method, body, headers })
  return Object.assign(ask, {
    get: (path: string, headers: RequestHeaders = {}) => ask(path, { headers }),
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH'),
    delete: (path: string, headers: RequestHeaders = {}) => ask(path, { method: 'DELETE', headers }),
  })
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

// Sends one request and reads the whole response. `fetch` takes twice the processor time, and asks for compressed
// responses, which cost the service more than the rest of a list.

export interface SentMessage {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface ReceivedMessage {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The connection broke before the whole response had arrived. */
export class ConnectionLost extends Error {
  constructor(cause: Error) {
    super(`The connection was lost: ${cause.message}`, { cause })
  }
}

const agent = new Agent({ keepAlive: true })

const decode = (bytes: Buffer, coding: string | null): Buffer => {
  if (bytes.length === 0) return bytes
  if (coding === 'br') return brotliDecompressSync(bytes)
  return coding === 'gzip' ? gunzipSync(bytes) : bytes
}

const defaults = { Accept: '*/*', 'User-Agent': 'node' }

export const send = (url: string, { method, headers, body }: SentMessage): Promise<ReceivedMessage> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new ConnectionLost(error))
    const length = body === undefined ? undefined : Buffer.byteLength(body)
    const sent = new Headers({ ...defaults, ...(length !== undefined && { 'Content-Length': String(length) }) })
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    const outgoing = request(url, { method, agent, headers: Object.fromEntries(sent) }, response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.once('error', fail)
      response.once('end', () => {
        const received = new Headers()
        for (let at = 0; at < response.rawHeaders.length; at += 2)
          received.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '')
        const text = decode(Buffer.concat(pieces), received.get('content-encoding')).toString()
        resolve({ status: response.statusCode ?? 0, headers: received, text })
      })
    })
    outgoing.once('error', fail)
    outgoing.end(body)
  })
