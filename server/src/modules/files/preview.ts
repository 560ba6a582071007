// Small pictures of pictures. What is decoded comes from strangers, so its pixels are bounded, not only its bytes.

import { LRUCache } from 'lru-cache'
import { Problem } from '../../core/problem.ts'
import type { FileRecord } from './files.ts'
import { isImage } from './media-types.ts'

const smallest = 16
const largest = 512
const maxPixels = 25_000_000
const maxAtOnce = 2
const readingLimits = { limitInputPixels: maxPixels, failOn: 'error' } as const

const kept = new LRUCache<string, Buffer>({ maxSize: 16_777_216, sizeCalculation: picture => picture.length })

/** The edge that the picture must fit into; null when none is asked for. */
export const readPreviewSize = (search: string): number | null => {
  const sizes = new URLSearchParams(search).getAll('preview')
  const [size] = sizes
  if (size === undefined) return null
  const edge = /^\d{1,4}$/.test(size) ? Number(size) : 0
  if (sizes.length === 1 && edge >= smallest && edge <= largest) return edge
  const message = `must be a whole number from ${smallest} to ${largest}`
  throw new Problem('bad_parameter', { errors: [{ parameter: 'preview', message, code: 'range' }] })
}

/** What previews are made of, in words. */
export const whatIsShown = `a PNG, JPEG, GIF or WebP picture of at most ${maxPixels / 1_000_000} megapixels`

/** By its content: does it say how large it is, and can it be shown? */
export const isPicture = async (path: string, mediaType: string): Promise<boolean> => {
  if (!isImage(mediaType)) return false
  const { default: sharp } = await import('sharp')
  const size = await sharp(path, readingLimits)
    .metadata()
    .catch(() => null)
  return size !== null && size.width * size.height <= maxPixels
}

let underWay = 0

/** `read` gives the content of the file; it is asked only when the preview is not at hand. */
export const preview = async (file: FileRecord, edge: number, read: () => Promise<Buffer>): Promise<Buffer> => {
  if (!isImage(file.mediaType)) throw new Problem('unprocessable', 'The file is no picture.')
  const key = `${file.sha256} ${edge}`
  const known = kept.get(key)
  if (known) return known
  if (underWay >= maxAtOnce) throw new Problem('unavailable', { headers: { 'Retry-After': '1' } })
  underWay += 1
  try {
    const picture = await shrink(await read(), edge)
    kept.set(key, picture)
    return picture
  } finally {
    underWay -= 1
  }
}

const shrink = async (content: Buffer, edge: number): Promise<Buffer> => {
  // Loaded with the first picture: its library is large, and most services never need it.
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(content, readingLimits)
      .rotate()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 10 })
      .toBuffer()
  } catch (cause) {
    throw new Problem('unprocessable', { detail: 'The picture cannot be read.', cause })
  }
}
