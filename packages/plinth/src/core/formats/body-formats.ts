// The formats of bodies.

import type { Format } from './format.ts'
import { extensionsIn, isUtf8, type MediaType, readMediaType } from './media-type.ts'

/** What a body is. */
export interface BodyFormat {
  readonly format: Format
  /** RFC 7396: null clears a field. */
  readonly mergePatch: boolean
  /** The body says that it uses an extension of its media type. */
  readonly extended: boolean
}

export const plainBody = (format: Format): BodyFormat => ({ format, mergePatch: false, extended: false })

export const bodiesIn = (formats: readonly Format[]): ReadonlyMap<string, BodyFormat> => {
  const bodies = new Map<string, BodyFormat>()
  for (const format of formats) {
    if (!format.read) continue
    bodies.set(format.mediaType, plainBody(format))
    if (format.mergePatchType) bodies.set(format.mergePatchType, { ...plainBody(format), mergePatch: true })
  }
  return bodies
}

export const readBodyType = (contentType: string, bodies: ReadonlyMap<string, BodyFormat>): BodyFormat | null => {
  const known = bodies.get(contentType)
  if (known) return known
  const mediaType = readMediaType(contentType.trim())
  const body = mediaType && bodies.get(mediaType.type)
  if (!body) return null
  const { supportsParameters, extensions = [] } = body.format
  if (!supportsParameters) return hasReadableText(mediaType) ? body : null
  if (!supportsParameters(mediaType, extensions)) return null
  const extended = mediaType.parameters.some(({ name, value }) => name === 'ext' && extensionsIn(value).length > 0)
  return { ...body, extended }
}

const hasReadableText = ({ parameters }: MediaType): boolean =>
  parameters.every(({ name, value }) => name !== 'charset' || isUtf8(value))
