// Media types with parameters (RFC 9110, section 8.3.1), read in one pass over the text.

export interface MediaType {
  /** Type and subtype in lower case, such as `application/json` or `text/*`. */
  readonly type: string
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/
const range = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/

/** The media type, or null when the text is malformed. */
export const readMediaType = (text: string): MediaType | null => {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';')
  if (!range.test(type)) return null
  const parameters: MediaType['parameters'][number][] = []
  for (const part of rest) {
    // Section 5.6.6 allows empty parameters.
    if (part === '') continue
    const parameter = readParameter(part)
    if (!parameter) return null
    parameters.push(parameter)
  }
  return { type: type.toLowerCase(), parameters }
}

const readParameter = (text: string): { name: string; value: string } | null => {
  const at = text.indexOf('=')
  const name = text.slice(0, at)
  const value = text.slice(at + 1)
  if (at < 0 || !token.test(name)) return null
  if (token.test(value)) return { name: name.toLowerCase(), value }
  const isQuoted = value.length >= 2 && value.startsWith('"') && endOfQuote(value, 0) === value.length - 1
  return isQuoted ? { name: name.toLowerCase(), value: value.slice(1, -1).replace(/\\(.)/g, '$1') } : null
}

/** The parts between separators, trimmed. A quote that never ends takes the rest of the text with it. */
export const splitOutsideQuotes = (text: string, separator: ',' | ';'): string[] => {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfQuote(text, at)
    else if (text[at] === separator) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  parts.push(text.slice(start).trim())
  return parts
}

/** Returns the end of the quoted string that begins at `start`; the length of the text when it does not end. */
const endOfQuote = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

export const isUtf8 = (charset: string): boolean => /^utf-?8$/i.test(charset)

/** The extensions that a parameter `ext` names (JSON:API 1.1, "Media Type Parameters"). */
export const extensionsIn = (value: string): string[] => value.split(' ').filter(extension => extension !== '')
