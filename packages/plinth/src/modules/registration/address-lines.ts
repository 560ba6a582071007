// Addresses as people paste them from mail programs: one to a line or separated by commas and semicolons, with or without a
// name. Names may be quoted (RFC 5322, 3.4), and then contain separators.

import { isEmail } from '../mail/index.ts'

export interface Recipient {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

export interface ReadLines {
  readonly recipients: readonly Recipient[]
  /** What cannot be understood, as it was written. */
  readonly invalid: readonly string[]
}

export const readAddressLines = (text: string): ReadLines => {
  const recipients: Recipient[] = []
  const invalid: string[] = []
  // A header that mail programs have folded goes on in the next line (RFC 5322, 2.2.3).
  const lines = text.replace(/\r?\n[ \t]+(?=<)/g, ' ').split(/[\r\n]+/)
  for (const entry of lines.flatMap(splitLine)) {
    const { email, name } = toParts(entry)
    if (isEmail(email)) recipients.push({ email, ...splitName(name) })
    else invalid.push(entry.slice(0, 254))
  }
  return { recipients, invalid }
}

const closers: Readonly<Record<string, string>> = { '"': '"', '<': '>', '(': ')' }

/** The entries of a line. Separators within quotes, brackets and comments do not count. */
const splitLine = (line: string): string[] => {
  const entries: string[] = []
  // What is opened and never closed is an ordinary character. To look for its end once is enough.
  const unclosed = new Set<string>()
  let start = 0
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === ',' || char === ';') {
      entries.push(line.slice(start, at))
      start = at + 1
    } else if (char in closers && !unclosed.has(char)) {
      const end = endOf(line, at)
      if (end === -1) unclosed.add(char)
      else at = end
    }
  }
  return [...entries, line.slice(start)].map(entry => entry.trim()).filter(entry => entry !== '')
}

/** Where the quote, bracket or comment that opens at `start` is closed; -1 when it is not. */
const endOf = (line: string, start: number): number => {
  const opener = line[start] ?? ''
  const closer = closers[opener] ?? ''
  if (opener !== '"') return line.indexOf(closer, start)
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === '\\') at += 1
    else if (line[at] === closer) return at
  }
  return -1
}

const toParts = (entry: string): { readonly email: string; readonly name: string } => {
  const bracket = entry.endsWith('>') ? entry.lastIndexOf('<') : -1
  if (bracket !== -1) return { email: entry.slice(bracket + 1, -1).trim(), name: unquote(entry.slice(0, bracket)) }
  const comment = entry.endsWith(')') ? entry.indexOf('(') : -1
  if (comment !== -1) return { email: entry.slice(0, comment).trim(), name: entry.slice(comment + 1, -1) }
  return { email: unquote(entry), name: '' }
}

/** Names are quoted twice by those mail programs that put single quotes around what they show. */
const unquote = (text: string): string => {
  const inner = /^"(.*)"$/s.exec(text.trim())?.[1]?.replace(/\\(.)/gs, '$1') ?? text.trim()
  return /^'(.*)'$/s.exec(inner)?.[1] ?? inner
}

/** A name that is an address adds nothing. */
const splitName = (name: string): { readonly firstName: string; readonly lastName: string } => {
  if (isEmail(name)) return { firstName: '', lastName: '' }
  const [family = '', given, ...more] = name.split(',')
  const isReversed = given !== undefined && more.length === 0
  const [first = '', ...rest] = (isReversed ? given : name).trim().split(/\s+/)
  const last = isReversed ? [...rest, family.trim()] : rest
  return { firstName: first.slice(0, 100), lastName: last.join(' ').slice(0, 100) }
}
