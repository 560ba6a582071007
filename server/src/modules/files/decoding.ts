// Decoding pictures of strangers: so many pixels, so many at once, so long.

import { Problem } from '../../core/problem.ts'

export const maxPixels = 25_000_000
const maxAtOnce = 2
const maxWaiting = 50

let underWay = 0
const waiting: (() => void)[] = []

const busy = (): Problem => new Problem('unavailable', { headers: { 'Retry-After': '1' } })

/** Refused when enough is under way: whoever asks for a preview can ask again. */
export const atOnce = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay >= maxAtOnce) throw busy()
  underWay += 1
  try {
    return await work()
  } finally {
    passOn()
  }
}

/** Waits for its turn: whoever has sent a whole body should not send it again. */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (underWay < maxAtOnce) return atOnce(work)
  if (waiting.length >= maxWaiting) throw busy()
  await new Promise<void>(resolve => waiting.push(resolve))
  try {
    return await work()
  } finally {
    passOn()
  }
}

/** The next in line takes the place; nobody can come between. */
const passOn = (): void => {
  const next = waiting.shift()
  if (next) next()
  else underWay -= 1
}

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
