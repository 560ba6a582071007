// X.500 names of parties: read from text (RFC 4514), brought to one form, and checked. The order of the attributes and
// blanks around and between words do not matter in input.

import { countries } from 'countries-list'
import { ValueFault } from 'plinth/module'
import { membershipFault } from './faults.ts'

/** The attributes in the canonical order. */
const attributes = ['CN', 'OU', 'O', 'L', 'ST', 'C'] as const
type Attribute = (typeof attributes)[number]

export type X500Name = Readonly<Partial<Record<Attribute, string>> & Record<'O' | 'L' | 'C', string>>

/** X.520 gives upper bounds of 64 to most attributes; an organisation has twice as much here, and two characters at least. */
const longest: Readonly<Record<Attribute, number>> = { CN: 64, OU: 64, O: 128, L: 64, ST: 64, C: 2 }
const longestText = 1000
/** The most characters of the canonical form, so that names can be indexed by every database. */
export const longestName = 300

const malformed = (reason: string): ValueFault => new ValueFault(membershipFault('x500', { message: reason }))

/** Does the text look like an X.500 name, rather than like the plain name of an organisation? */
export const isX500 = (text: string): boolean => /^\s*(CN|OU|O|L|ST|C)\s*=/i.test(text)

export const readX500 = (text: string): X500Name => {
  if (text.length > longestText) throw malformed(`must have at most ${longestText} characters`)
  const found = new Map<Attribute, string>()
  for (const part of splitUnescaped(text)) {
    const equals = part.indexOf('=')
    const type = part.slice(0, Math.max(0, equals)).trim().toUpperCase()
    const attribute = attributes.find(known => known === type)
    if (!attribute) throw malformed(`must consist of ${attributes.join(', ')}, each with a value`)
    if (found.has(attribute)) throw malformed(`has ${attribute} twice`)
    found.set(attribute, readValue(attribute, part.slice(equals + 1)))
  }
  const needed = (attribute: Attribute): string => {
    const value = found.get(attribute)
    if (value === undefined) throw malformed(`needs ${attribute}`)
    return value
  }
  const name: X500Name = { ...Object.fromEntries(found), O: needed('O'), L: needed('L'), C: needed('C') }
  if (toX500Text(name).length > longestName) throw malformed(`must have at most ${longestName} characters in all`)
  return name
}

/** The one spelling under which a name is kept and compared. */
export const toX500Text = (name: X500Name): string =>
  attributes
    .flatMap(attribute => {
      const value = name[attribute]
      return value === undefined ? [] : [`${attribute}=${escapeValue(value)}`]
    })
    .join(', ')

/** Converts any spelling to the canonical one. */
export const canonicalX500 = (text: string): string => toX500Text(readX500(text))

/** A name in plain words, such as that of an organisation: blanks between words do not matter. */
export const plainWords = (text: string): string => text.normalize('NFC').trim().replace(/\s+/gu, ' ')

/** RFC 4514, 2.1: relative names are separated by commas; RFC 2253 and habit add semicolons. */
const splitUnescaped = (text: string): string[] => text.match(/(?:\\[\s\S]|\\$|[^\\,;])+|^$/g) ?? []

const readValue = (attribute: Attribute, raw: string): string => {
  const value = plainWords(unescapeValue(raw.trimStart()))
  // Neither control characters nor what has no UTF-8 form: names stand in headers, logs and signatures.
  if (/\p{C}/u.test(value) || !value.isWellFormed()) throw malformed(`${attribute} contains invalid characters`)
  if (value === '') throw malformed(`${attribute} is empty`)
  if (value.length > longest[attribute])
    throw malformed(
      `${attribute} must have at most ${longest[attribute]} ${attribute === 'C' ? 'letters' : 'characters'}`,
    )
  if (attribute === 'O' && value.length < 2) throw malformed('O must have at least 2 characters')
  return attribute === 'C' ? readCountry(value) : value
}

const readCountry = (value: string): string => {
  const code = value.toUpperCase()
  if (!Object.hasOwn(countries, code)) throw malformed(`C must be the ISO 3166 code of a country, not '${value}'`)
  return code
}

const special = ' "#+,;<=>\\'

/** RFC 4514, 2.4 and 3: a backslash stands before a special character or before the hex digits of UTF-8 bytes. */
const unescapeValue = (raw: string): string => {
  if (raw.startsWith('#')) throw malformed('holds a value in hexadecimal form, which is not supported')
  if (/(?<!\\)(?:\\\\)*[+"<>]/.test(raw)) throw malformed('holds an unescaped + " < or >')
  const bytes: Buffer[] = []
  for (const [piece] of raw.matchAll(/\\[0-9A-Fa-f]{2}|\\[\s\S]|[^\\]+|\\$/g)) bytes.push(bytesOf(piece))
  return Buffer.concat(bytes).toString('utf8')
}

const bytesOf = (piece: string): Buffer => {
  if (!piece.startsWith('\\')) return Buffer.from(piece)
  const escaped = piece.slice(1)
  if (escaped.length === 2) return Buffer.from(escaped, 'hex')
  if (escaped === '' || !special.includes(escaped))
    throw malformed('has a backslash before a character that needs none')
  return Buffer.from(escaped)
}

const escapeValue = (value: string): string =>
  value.replace(/["+,;<>=\\]/g, character => `\\${character}`).replace(/^#/, '\\#')
