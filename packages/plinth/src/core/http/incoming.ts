// A request as handlers see it. One is made for every exchange, so nothing is computed that may not be asked for.

import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Place, Request } from './exchange.ts'
import type { HeaderSet } from './security-headers.ts'
import { withoutCoding } from './write.ts'

/** What the HTTP library has found out. */
export interface Arrival {
  readonly id: string
  readonly params: unknown
  readonly body: unknown
  readonly raw: IncomingMessage
}

/** The address that took the request, and that of its sender. */
export interface RequestOrigin extends Pick<Request, 'base' | 'remoteAddress'> {
  readonly route: Place | null
  readonly promisesValue?: boolean
  readonly holdsSecrets?: boolean
  readonly isEssential?: boolean
  readonly keyScope?: string | null
}

/** Finds out from where a request came, and to where. */
export type Seen = (raw: IncomingMessage) => Pick<Request, 'base' | 'remoteAddress'>

const noParams: Readonly<Record<string, string>> = Object.freeze({})

export class Incoming implements Request {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly route: string | null
  readonly promisesValue: boolean
  readonly holdsSecrets: boolean
  readonly isEssential: boolean
  readonly keyScope: string | null
  readonly search: string
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer | null
  readonly stream: Readable | null
  readonly remoteAddress: string
  readonly base: string
  callerPk: string | null = null
  rateLimit?: HeaderSet
  readonly #reply: ServerResponse
  #aborting: AbortController | null = null

  constructor(arrival: Arrival, reply: ServerResponse, where: RequestOrigin) {
    const { raw, body } = arrival
    const {
      base,
      remoteAddress,
      route,
      promisesValue = false,
      holdsSecrets = false,
      isEssential = false,
      keyScope = null,
    } = where
    const { path, search } = readTarget(raw)
    this.id = arrival.id
    this.method = raw.method ?? 'GET'
    this.path = path
    this.route = route?.path ?? null
    this.promisesValue = promisesValue
    this.holdsSecrets = holdsSecrets
    this.isEssential = isEssential
    this.keyScope = keyScope
    this.search = search
    this.params = (arrival.params as Readonly<Record<string, string>> | null) ?? noParams
    this.headers = withKnownTags(raw.headers)
    this.body = Buffer.isBuffer(body) && body.length > 0 ? body : null
    this.stream = body instanceof Readable ? body : null
    this.remoteAddress = remoteAddress
    this.base = base
    this.#reply = reply
  }

  get signal(): AbortSignal {
    this.#aborting ??= abortWhenLeft(this.#reply)
    return this.#aborting.signal
  }
}

const tagHeaders = ['if-match', 'if-none-match'] as const

/** The coding of an answer is no concern of the handlers, and neither are the tags that tell codings apart. */
const withKnownTags = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  let known = headers
  for (const name of tagHeaders) {
    const tags = headers[name]
    if (typeof tags === 'string') known = { ...known, [name]: withoutCoding(tags) }
  }
  return known
}

const abortWhenLeft = (reply: ServerResponse): AbortController => {
  const aborting = new AbortController()
  const check = () => {
    if (!reply.writableFinished) aborting.abort()
  }
  if (reply.destroyed) check()
  else reply.on('close', check)
  return aborting
}

/** The path and the query as sent. */
export const readTarget = ({ url = '/' }: IncomingMessage): Pick<Request, 'path' | 'search'> => {
  const target = url.startsWith('/') ? url : toOriginForm(url)
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, search: '' }
  return { path: target.slice(0, mark), search: target.slice(mark + 1) }
}

/** A target may name scheme and host (absolute-form, RFC 9112, 3.2.2); the router takes the rest, and so do we. */
const toOriginForm = (target: string): string => {
  const rest = target.replace(/^https?:\/\/[^/?]*/i, '')
  return rest.startsWith('?') || rest === '' ? `/${rest}` : rest
}

const safeId = /^[A-Za-z0-9._-]{1,64}$/

/** The caller's own `X-Request-Id` when it is harmless in logs and headers, else the next of this process. */
export const createRequestIds = (): ((raw: IncomingMessage) => string) => {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return ({ headers }) => {
    const requestId = headers['x-request-id']
    if (typeof requestId === 'string' && safeId.test(requestId)) return requestId
    count += 1
    return `${process}-${count.toString(36)}`
  }
}

const safeHost = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Callers choose the Host header, so what is remembered of it has a bound. */
const rememberedHosts = 1000

/** The address under which a caller reached the service: the configured one, else that of the Host header. */
export const createBaseOf = (
  baseUrl: string | undefined,
  listening: () => string,
): ((host: string | undefined) => string) => {
  if (baseUrl !== undefined) {
    const fixed = baseUrl.replace(/\/+$/, '')
    return () => fixed
  }
  const bases = new Map<string, string>()
  return host => {
    if (host === undefined) return listening()
    const known = bases.get(host)
    if (known !== undefined) return known
    if (host.length > 260 || !safeHost.test(host)) return listening()
    if (bases.size >= rememberedHosts) bases.clear()
    const base = `http://${host.toLowerCase()}`
    bases.set(host, base)
    return base
  }
}

// What handlers ask of a request

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Is the method a safe one (RFC 9110, 9.2.1)? */
export const changesSomething = ({ method }: Request): boolean => !safeMethods.has(method)

/**
 * The first cookie of the name, as the nearest path and domain come first (RFC 6265, 5.4).
 *
 * @example const branch = readCookie(request, 'branch') ?? 'main'
 */
export const readCookie = ({ headers: { cookie } }: Request, name: string): string | null => {
  if (cookie === undefined) return null
  // Each character is read once, and no list is built: every request with cookies passes here.
  for (let start = 0, end = 0, sign = -1; end < cookie.length; start = end + 1) {
    end = cookie.indexOf(';', start)
    if (end === -1) end = cookie.length
    if (sign < start) sign = cookie.indexOf('=', start)
    if (sign === -1) return null
    if (sign < end && cookie.slice(start, sign).trim() === name) return cookie.slice(sign + 1, end).trim() || null
  }
  return null
}
