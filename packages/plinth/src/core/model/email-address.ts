// E-mail addresses that the service accepts: those of RFC 5321 without quoted parts, and those beyond ASCII (RFC 6531).

import { domainToASCII } from 'node:url'
import { sha256Of } from '../digest.ts'
import { fault } from '../fault.ts'

// What may not be in them, so that programs in any language can use the expression. Of ASCII, letters, digits and the signs of
// RFC 5322 are left, which cannot break out of a header.
const atom = '[^\\s\\x00-\\x1f\\x7f()<>\\[\\]:;@\\\\,".]+'
const labelEnd = '[^\\s\\x00-\\x2f:-@\\[-`{-\\x7f]'
const label = `${labelEnd}(?:[^\\s\\x00-,./:-@\\[-\`{-\\x7f]{0,61}${labelEnd})?`
const shape = new RegExp(`^(?=.{3,254}$)(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`)

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** The most bytes, as mail servers count (RFC 5321, 4.5.3.1). */
const longest = { local: 64, whole: 254 } as const

/**
 * Of scripts whose letters look alike, an address has one: others could imitate it. What Unicode regards as another form of a letter
 * is refused (NFKC), and so is a letter that becomes another one when its case is folded, such as ı or ß: the address could be taken
 * for that of someone else.
 */
const isUnambiguous = (text: string): boolean =>
  text === text.normalize('NFKC') &&
  text.toLowerCase() === text.toUpperCase().toLowerCase() &&
  /^[\x21-\x7e\p{L}\p{M}\p{N}]*$/u.test(text) &&
  alike.filter(script => script.test(text)).length <= 1

const alike = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]

interface AddressParts {
  readonly local: string
  /** The domain as name servers know it. */
  readonly domain: string
}

/** Returns null if the text is not an address. */
const partsOf = (text: string): AddressParts | null => {
  if (!shape.test(text)) return null
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (isAscii(text)) return { local, domain: domain.toLowerCase() }
  // The domain of an address in Cyrillic often ends in Latin letters.
  if (!isUnambiguous(local) || !domain.split('.').every(isUnambiguous)) return null
  const ascii = isAscii(domain) ? domain.toLowerCase() : domainToASCII(domain)
  const isShort = Buffer.byteLength(local) <= longest.local && Buffer.byteLength(local) + ascii.length < longest.whole
  return ascii !== '' && isShort ? { local, domain: ascii } : null
}

export const isEmail = (text: string): boolean => partsOf(text) !== null

export const emailPattern = {
  is: shape,
  says: fault('email'),
  normal: (text: string) => text.normalize('NFC'),
  faultOf: (text: string) => (isEmail(text) ? null : fault('email')),
}

/** Masks an address for the audit: enough to recognise it, too little to use it. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1***')

/**
 * Returns the same for all spellings of a mailbox. Null for anything that is not an address: folding its letters could
 * make it one.
 */
export const canonicalAddress = (email: string): string | null => {
  const parts = partsOf(email.trim().normalize('NFC'))
  return parts && `${parts.local.toLowerCase()}@${parts.domain}`
}

export const isSameMailbox = (one: string, other: string): boolean => {
  const address = canonicalAddress(one)
  return address !== null && address === canonicalAddress(other)
}

/** The canonical address in 64 characters, for keys of rows. Anyone who guesses an address can compute it, so no caller sees it. */
export const addressDigest = (email: string): string | null => {
  const address = canonicalAddress(email)
  return address && sha256Of(address)
}
