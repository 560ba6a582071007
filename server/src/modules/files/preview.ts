// Small pictures of pictures.

import { LRUCache } from 'lru-cache'
import { Problem } from '../../core/problem.ts'
import { maxPixels, shrink, turns } from './decoding.ts'
import type { FileRecord } from './files.ts'
import { isImage } from './media-types.ts'

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
  if (!isImage(file.mediaType)) throw new Problem('unprocessable', 'The file is no picture.')
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
