// Decoding pictures of strangers: so many pixels, so many at once, so long.

import { limitConcurrency } from '../../core/limit-concurrency.ts'
import { Problem } from '../../core/problem.ts'

export const maxPixels = 25_000_000

/** Whoever asks for a preview can ask again; whoever has sent a whole body should not send it again, and waits. */
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
    throw new Problem('unprocessable', { detail: 'The picture cannot be read.', cause })
  }
}
