// One-time codes: those of an authenticator app, time-based (RFC 6238), six digits, a new one every 30 seconds; and recovery codes
// on paper, each of which works once.

import { createHash, randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'

const period = 30

/** 160 bits, as RFC 4226, section 4, recommends. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

/** For the QR code that the app scans. */
export const totpUri = (issuer: string, username: string, secret: string): string =>
  generateURI({ issuer, label: username, secret, period })

export const isTotpForm = (code: string): boolean => /^\d{6}$/.test(code)

/** The time step of the code: the present one, the one before or after it; null for every other code. */
export const stepOf = (secret: string, code: string, now: Date): number | null => {
  const epoch = Math.floor(now.getTime() / 1000)
  const found = verifySync({ strategy: 'totp', secret, token: code, period, epoch, epochTolerance: period })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}

const recoveryCodeCount = 10

/** Crockford's base 32: no letters and digits that look alike. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits: beyond guessing, so a fast hash is enough. */
const newCode = (): string =>
  Array.from(randomBytes(16), byte => letters[byte % letters.length])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newCode)

const confused: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', u: 'v' }

/** Capitals and separators do not matter. */
const toPlain = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/[oilu]/g, letter => confused[letter] ?? letter)

/** With the user's pk, so that equal codes of two users have different hashes. */
export const recoveryHashOf = (userPk: string, code: string): string =>
  createHash('sha256')
    .update(`${userPk} ${toPlain(code)}`)
    .digest('hex')
