// An answer in the format that was agreed on, with its ETag.

import { createHash } from 'node:crypto'
import type { Format, PageWriter, ValuesWriter } from '../formats/format.ts'
import type { Request, Response } from '../http/exchange.ts'
import { htmlHeaders } from '../http/security-headers.ts'
import type { Json } from '../model/json.ts'
import type { Included } from '../model/view.ts'
import { createPause, ownTurn } from '../pauses.ts'
import { Problem } from '../problem.ts'
import type { Answer, Batch, Headers } from './answer.ts'
import { digestOf, etagOf, isUnchanged, tagOf } from './etags.ts'
import { linkHeader } from './link-header.ts'
import { rangeHeaders, readRange } from './ranges.ts'

const dataHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Origin, Authorization, Cookie',
} as const

const valueHeaders = { ...dataHeaders, 'Cache-Control': 'no-store' } as const

const noPlace = (): Problem => new Problem('not_acceptable', 'Accept application/json or application/xml.')

interface WriteOptions {
  /** A transaction is open, which others wait for: write in one go. */
  readonly isHeld?: boolean
}

/** Returns a promise only for large pages: they are written in several turns of the event loop. */
export const writeAnswer = (
  answer: Answer,
  format: Format,
  request: Request,
  { isHeld = false }: WriteOptions = {},
): Response | Promise<Response> => {
  switch (answer.kind) {
    case 'nothing':
      return {
        status: answer.status,
        headers: { ...dataHeaders, ...tagOfLeftOut(answer, format, request), ...answer.headers },
      }
    case 'value': {
      if (!format.value) throw noPlace()
      const body = format.value(answer.name, answer.value)
      const headers = { ...valueHeaders, 'Content-Type': format.mediaType, ...answer.headers }
      return { status: answer.status, headers, body }
    }
    case 'list': {
      if (!format.values) throw noPlace()
      const writer = format.values(answer.names)
      const body = writer.open() + writer.entries(answer.entries) + writer.close()
      return { status: 200, headers: { ...valueHeaders, 'Content-Type': format.mediaType, ...answer.headers }, body }
    }
    case 'entry point': {
      const body = format.entryPoint(answer.resources, request.base)
      return { status: 200, headers: { ...valueHeaders, 'Content-Type': format.mediaType, ...answer.headers }, body }
    }
    case 'values': {
      if (!format.values) throw noPlace()
      const headers = { ...dataHeaders, 'Content-Type': format.mediaType, ...answer.headers }
      return { status: 200, headers, body: listed(format.values(answer.names), answer.batches) }
    }
    case 'groups': {
      if (!format.groups) throw noPlace()
      const body = format.groups(answer.document, request.base)
      const headers = { ...linkHeader(answer.document, request.base), ...answer.headers }
      const etag = tagOf('p', digestOf(body))
      return unlessUnchanged({ status: 200, body, type: format.mediaType, etag, headers }, request)
    }
    case 'response':
      return answer.response
    case 'text':
      return unlessUnchanged(
        {
          status: 200,
          body: answer.body,
          type: answer.mediaType,
          etag: etagOf('d', answer.body),
          headers: { ...policyOf(answer.mediaType), ...answer.headers },
        },
        request,
      )
    case 'bytes':
      return bytes(answer, request)
    case 'stream':
      return {
        status: 200,
        headers: { ...dataHeaders, 'Content-Type': format.mediaType },
        body: streamed(answer.document, answer.batches, { format, base: request.base }),
      }
    case 'page': {
      const writer = format.page(answer.document, request.base)
      const { records, included } = answer.batch
      const finish = ({ body, digest, headers }: HashedBody): Response => {
        const page = {
          status: answer.status,
          body,
          type: format.mediaType,
          etag: tagOf('p', digest),
          headers: { ...linkHeader(answer.document, request.base), ...headers, ...answer.headers },
        }
        return answer.isSecret ? secret(page) : unlessUnchanged(page, request)
      }
      const isLarge = records.length + countIncluded(included) > recordsPerPiece
      if (isLarge && !isHeld) return writeInTurns(piecesOf(writer, answer.batch)).then(finish)
      let body = writer.open() + writer.records(records, included)
      if (writer.rest) for (const piece of writer.rest()) body += piece
      body += writer.close()
      return finish({ body, digest: digestOf(body) })
    }
    case 'item': {
      const { record } = answer.document
      // An empty to-one relation.
      if (!record && !format.isAlwaysDocument) return { status: 204, headers: dataHeaders }
      const body = format.item(answer.document, request.base)
      const version = record?.version ?? 0
      const item = {
        status: answer.status,
        body,
        type: format.mediaType,
        etag: etagOf(version, body),
        headers: answer.headers,
      }
      return answer.isSecret ? secret(item) : unlessUnchanged(item, request)
    }
  }
}

type Nothing = Extract<Answer, { kind: 'nothing' }>

/** The tag that a read in this format gets. */
const tagOfLeftOut = ({ leftOut }: Nothing, format: Format, { base }: Request): Headers =>
  leftOut?.record ? { ETag: etagOf(leftOut.record.version ?? 0, format.item(leftOut, base)) } : {}

/** A page without styles and pictures would be of little use. */
const policyOf = (mediaType: string): Headers => (mediaType.startsWith('text/html') ? htmlHeaders : {})

type Bytes = Extract<Answer, { kind: 'bytes' }>

const bytes = (answer: Bytes, request: Request): Response => {
  const { status = 200, mediaType, body, etag, headers } = inPart(answer, request)
  const tag = etag !== undefined && { ETag: etag }
  const isHeld = etag !== undefined && isUnchanged(request.headers['if-none-match'], etag)
  return {
    status: isHeld ? 304 : status,
    headers: { ...dataHeaders, ...tag, ...policyOf(mediaType), ...headers, 'Content-Type': mediaType },
    body,
  }
}

/** Answers with the part that was requested; of a stream, the handler gives it. */
const inPart = (answer: Bytes, request: Request): Bytes => {
  const { body, etag, headers } = answer
  if (!Buffer.isBuffer(body)) return answer
  const part = readRange(request, { size: body.length, etag })
  return {
    ...answer,
    status: part ? 206 : 200,
    body: part ? body.subarray(part.first, part.last + 1) : body,
    headers: { ...headers, ...rangeHeaders(part, body.length) },
  }
}

interface Written {
  readonly status: number
  readonly body: NonNullable<Response['body']>
  readonly type: string
  readonly etag: string
  readonly headers: Headers | undefined
}

/** Records that are written at a time, with those that they include. */
const recordsPerPiece = 50
/** The characters of a piece, about: fewer records are written at a time where their texts are long. */
const pieceLength = 128 * 1024
/** Pieces of fewer characters are joined: each is sent for itself. */
const leastLength = 32 * 1024
/** The records of the first piece of a large page: how long they are is not known yet. */
const firstRecords = 5
/** How long the event loop may be held, in milliseconds. */
const turnMs = 5

const countIncluded = (included: readonly Included[]): number => {
  let count = 0
  for (const { byOwner, deeper } of included) {
    for (const records of byOwner.values()) count += records.length
    count += countIncluded(deeper)
  }
  return count
}

const piecesOf = function* (writer: PageWriter, batch: Batch): Iterable<string> {
  yield writer.open()
  yield* recordPieces(writer, batch)
  if (writer.rest) yield* writer.rest()
  yield writer.close()
}

const recordPieces = function* (writer: PageWriter, batch: Batch): Iterable<string> {
  const { records, included } = batch
  const size = records.length + countIncluded(included)
  const most = Math.max(1, Math.floor((recordsPerPiece * records.length) / Math.max(1, size)))
  let step = size > recordsPerPiece ? Math.min(most, firstRecords) : most
  for (let from = 0; from < records.length; ) {
    const piece = writer.records(records.slice(from, from + step), included)
    yield piece
    from += step
    step = Math.max(1, Math.min(most, Math.floor((step * pieceLength) / piece.length)))
  }
}

interface HashedBody {
  readonly body: NonNullable<Response['body']>
  readonly digest: string
  readonly headers?: Headers
}

/**
 * A page of hundreds of records takes as long as a hundred small requests, which go on in between. It stays in pieces, so that it is
 * not sent in one go either.
 */
const writeInTurns = async (pieces: Iterable<string>): Promise<HashedBody> => {
  const hashing = createHash('sha256')
  const written: Buffer[] = []
  let length = 0
  let text = ''
  const keep = () => {
    const bytes = Buffer.from(text)
    hashing.update(bytes)
    written.push(bytes)
    length += bytes.length
    text = ''
  }
  let began = performance.now()
  for (const piece of pieces) {
    text += piece
    if (text.length > leastLength) keep()
    if (performance.now() - began < turnMs) continue
    await ownTurn()
    began = performance.now()
  }
  keep()
  return { body: inPieces(written), digest: hashing.digest('hex'), headers: { 'Content-Length': `${length}` } }
}

const inPieces = async function* (pieces: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* pieces
}

const unlessUnchanged = ({ status, body, type, etag, headers }: Written, request: Request): Response => {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isHeld = isRead && isUnchanged(request.headers['if-none-match'], etag)
  return {
    status: isHeld ? 304 : status,
    headers: { ...dataHeaders, ETag: etag, 'Content-Type': type, ...headers },
    body,
  }
}

const secret = ({ status, body, type, etag, headers }: Written): Response => ({
  status,
  headers: {
    ...dataHeaders,
    'Cache-Control': 'no-store',
    ETag: etag,
    'Content-Type': type,
    ...headers,
  },
  body,
  isSecret: true,
})

const listed = async function* (writer: ValuesWriter, batches: AsyncIterable<readonly Json[]>): AsyncIterable<string> {
  yield writer.open()
  for await (const batch of batches) yield writer.entries(batch)
  yield writer.close()
}

const streamed = async function* (
  document: Parameters<Format['page']>[0],
  batches: AsyncIterable<Batch>,
  { format, base }: { format: Format; base: string },
): AsyncIterable<string> {
  const writer = format.page(document, base)
  const pause = createPause()
  yield writer.open()
  for await (const batch of batches) {
    for (const piece of recordPieces(writer, batch)) {
      yield piece
      // A connection that takes everything at once leaves no turn to others.
      await pause()
    }
  }
  if (writer.rest) yield* writer.rest()
  yield writer.close()
}
