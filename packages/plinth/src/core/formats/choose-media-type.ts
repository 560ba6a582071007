// The media type of a response that is in no format of the service.

import { formats as allFormats } from './index.ts'
import { readMediaType, splitOutsideQuotes } from './media-type.ts'
import { hasOwnErrors, readQuality } from './preferences.ts'

/** Will an answer of this very type do? */
export const accepts = (accept: string | undefined, mediaType: string): boolean =>
  mediaType === '*/*' || chooseMediaType(accept, [mediaType]) !== null

/**
 * Of the media types offered, the one that the caller likes best; the first where it has no preference; null when none
 * will do. Types of problems say how errors are to be written, and nothing about any other answer.
 *
 * @example const mediaType = chooseMediaType(request.headers.accept, ['application/pdf', 'text/html'])
 */
export const chooseMediaType = (accept: string | undefined, offered: readonly string[]): string | null => {
  const ranges = new Map<string, number>()
  for (const part of splitOutsideQuotes(accept ?? '', ',')) {
    const range = readMediaType(part)
    const quality = range && readQuality(range)
    if (!range || quality === null || (quality > 0 && isProblemType(range.type))) continue
    ranges.set(range.type, Math.max(quality, ranges.get(range.type) ?? 0))
  }
  if (ranges.size === 0) return offered[0] ?? null
  const [best] = offered
    .map(type => ({
      type,
      quality: ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0,
    }))
    .sort((left, right) => right.quality - left.quality)
  return best && best.quality > 0 ? best.type : null
}

const isProblemType = (type: string): boolean =>
  allFormats.some(format => !hasOwnErrors(format) && format.problemType === type)
