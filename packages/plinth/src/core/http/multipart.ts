// Files that arrive in a multipart body (RFC 7578), handed on as they come.

import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { fault } from '../fault.ts'
import { toToken } from '../model/json.ts'
import { Problem } from '../problem.ts'
import type { Request } from './exchange.ts'

export interface MultipartLimits {
  /** The most bytes of each file. */
  readonly maxBytes: number
  readonly maxFiles: number
  /** How many parts beside the files are handed on as well; none unless given. */
  readonly maxOthers?: number
}

/** The part of a body that holds a file. */
export interface FilePart {
  /** The name of the form field. */
  readonly field: string
  /** The name that the sender gave the file; empty where it does not say. */
  readonly fileName: string
  /** The media type, as the sender says. */
  readonly mediaType: string
  /** Did the sender name a file? Plain values of a form have none. */
  readonly isFile: boolean
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
    let files = 0
    const handOn = (part: FilePart, content: Readable) => {
      content.once('limit', () => reject(tooLarge(part, limits.maxBytes)))
      content.once('error', () => {})
      if (part.isFile) files += 1
      const taking = files > limits.maxFiles ? Promise.reject(tooMany(limits)) : take(part, content, failing.signal)
      taking.catch(reject)
      work.push(taking)
    }
    parser.on('file', (field: string, content: Readable, fileName: string | undefined, _encoding, mediaType: string) =>
      handOn({ field, fileName: fileName ?? '', mediaType, isFile: fileName !== undefined }, content),
    )
    parser.once('filesLimit', () => reject(tooMany(limits)))
    parser.once('partsLimit', () => reject(new Problem('too_large', 'The body has too many parts.')))
    parser.once('error', (cause: unknown) => reject(unreadable(cause)))
    parser.once('finish', () => Promise.all(work).then(() => resolve(), reject))
    stream.once('close', () => {
      if (!stream.readableEnded) reject(new Problem('bad_request', 'The body is incomplete.'))
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

const tooMany = ({ maxFiles }: MultipartLimits): Problem =>
  new Problem('too_large', `A request can have at most ${maxFiles} files.`)

/** Names the field, which is the name of the part where files are uploaded for fields. */
export const tooLarge = ({ field }: Pick<FilePart, 'field'>, maxBytes: number): Problem => {
  const member = field.slice(0, 100)
  return new Problem('too_large', {
    detail: `A file has more than ${maxBytes} bytes.`,
    errors: [{ pointer: `/${toToken(member)}`, member, ...fault('too_large') }],
  })
}

const unreadable = (cause: unknown): Problem =>
  new Problem('bad_request', { detail: 'The multipart body cannot be read.', cause })

/** All subtypes are framed alike (RFC 2046, 5.1.1); the parser knows one by name. */
const createParser = ({ headers }: Request, { maxBytes, maxFiles, maxOthers = 0 }: MultipartLimits): BusboyInstance => {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/[\w.+-]+\s*(;|$)/i.test(type))
    throw new Problem('unsupported_media_type', 'Send multipart/form-data.')
  try {
    return new Busboy({
      headers: { 'content-type': type.replace(/^multipart\/[\w.+-]+/i, 'multipart/form-data') },
      // All parts come as streams then, so that none is gathered beyond its limit.
      ...(maxOthers > 0 && { isPartAFile: () => true }),
      limits: {
        fileSize: maxBytes,
        files: maxFiles + maxOthers,
        fields: 100,
        fieldSize: 1024,
        parts: maxFiles + Math.max(maxOthers, 100),
        headerPairs: 50,
      },
    })
  } catch (error) {
    throw unreadable(error)
  }
}
