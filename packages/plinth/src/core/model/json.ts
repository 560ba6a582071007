// JSON values, and JSON text from outside.

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonMembers
/** A JSON object. */
export type JsonMembers = { readonly [member: string]: Json }

/** JSON Schema, draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: Json }

// JSON text from outside. Code that walks through a value calls itself once for each level, so the depth is limited.

export const maxJsonDepth = 64

export class JsonTooDeep extends Error {
  constructor() {
    super(`JSON is nested more than ${maxJsonDepth} levels deep`)
  }
}

/** As `JSON.parse`, but throws `JsonTooDeep` before a deeper value is made. */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) throw new JsonTooDeep()
  return JSON.parse(text)
}

const quote = 0x22
const backslash = 0x5c

/** Counts brackets outside of texts, without making anything. Whether they match is for the parser to say. */
const isTooDeep = (text: string): boolean => {
  // Each level takes a bracket at either end.
  if (text.length < 2 * maxJsonDepth) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfText(text, at + 1)
      if (at < 0) return false
    } else if (isOpening(code)) {
      depth += 1
      if (depth > maxJsonDepth) return true
    } else if (isClosing(code)) depth -= 1
  }
  return false
}

/** `[` and `{` differ in one bit, and so do `]` and `}`. */
const isOpening = (code: number): boolean => (code | 0x20) === 0x7b
const isClosing = (code: number): boolean => (code | 0x20) === 0x7d

/** Where the text ends whose first character is at `from`; -1 when it does not end. */
const endOfText = (text: string, from: number): number => {
  let end = text.indexOf('"', from)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** An odd number of backslashes in front of a quote makes it part of the text. */
const isEscaped = (text: string, at: number): boolean => {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}
