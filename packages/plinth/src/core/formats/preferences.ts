// The formats that an Accept header prefers.

import type { FileFormat } from './files/file-format.ts'
import { ownFileFormats } from './files/index.ts'
import type { Format } from './format.ts'
import { type MediaType, readMediaType, splitOutsideQuotes } from './media-type.ts'

/** What an `Accept` header asks for. */
export interface Preferences {
  /** The qualities from 0, not acceptable, to 1; null when the header holds nothing that can be read. */
  readonly qualities: ReadonlyMap<Format, number> | null
  /** The format in which problems are asked for by name, and how much it is preferred. */
  readonly problems: { readonly format: Format; readonly quality: number } | null
  readonly file: FileFormat | null
}

/** The first is the fallback. */
export const bestOf = (
  { qualities, problems }: Preferences,
  offered: readonly [Format, ...Format[]],
): Format | null => {
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

export const readPreferences = (
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
export const hasOwnErrors = ({ mediaType, problemType }: Format): boolean => mediaType === problemType

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

/** Returns null when the weight is malformed. */
export const readQuality = ({ parameters }: MediaType): number | null => {
  const parameter = parameters.find(({ name }) => name === 'q')
  if (!parameter) return 1
  return weight.test(parameter.value) ? Number(parameter.value) : null
}
