// Previews of pictures. Pictures come from callers, so their decoding is limited: pixels, pictures at a time, and seconds.

import { LRUCache } from 'lru-cache'
import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { Problem } from '../../core/problem.ts'
import { isImage } from './file-types.ts'
import type { FileRecord } from './files.ts'

export const maxPixels = 25_000_000

/** A request for a preview can be repeated. A whole body should not be sent twice, so an upload waits. */
export const turns = limitConcurrency({ atOnce: 2, waiting: 50 })

/** A smaller picture that fits into a square; `picture` is the content, or the path of a file. */
export const shrink = async (picture: Buffer | string, edge: number): Promise<Buffer> => {
  // Loaded with the first picture: its library is large, and most services never need it.
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(picture, { limitInputPixels: maxPixels, failOn: 'error' })
      .rotate()
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 10 })
      .toBuffer()
  } catch (cause) {
    throw new Problem('unprocessable', { detail: 'The image cannot be read.', cause })
  }
}

export const smallestPreview = 16
export const largestPreview = 512

const kept = new LRUCache<string, Buffer>({ maxSize: 16_777_216, sizeCalculation: picture => picture.length })

/** Of a picture that previews are made of. */
export const maxMegapixels = maxPixels / 1_000_000

/** Can it be shown? All of it is decoded, since a good header may stand before data that is cut off. */
export const isPicture = async (path: string, mediaType: string): Promise<boolean> => {
  if (!isImage(mediaType)) return false
  try {
    await turns(() => shrink(path, smallestPreview))
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'unprocessable') return false
    throw error
  }
}

/** `read` gives the content of the file; it is asked only when the preview is not at hand. */
export const preview = async (file: FileRecord, edge: number, read: () => Promise<Buffer>): Promise<Buffer> => {
  if (!isImage(file.mediaType)) throw new Problem('unprocessable', 'The file is not an image.')
  const key = `${file.sha256} ${edge}`
  const known = kept.get(key)
  if (known) return known
  const make = async (): Promise<Buffer> => {
    const picture = await shrink(await read(), edge)
    kept.set(key, picture)
    return picture
  }
  return turns(make, false)
}
