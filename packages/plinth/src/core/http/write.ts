// A response as data becomes bytes on the connection. Its headers are gathered into the flat list that Node writes fastest.

import type { ServerResponse } from 'node:http'
import { type Coding, codings, compressStream, compressWhole } from './compress.ts'
import type { Request, Response } from './exchange.ts'
import type { HeaderSet } from './security-headers.ts'

/** Name, value, name, value; names in lower case. */
export type HeaderList = (string | string[])[]

export interface Gathering {
  readonly security: HeaderSet
  /** Says whether the service ends, so that no connection is kept. */
  readonly isDraining: () => boolean
}

const traceShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

export const createGather = ({ security, isDraining }: Gathering) => {
  const always: HeaderList = Object.entries(security).flat()
  return (request: Request, response: Response): HeaderList => {
    const list = always.slice()
    list.push('x-request-id', request.id)
    const trace = request.headers.traceparent
    if (typeof trace === 'string' && traceShape.test(trace)) list.push('traceparent', trace)
    if (isDraining()) list.push('connection', 'close')
    if (response.headers) addAll(list, response.headers)
    if (request.rateLimit) addAll(list, request.rateLimit)
    return list
  }
}

/** The headers of no use without a body, and misleading with 304 (RFC 9110, 15.4.5). */
const contentHeaders = ['content-type', 'content-length', 'content-encoding', 'content-range', 'content-disposition']

export const dropContentHeaders = (list: HeaderList): void => {
  for (const name of contentHeaders) dropHeader(list, name)
}

const addAll = (list: HeaderList, headers: NonNullable<Response['headers']>): void => {
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) putHeader(list, name.toLowerCase(), value)
  }
}

export const headerIn = (list: HeaderList, name: string): string | string[] | undefined => {
  for (let at = 0; at < list.length; at += 2) if (list[at] === name) return list[at + 1]
}

export const dropHeader = (list: HeaderList, name: string): void => {
  const at = list.findIndex((text, index) => index % 2 === 0 && text === name)
  if (at !== -1) list.splice(at, 2)
}

/** A later value takes the place of an earlier one, except in `vary`, where both count. */
export const putHeader = (list: HeaderList, name: string, value: string | string[]): void => {
  for (let at = 0; at < list.length; at += 2) {
    if (list[at] !== name) continue
    list[at + 1] = name === 'vary' ? joinNames(`${list[at + 1]},${value}`) : value
    return
  }
  list.push(name, value)
}

/** The names come from the code, so there are few combinations. */
const joined = new Map<string, string>()

const joinNames = (names: string): string => {
  const known = joined.get(names)
  if (known !== undefined) return known
  const text = [...new Set(names.split(',').map(name => name.trim()))].join(', ')
  joined.set(names, text)
  return text
}

/** Settles when the body has been handed over; fails before that, with nothing written or with a body cut short. */
export type Write = (request: Request, response: Response, reply: ServerResponse) => Promise<void> | undefined

/** Writes an answer, without a promise where there is nothing to wait for: nearly all answers. */
export const createWrite = (gathering: Gathering): Write => {
  const gather = createGather(gathering)
  return (request, response, reply) => {
    const { status, body } = response
    const headers = gather(request, response)
    const coding = agreeOnCoding(request, response, headers)
    if (status === 304) repeatTag(reply.req.headers['if-none-match'], headers)
    if (bodiless.has(status)) dropContentHeaders(headers)
    const isHead = request.method === 'HEAD'
    if (bodiless.has(status) || (isHead && (isStream(body) || body === undefined))) {
      discard(body)
      reply.writeHead(status, headers).end()
    } else if (isStream(body)) {
      // Without the option `signal`: Node would then keep the listener, and with it the whole answer, for good.
      response.cutBy?.addEventListener('abort', () => reply.destroy())
      const pieces = coding === null ? body : compressStream(body, coding)
      return writeStream(reply, pieces, () => reply.writeHead(status, headers))
    } else if (coding !== null) {
      return compressWhole(body ?? '', coding).then(small => writeWhole(reply, response, { headers, body: small }))
    } else writeWhole(reply, response, { headers, body: body ?? '' })
  }
}

/** The statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 304])

const isStream = (body: Response['body']): body is AsyncIterable<string | Buffer> =>
  typeof body === 'object' && !Buffer.isBuffer(body)

/** The statuses that end the connection when a body is still arriving: the rest of it is of no use. */
const endsArrival: ReadonlySet<number> = new Set([408, 413, 429, 503])

interface Whole {
  readonly headers: HeaderList
  readonly body: string | Buffer
}

const writeWhole = (reply: ServerResponse, { status }: Response, { headers, body }: Whole): void => {
  putHeader(headers, 'content-length', String(Buffer.byteLength(body)))
  if (reply.req.method === 'HEAD') reply.writeHead(status, headers).end()
  else if (endsArrival.has(status) && !reply.req.complete) writeRefusal(reply, status, { headers, body })
  else reply.writeHead(status, headers).end(body)
}

/**
 * The first piece is awaited before the head is written, so that a failure to begin is still an honest 500.
 * A caller who leaves ends the loop, and with it the source.
 */
const writeStream = async (
  reply: ServerResponse,
  body: AsyncIterable<string | Buffer>,
  writeHead: () => void,
): Promise<void> => {
  if (reply.destroyed) return discard(body)
  for await (const piece of body) {
    if (!reply.headersSent) writeHead()
    if (reply.destroyed) return
    if (!reply.write(piece)) await drained(reply)
    if (reply.destroyed) return
  }
  if (!reply.headersSent) writeHead()
  reply.end()
}

const drained = (reply: ServerResponse): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      reply.off('drain', done)
      reply.off('close', done)
      resolve()
    }
    reply.on('drain', done)
    reply.on('close', done)
  })

/** A source that will not be read: a file that was opened for it must be closed. */
const discard = (body: Response['body']): void => {
  if (!isStream(body)) return
  if ('destroy' in body && typeof body.destroy === 'function') body.destroy()
}

/** How long a caller who is still sending may take to read a refusal. */
const lingerMs = 2000

/** Closing while the caller still sends would reset the connection and lose the answer; so the rest is read away first. */
const writeRefusal = (reply: ServerResponse, status: number, { headers, body }: Whole): void => {
  const end = () => {
    clearTimeout(timer)
    reply.end()
  }
  const timer = setTimeout(end, lingerMs)
  putHeader(headers, 'connection', 'close')
  reply.writeHead(status, headers).write(body)
  reply.req.once('close', end)
  reply.req.resume()
}

// Content coding, for callers who ask for it (RFC 9110, 8.4 and 12.5.3)

/** The bytes below which nothing is compressed: they fit into one packet anyway. */
const smallest = 1024

/** Server-sent events are left alone: each open stream would hold the memory of a compressor. */
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|xml|javascript|schema\+json|[\w.-]+\+(?:json|xml))|image\/svg)/i

/**
 * Chooses the coding of an answer and says so in its headers. Null sends it is: too small, of a kind that does not
 * shrink, a part of something, not asked for, or not safe to compress.
 */
const agreeOnCoding = (request: Request, response: Response, headers: HeaderList): Coding | null => {
  if (!isLarge(response.body) || response.status === 206) return null
  if (!compressible.test(String(headerIn(headers, 'content-type') ?? ''))) return null
  if (headerIn(headers, 'content-encoding') !== undefined || betraysSecrets(request, response, headers)) return null
  putHeader(headers, 'vary', 'Accept-Encoding')
  const accepted = request.headers['accept-encoding']
  const coding = accepted === undefined ? null : preferredCoding(String(accepted))
  if (coding) {
    putHeader(headers, 'content-encoding', coding)
    dropHeader(headers, 'content-length')
    markTag(headers, coding)
  }
  return coding
}

const isLarge = (body: Response['body']): boolean => {
  if (body === undefined) return false
  if (typeof body === 'string') return body.length > smallest || Buffer.byteLength(body) > smallest
  return !Buffer.isBuffer(body) || body.length > smallest
}

/**
 * The size of a compressed answer tells how much of what the caller sent occurs elsewhere in it: an attacker who can make a browser
 * send requests and see the sizes of the answers can guess the secrets in them, letter by letter (BREACH). So nothing is
 * compressed that holds secrets, nor what another site makes a browser ask for with its user's credentials.
 */
const betraysSecrets = (request: Request, response: Response, headers: HeaderList): boolean => {
  if (request.holdsSecrets || response.isSecret || headerIn(headers, 'set-cookie') !== undefined) return true
  const { cookie, authorization, 'sec-fetch-site': site } = request.headers
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isAllowed = headerIn(headers, 'access-control-allow-origin') !== undefined
  return isForeign && !isAllowed && (cookie !== undefined || authorization !== undefined)
}

/** The remembered values. Few different ones arrive, but callers choose them: their number has a bound. */
const remembered = new Map<string, Coding | null>()
const rememberedCount = 200

const preferredCoding = (header: string): Coding | null => {
  const known = remembered.get(header)
  if (known !== undefined) return known
  const coding = readCoding(header)
  if (remembered.size >= rememberedCount) remembered.clear()
  remembered.set(header, coding)
  return coding
}

/** `gzip;q=0.8, br` → br. */
export const readCoding = (header: string): Coding | null => {
  const weights = new Map(header.toLowerCase().split(',').map(readWeight))
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  const best = codings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}

const readWeight = (part: string): [coding: string, weight: number] => {
  const [name = '', ...parameters] = part.split(';').map(text => text.trim())
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
}

/**
 * A strong tag names one representation, and each coding is another one (RFC 9110, 8.8.3.3). No tag of ours holds a plus
 * sign.
 */
const markTag = (headers: HeaderList, coding: Coding): void => {
  const tag = headerIn(headers, 'etag')
  if (typeof tag === 'string' && tag.startsWith('"')) putHeader(headers, 'etag', withCoding(tag, coding))
}

const withCoding = (tag: string, coding: Coding): string => `${tag.slice(0, -1)}+${coding}"`

/** Tags that callers send back, as the handlers know them. */
export const withoutCoding = (tags: string): string => tags.replaceAll(/\+(?:br|gzip)"/g, '"')

/** 304 has the tag that 200 would have, except for a caller who names the same content in another coding. */
const repeatTag = (sent: string | undefined, headers: HeaderList): void => {
  const tag = headerIn(headers, 'etag')
  if (sent === undefined || typeof tag !== 'string') return
  const plain = withoutCoding(tag)
  const match = [plain, ...codings.map(coding => withCoding(plain, coding))].find(one => sent.includes(one))
  if (match === undefined) return
  putHeader(headers, 'etag', match)
  if (match !== plain) putHeader(headers, 'vary', 'Accept-Encoding')
}
