// Which format an answer takes and which one a body has (RFC 9110, sections 12.5.1 and 8.3).

import { LRUCache } from 'lru-cache'
import type { Format } from './format.ts'
import { formats, formatsByName } from './index.ts'
import { type MediaType, readMediaType, splitOutsideQuotes } from './media-type.ts'

/** The one extension of JSON:API that is known; spoken at the operations endpoint only. */
export const atomicExtension = 'https://jsonapi.org/ext/atomic'

const { json, hal, 'json-api': jsonApi, xml } = formatsByName

/** What an `Accept` header asks for. */
interface Preferences {
  /** From 0, not acceptable, to 1; none at all when the header holds nothing that can be read. */
  readonly qualities: ReadonlyMap<Format, number> | null
  /** The format in which problems are asked for by name, and how much it is preferred. */
  readonly problems: { readonly format: Format; readonly quality: number } | null
}

/** Of the formats offered, the one that the caller likes best; the fallback where it has no preference; null when none will do. */
export const chooseFormat = (
  accept: string | undefined,
  fallback: Format,
  offered: readonly Format[] = formats,
): Format | null => {
  if (accept === undefined || accept === '*/*') return fallback
  const { qualities, problems } = preferencesOf(accept)
  if (!qualities) return fallback
  let best: Format | null = null
  let highest = 0
  for (const format of [fallback, ...offered]) {
    const quality = qualities.get(format) ?? 0
    if (quality > highest) {
      best = format
      highest = quality
    }
  }
  // Callers that want to understand problems name their type beside that of the answer: it only counts when alone.
  return best ?? problems?.format ?? null
}

/** How a problem is written: the type that the caller names, unless it likes JSON:API, which has errors of its own, as much. */
export const chooseProblemFormat = (accept: string | undefined, format: Format): Format => {
  if (accept === undefined || accept === '*/*') return format
  const { qualities, problems } = preferencesOf(accept)
  if (!problems) return format
  const keepsOwn = format === jsonApi && (qualities?.get(jsonApi) ?? 0) >= problems.quality
  return keepsOwn ? format : problems.format
}

/** Will an answer of this very type do? */
export const accepts = (accept: string | undefined, mediaType: string): boolean =>
  mediaType === '*/*' || chooseMediaType(accept, [mediaType]) !== null

/**
 * Of the media types offered, the one that the caller likes best; the first where it has no preference; null when none
 * will do. Types of problems say how errors are to be written, and nothing about any other answer.
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

const isProblemType = (type: string): boolean => type === json.problemType || type === xml.problemType

/** Will the caller take JSON:API with its atomic extension? */
export const acceptsAtomic = (accept: string | undefined): boolean => {
  if (accept === undefined) return true
  const { qualities, problems } = readPreferences(accept, true)
  if (!qualities || (qualities.get(jsonApi) ?? 0) > 0) return true
  return problems !== null && [...qualities.values()].every(quality => quality === 0)
}

/** Does the caller ask for problem bodies by name, also where there would be none? */
export const wantsProblems = (accept: string | undefined): boolean =>
  accept !== undefined && accept !== '*/*' && preferencesOf(accept).problems !== null

const remembered = new LRUCache<string, Preferences>({ max: 500 })
const longestRemembered = 500

const preferencesOf = (accept: string): Preferences => {
  const known = remembered.get(accept)
  if (known) return known
  const preferences = readPreferences(accept, false)
  if (accept.length <= longestRemembered) remembered.set(accept, preferences)
  return preferences
}

const readPreferences = (accept: string, atomic: boolean): Preferences => {
  const qualities = new Map<string, number>()
  let hasUnfit = false
  for (const part of splitOutsideQuotes(accept, ',')) {
    const range = readMediaType(part)
    if (!range) continue
    const quality = readQuality(range)
    if (quality === null) continue
    if (range.type === jsonApi.mediaType && !isFit(range, atomic)) hasUnfit ||= quality > 0
    else qualities.set(range.type, Math.max(quality, qualities.get(range.type) ?? 0))
  }
  const problems = toProblemPreference(qualities)
  // JSON:API 1.1, "Server Responsibilities": when no instance of its media type is fit, the answer is 406.
  if (hasUnfit && !qualities.has(jsonApi.mediaType)) return { qualities: new Map(), problems: null }
  return { qualities: qualities.size > 0 ? toFormats(qualities) : null, problems }
}

const toProblemPreference = (qualities: ReadonlyMap<string, number>): Preferences['problems'] => {
  const [best] = [json, xml]
    .map(format => ({ format, quality: qualities.get(format.problemType) ?? 0 }))
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
  return best ?? null
}

/** The most specific range decides on each format. */
const toFormats = (qualities: ReadonlyMap<string, number>): Map<Format, number> => {
  const anything = qualities.get('application/*') ?? qualities.get('*/*') ?? 0
  const found = new Map<Format, number>()
  for (const format of formats) found.set(format, qualities.get(format.mediaType) ?? anything)
  found.set(xml, qualities.get(xml.mediaType) ?? qualities.get('text/xml') ?? anything)
  return found
}

const weight = /^(0?\.\d{1,9}|0\.?|1(\.0{0,9})?)$/

/** Null when the weight is malformed. */
const readQuality = ({ parameters }: MediaType): number | null => {
  const given = parameters.find(({ name }) => name === 'q')
  if (!given) return 1
  return weight.test(given.value) ? Number(given.value) : null
}

const isUtf8 = (charset: string): boolean => /^utf-?8$/i.test(charset)

/** JSON:API allows the parameters `ext` and `profile`; many clients add a charset out of habit. */
const isFit = ({ parameters }: MediaType, atomic: boolean): boolean =>
  parameters.every(({ name, value }) => {
    if (name === 'ext') return extensionsIn(value).every(extension => atomic && extension === atomicExtension)
    return name === 'profile' || name === 'q' || (name === 'charset' && isUtf8(value))
  })

const extensionsIn = (value: string): string[] => value.split(' ').filter(extension => extension !== '')

interface BodyFormat {
  readonly format: Format
  /** RFC 7396: null clears a member. */
  readonly mergePatch: boolean
  /** The body says that it uses the atomic extension. */
  readonly atomic: boolean
}

const plainBody = (format: Format): BodyFormat => ({ format, mergePatch: false, atomic: false })

const bodies = new Map<string, BodyFormat>([
  [json.mediaType, plainBody(json)],
  [hal.mediaType, plainBody(hal)],
  [jsonApi.mediaType, plainBody(jsonApi)],
  ['application/merge-patch+json', { format: json, mergePatch: true, atomic: false }],
])

/** What a body of this content type is; null when it is nothing that can be read here. */
export const formatOfBody = (contentType: string | undefined, fallback: Format): BodyFormat | null => {
  if (!contentType) return plainBody(fallback)
  const known = bodies.get(contentType)
  if (known) return known
  const mediaType = readMediaType(contentType.trim())
  const body = mediaType && bodies.get(mediaType.type)
  if (!body) return null
  if (body.format !== jsonApi) return hasReadableText(mediaType) ? body : null
  if (!isFit(mediaType, true)) return null
  const atomic = mediaType.parameters.some(({ name, value }) => name === 'ext' && extensionsIn(value).length > 0)
  return { ...body, atomic }
}

const hasReadableText = ({ parameters }: MediaType): boolean =>
  parameters.every(({ name, value }) => name !== 'charset' || isUtf8(value))
