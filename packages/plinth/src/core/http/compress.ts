// Compressed answers for callers who ask for them (RFC 9110, 8.4 and 12.5.3). The work is done outside the event loop.

import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Request, Response } from './exchange.ts'
import { dropHeader, type HeaderList, headerIn, putHeader } from './write.ts'

/** The preferred first. */
const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** In bytes. What is smaller fits into one packet anyway. */
const smallest = 1024

/** Server-sent events are left alone: each open stream would hold the memory of a compressor. */
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|xml|javascript|schema\+json|[\w.-]+\+(?:json|xml))|image\/svg)/i

/**
 * Chooses the coding of an answer and says so in its headers. Null sends it as it is: too small, of a kind that does not
 * shrink, a part of something, not asked for, or not safe to compress.
 */
export const agreeOnCoding = (request: Request, response: Response, headers: HeaderList): Coding | null => {
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
 * The size of a compressed answer tells how much of what the caller sent occurs elsewhere in it: whoever can make a browser
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

/** Few different values arrive, but callers choose them: what is remembered has a bound. */
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
export const repeatTag = (sent: string | undefined, headers: HeaderList): void => {
  const tag = headerIn(headers, 'etag')
  if (sent === undefined || typeof tag !== 'string') return
  const plain = withoutCoding(tag)
  const held = [plain, ...codings.map(coding => withCoding(plain, coding))].find(one => sent.includes(one))
  if (held === undefined) return
  putHeader(headers, 'etag', held)
  if (held !== plain) putHeader(headers, 'vary', 'Accept-Encoding')
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** As good as it gets at the speed of the network; what is kept is worth more work. */
const effort = { usual: { br: 4, gzip: 6 }, kept: { br: 6, gzip: 9 } } as const

const brotliOptions = (quality: number, size = 0) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
})

const compress = (body: string | Buffer, coding: Coding, level: (typeof effort)['usual' | 'kept']): Promise<Buffer> =>
  coding === 'br' ? brotli(body, brotliOptions(level.br, body.length)) : gzipped(body, { level: level.gzip })

/** A handler that answers with the same buffer each time serves a document that does not change. */
const kept = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>()

export const compressWhole = (body: string | Buffer, coding: Coding): Promise<Buffer> => {
  if (typeof body === 'string') return compress(body, coding, effort.usual)
  const forms = kept.get(body) ?? new Map<Coding, Promise<Buffer>>()
  const form = forms.get(coding) ?? compress(body, coding, effort.kept)
  kept.set(body, forms.set(coding, form))
  return form
}

/** In milliseconds. Shorter than a reader notices, longer than a database takes for the next batch. */
const pause = 50

/** Ends the source when the reader stops, and fails when the source fails. */
export const compressStream = async function* (
  body: AsyncIterable<string | Buffer>,
  coding: Coding,
): AsyncIterable<Buffer> {
  const packer =
    coding === 'br' ? createBrotliCompress(brotliOptions(effort.usual.br)) : createGzip({ level: effort.usual.gzip })
  const flush = () => packer.flush(coding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH)
  // The failure arrives by the loop below.
  pipeline(flushedInPauses(body, flush), packer).catch(() => undefined)
  yield* packer
}

/** While the source prepares the next piece, the reader gets the earlier ones: a compressor would hold them back. */
const flushedInPauses = async function* (
  body: AsyncIterable<string | Buffer>,
  flush: () => void,
): AsyncIterable<string | Buffer> {
  let timer: NodeJS.Timeout | undefined
  try {
    for await (const piece of body) {
      clearTimeout(timer)
      yield piece
      timer = setTimeout(flush, pause)
    }
  } finally {
    clearTimeout(timer)
  }
}
