// Files that arrive in a multipart body (RFC 7578), handed on as they come.

import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { Problem } from '../problem.ts'
import type { Request } from './exchange.ts'

export interface MultipartLimits {
  /** The most bytes of each file. */
  readonly maxBytes: number
  readonly maxFiles: number
}

/** The part of a body that holds a file. */
export interface FilePart {
  /** The name of the form field. */
  readonly field: string
  /** The name that the sender gave the file; empty where it does not say. */
  readonly fileName: string
}

/** Takes one file and its content. The signal tells that the upload has failed elsewhere. */
export type TakeFile = (part: FilePart, content: Readable, signal: AbortSignal) => Promise<void>

/** Settles when every file has been received, or after the first fault, when all work has ended. */
export const readFiles = async (request: Request, limits: MultipartLimits, take: TakeFile): Promise<void> => {
  const { stream } = request
  const parser = createParser(request, limits)
  if (!stream) throw new Problem('bad_request', 'The body is empty.')
  const failing = new AbortController()
  const work: Promise<void>[] = []
  const reading = new Promise<void>((resolve, reject) => {
    parser.on('file', (field: string, content: Readable, fileName: string | undefined) => {
      content.once('limit', () => reject(new Problem('too_large', `A file has more than ${limits.maxBytes} bytes.`)))
      content.once('error', () => {})
      const taking = take({ field, fileName: fileName ?? '' }, content, failing.signal)
      taking.catch(reject)
      work.push(taking)
    })
    parser.once('filesLimit', () =>
      reject(new Problem('too_large', `A request can have at most ${limits.maxFiles} files.`)),
    )
    parser.once('error', (cause: unknown) => reject(unreadable(cause)))
    parser.once('finish', () => Promise.all(work).then(() => resolve(), reject))
    stream.once('close', () => {
      if (!stream.readableEnded) reject(new DOMException('The client disconnected.', 'AbortError'))
    })
  })
  stream.pipe(parser)
  try {
    await reading
  } catch (error) {
    failing.abort()
    stream.unpipe(parser)
    parser.destroy()
    await Promise.allSettled(work)
    throw error
  } finally {
    // What is left unread would keep the connection from its next request.
    stream.resume()
  }
}

const unreadable = (cause: unknown): Problem =>
  new Problem('bad_request', { detail: 'The multipart body cannot be read.', cause })

/** All subtypes are framed alike (RFC 2046, 5.1.1); the parser knows one by name. */
const createParser = ({ headers }: Request, { maxBytes, maxFiles }: MultipartLimits): BusboyInstance => {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/[\w.+-]+\s*(;|$)/i.test(type))
    throw new Problem('unsupported_media_type', 'Send multipart/form-data.')
  try {
    return new Busboy({
      headers: { 'content-type': type.replace(/^multipart\/[\w.+-]+/i, 'multipart/form-data') },
      limits: {
        fileSize: maxBytes,
        files: maxFiles,
        fields: 100,
        fieldSize: 1024,
        parts: maxFiles + 100,
        headerPairs: 50,
      },
    })
  } catch (error) {
    throw unreadable(error)
  }
}
