// A file on its way in: written beside the store, measured and checked, before anyone can read it.

import { createHash } from 'node:crypto'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uuidv7 } from 'uuidv7'
import { tooLarge } from '../../core/http/multipart.ts'
import { mediaTypeOf } from './file-types.ts'

export interface Staged {
  readonly key: string
  readonly name: string
  readonly path: string
  readonly mediaType: string
  /** The first bytes. */
  readonly head: Buffer
  readonly size: number
  readonly sha256: string
}

export interface Arriving {
  readonly name: string
  /** The field that it is for, where it has one. */
  readonly field?: string
  readonly content: Readable
  readonly signal: AbortSignal
  /** The most bytes; as many as come unless given. */
  readonly maxBytes?: number
  /** What lies beyond is counted and not written; all is written unless given. */
  readonly usefulBytes?: number | undefined
}

export const stagingOf = (dataDir: string): string => join(dataDir, 'uploads')

/** Enough to detect the media type. */
const headLength = 4096

/** The content is synced to the disk when this returns. Leaves nothing behind when it fails. */
export const stage = async (folder: string, arriving: Arriving): Promise<Staged> => {
  const { name, content, signal, maxBytes = Number.POSITIVE_INFINITY, usefulBytes = maxBytes } = arriving
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const key = uuidv7()
  const path = join(folder, key)
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  const look = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece)
      size += piece.length
      if (head.length < headLength) head = Buffer.concat([head, piece.subarray(0, headLength)])
      if (size > maxBytes) done(tooLarge({ field: arriving.field ?? name }, maxBytes))
      else if (size > usefulBytes) done()
      else done(null, piece)
    },
  })
  const target = createWriteStream(path, { mode: 0o600, flush: true })
  try {
    await pipeline(content, look, target, { signal })
  } catch (error) {
    // Its opening may still be under way, and would bring back what is discarded.
    await closed(target)
    await discard(path)
    throw error
  }
  return { key, name, path, mediaType: mediaTypeOf(head), head, size, sha256: hash.digest('hex') }
}

const closed = (target: WriteStream): Promise<void> =>
  target.closed ? Promise.resolve() : new Promise(resolve => target.once('close', () => resolve()))

export const discard = (path: string): Promise<void> => rm(path, { force: true })
