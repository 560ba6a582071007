// JSON text from outside. Code that walks through a value calls itself once for each level, so the depth is limited. A key that an
// object has twice is refused (RFC 8259, 4): programs differ in which of the two values they take, so a proxy and the service might
// read different bodies.

import { toToken } from './json.ts'

export const maxJsonDepth = 64

export class JsonTooDeep extends Error {
  constructor() {
    super(`JSON is nested more than ${maxJsonDepth} levels deep`)
  }
}

export class DuplicateJsonKey extends Error {
  readonly key: string
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string
  /** The place where the key begins for the second time, in characters from 0. */
  readonly position: number

  constructor({ key, pointer, position }: JsonKey) {
    super(`JSON has a key twice at position ${position}`)
    this.key = key
    this.pointer = pointer
    this.position = position
  }
}

/**
 * Parses as `JSON.parse` does, but throws `JsonTooDeep` before a deeper value is made, and `DuplicateJsonKey`.
 *
 * @example const card: unknown = parseJson('{"number": 7}')
 */
export const parseJson = (text: string): unknown => {
  const members = countMembers(text)
  const value: unknown = JSON.parse(text)
  // Of a key that an object has twice, the value has one member.
  if (members > 1 && membersOf(value) < members) throw new DuplicateJsonKey(findDuplicateKey(text))
  return value
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
/** `[` and `{` differ in one bit, and so do `]` and `}`: with it they are these. */
const otherBit = 0x20
const opening = 0x7b
const closing = 0x7d

/** Counts the members of all objects, without making anything. Whether brackets match is for the parser to say. */
const countMembers = (text: string): number => {
  let [depth, members] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfText(text, at + 1)
      if (at < 0) return members
    } else if (code === colon) members += 1
    else if ((code | otherBit) === opening) {
      depth += 1
      if (depth > maxJsonDepth) throw new JsonTooDeep()
    } else if ((code | otherBit) === closing) depth -= 1
  }
  return members
}

const membersOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) if (typeof entry === 'object') count += membersOf(entry)
    return count
  }
  for (const key in value) {
    const member: unknown = value[key as keyof typeof value]
    count += typeof member === 'object' ? 1 + membersOf(member) : 1
  }
  return count
}

/** Returns the end of the text whose first character is at `from`; -1 when it does not end. */
const endOfText = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1
    // An odd number of them makes the quote part of the text.
    if (backslashes % 2 === 0) return end
  }
  return -1
}

interface JsonKey {
  readonly key: string
  readonly pointer: string
  readonly position: number
}

/** An object or list that is open: its keys until now, or the number of its entries. */
interface OpenLevel {
  readonly keys: Set<string> | null
  /** The key or number of the entry that is being read. */
  entry: string | number
}

/** The second one of the first pair, in a text that the parser has accepted and that has one. */
const findDuplicateKey = (text: string): JsonKey => {
  const open: OpenLevel[] = []
  let last: { readonly at: number; readonly end: number } = { at: 0, end: 0 }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const level = open.at(-1)
    if (code === quote) {
      last = { at, end: endOfText(text, at + 1) }
      at = last.end
    } else if (code === colon && level?.keys) {
      const key = String(JSON.parse(text.slice(last.at, last.end + 1)))
      level.entry = key
      if (level.keys.has(key)) return { key, pointer: pointerTo(open), position: last.at }
      level.keys.add(key)
    } else if (code === comma && level && typeof level.entry === 'number') level.entry += 1
    else if (code === openingBrace) open.push({ keys: new Set(), entry: '' })
    else if ((code | otherBit) === opening) open.push({ keys: null, entry: 0 })
    else if ((code | otherBit) === closing) open.pop()
  }
  throw new Error('JSON has no key twice')
}

const comma = 0x2c
const openingBrace = 0x7b

const pointerTo = (open: readonly OpenLevel[]): string => open.map(({ entry }) => `/${toToken(String(entry))}`).join('')
