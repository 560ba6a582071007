// Compresses bodies. The work is done outside the event loop.

import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

/** The preferred first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** The effort of compression, as high as it gets at the speed of the network; what is kept is worth more work. */
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

/** The pause in milliseconds: shorter than a reader notices, longer than a database takes for the next batch. */
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

/**
 * Flushes while the source prepares the next piece, so that the reader gets the earlier ones: a compressor would hold
 * them back.
 */
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
