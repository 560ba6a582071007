// Which format an answer takes and which one a body has (RFC 9110, sections 12.5.1 and 8.3).

import { LRUCache } from 'lru-cache'
import { type BodyFormat, bodiesIn, plainBody, readBodyType } from './body-formats.ts'
import type { FileFormat } from './files/file-format.ts'
import type { Format } from './format.ts'
import { formats as allFormats } from './index.ts'
import { bestOf, hasOwnErrors, type Preferences, readPreferences } from './preferences.ts'

interface Negotiation {
  /** Chooses the format that the caller prefers; the fallback without a preference; null when none is acceptable. */
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
