// Which format an answer takes and which one a body has (RFC 9110, sections 12.5.1 and 8.3).

import { LRUCache } from 'lru-cache'
import type { FileFormat } from './files/file-format.ts'
import { ownFileFormats } from './files/index.ts'
import type { Format } from './format.ts'
import { formats as allFormats } from './index.ts'
import { extensionsIn, isUtf8, type MediaType, readMediaType, splitOutsideQuotes } from './media-type.ts'

/** What a body is. */
interface BodyFormat {
  readonly format: Format
  /** RFC 7396: null clears a member. */
  readonly mergePatch: boolean
  /** The body says that it uses an extension of its media type. */
  readonly extended: boolean
}

interface Negotiation {
  /** Of the formats offered, the one that the caller likes best; the fallback where it has no preference; null when none will do. */
  chooseFormat(accept: string | undefined, fallback: Format, offered?: readonly Format[]): Format | null
  /** The file that the caller names and prefers to every format; null when it names none. For lists that can be exported. */
  chooseFile(accept: string | undefined): FileFormat | null
  /** How a problem is written: the type that the caller names, unless it likes a format with errors of its own as much. */
  chooseProblemFormat(accept: string | undefined, format: Format): Format
  /** Does the caller ask for problem bodies by name, also where there would be none? */
  wantsProblems(accept: string | undefined): boolean
  /** Will the caller take this format with all of its extensions? */
  acceptsExtensions(accept: string | undefined, format: Format): boolean
  /** What a body of this content type is; null when it is nothing that can be read here. */
  formatOfBody(contentType: string | undefined, fallback: Format): BodyFormat | null
  /** The media types that bodies come in. */
  readonly bodyTypes: readonly string[]
  /** The media types that the body of a PATCH comes in. */
  readonly patchTypes: readonly string[]
}

const rememberedHeaders = 500
const longestRemembered = 500

export const createNegotiation = (formats: readonly Format[]): Negotiation => {
  const remembered = new LRUCache<string, Preferences>({ max: rememberedHeaders })
  const preferencesOf = (accept: string): Preferences => {
    const known = remembered.get(accept)
    if (known) return known
    const preferences = readPreferences(accept, formats)
    if (accept.length <= longestRemembered) remembered.set(accept, preferences)
    return preferences
  }
  const bodies = bodiesIn(formats)
  const bodyTypes = formats.filter(({ read }) => read).map(({ mediaType }) => mediaType)
  return {
    chooseFormat: (accept, fallback, offered = formats) =>
      accept === undefined || accept === '*/*' ? fallback : bestOf(preferencesOf(accept), [fallback, ...offered]),
    chooseFile: accept => (accept === undefined || accept === '*/*' ? null : preferencesOf(accept).file),
    chooseProblemFormat: (accept, format) => {
      if (accept === undefined || accept === '*/*') return format
      const { qualities, problems } = preferencesOf(accept)
      if (!problems) return format
      const keepsOwn = hasOwnErrors(format) && (qualities?.get(format) ?? 0) >= problems.quality
      return keepsOwn ? format : problems.format
    },
    wantsProblems: accept => accept !== undefined && accept !== '*/*' && preferencesOf(accept).problems !== null,
    acceptsExtensions: (accept, format) => {
      if (accept === undefined) return true
      const { qualities, problems } = readPreferences(accept, formats, format.extensions)
      if (!qualities || (qualities.get(format) ?? 0) > 0) return true
      return problems !== null && [...qualities.values()].every(quality => quality === 0)
    },
    formatOfBody: (contentType, fallback) => (contentType ? readBodyType(contentType, bodies) : plainBody(fallback)),
    bodyTypes,
    patchTypes: [...bodyTypes, ...formats.flatMap(({ mergePatchType = [] }) => mergePatchType)],
  }
}

// Answers

/** What an `Accept` header asks for. */
interface Preferences {
  /** From 0, not acceptable, to 1; none at all when the header holds nothing that can be read. */
  readonly qualities: ReadonlyMap<Format, number> | null
  /** The format in which problems are asked for by name, and how much it is preferred. */
  readonly problems: { readonly format: Format; readonly quality: number } | null
  readonly file: FileFormat | null
}

/** The first is the fallback. */
const bestOf = ({ qualities, problems }: Preferences, offered: readonly [Format, ...Format[]]): Format | null => {
  if (!qualities) return offered[0]
  let best: Format | null = null
  let highest = 0
  for (const format of offered) {
    const quality = qualities.get(format) ?? 0
    if (quality > highest) {
      best = format
      highest = quality
    }
  }
  // Callers that want to understand problems name their type beside that of the answer: it only counts when alone.
  return best ?? problems?.format ?? null
}

const readPreferences = (
  accept: string,
  formats: readonly Format[],
  extensions: readonly string[] = [],
): Preferences => {
  const qualities = new Map<string, number>()
  const unsupported = new Set<string>()
  for (const part of splitOutsideQuotes(accept, ',')) {
    const range = readMediaType(part)
    const quality = range && readQuality(range)
    if (!range || quality === null) continue
    const format = formats.find(({ mediaType }) => mediaType === range.type)
    if (format?.supportsParameters?.(range, extensions) === false) {
      if (quality > 0) unsupported.add(range.type)
    } else qualities.set(range.type, Math.max(quality, qualities.get(range.type) ?? 0))
  }
  // JSON:API 1.1, "Server Responsibilities": when no instance of its media type can be honoured, the answer is 406.
  if ([...unsupported].some(type => !qualities.has(type))) return { qualities: new Map(), problems: null, file: null }
  return {
    qualities: qualities.size > 0 ? toFormats(qualities, formats) : null,
    problems: toProblemPreference(qualities, formats),
    file: toFilePreference(qualities, formats),
  }
}

/** A file must be named. Formats that are named win over it unless they are liked less; a wildcard does so if it is liked more. */
const toFilePreference = (qualities: ReadonlyMap<string, number>, formats: readonly Format[]): FileFormat | null => {
  const qualityOf = ({ mediaType, aliases = [] }: Pick<Format, 'mediaType' | 'aliases'>): number =>
    Math.max(...[mediaType, ...aliases].map(type => qualities.get(type) ?? 0))
  const [best] = ownFileFormats
    .map(file => ({ file, quality: qualityOf(file) }))
    .sort((left, right) => right.quality - left.quality)
  if (!best || best.quality === 0) return null
  const wildcards = [...qualities].filter(([type]) => type.endsWith('/*')).map(([, quality]) => quality)
  const isBeaten =
    formats.some(format => qualityOf(format) >= best.quality) || wildcards.some(quality => quality > best.quality)
  return isBeaten ? null : best.file
}

/** A format that writes problems in its own media type, such as JSON:API. */
const hasOwnErrors = ({ mediaType, problemType }: Format): boolean => mediaType === problemType

const toProblemPreference = (
  qualities: ReadonlyMap<string, number>,
  formats: readonly Format[],
): Preferences['problems'] => {
  const [best] = formats
    .filter(format => !hasOwnErrors(format))
    .map(format => ({ format, quality: qualities.get(format.problemType) ?? 0 }))
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
  return best ?? null
}

/** The most specific range decides on each format. */
const toFormats = (qualities: ReadonlyMap<string, number>, formats: readonly Format[]): Map<Format, number> => {
  const found = new Map<Format, number>()
  for (const format of formats) {
    const named = [format.mediaType, ...(format.aliases ?? [])].find(type => qualities.has(type))
    const group = `${format.mediaType.split('/')[0]}/*`
    found.set(format, qualities.get(named ?? group) ?? qualities.get('*/*') ?? 0)
  }
  return found
}

const weight = /^(0?\.\d{1,9}|0\.?|1(\.0{0,9})?)$/

/** Null when the weight is malformed. */
const readQuality = ({ parameters }: MediaType): number | null => {
  const given = parameters.find(({ name }) => name === 'q')
  if (!given) return 1
  return weight.test(given.value) ? Number(given.value) : null
}

// Answers of one media type

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

const isProblemType = (type: string): boolean =>
  allFormats.some(format => !hasOwnErrors(format) && format.problemType === type)

// Bodies

const plainBody = (format: Format): BodyFormat => ({ format, mergePatch: false, extended: false })

const bodiesIn = (formats: readonly Format[]): ReadonlyMap<string, BodyFormat> => {
  const bodies = new Map<string, BodyFormat>()
  for (const format of formats) {
    if (!format.read) continue
    bodies.set(format.mediaType, plainBody(format))
    if (format.mergePatchType) bodies.set(format.mergePatchType, { ...plainBody(format), mergePatch: true })
  }
  return bodies
}

const readBodyType = (contentType: string, bodies: ReadonlyMap<string, BodyFormat>): BodyFormat | null => {
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

// Of the formats that the service has

export const {
  chooseFormat,
  chooseFile,
  chooseProblemFormat,
  wantsProblems,
  acceptsExtensions,
  formatOfBody,
  bodyTypes,
  patchTypes,
}: Negotiation = createNegotiation(allFormats)
