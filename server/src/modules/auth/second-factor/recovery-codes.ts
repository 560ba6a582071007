// Codes on paper, for whoever has lost the authenticator: each of them works once, and only hashes are kept.

import { createHash, randomBytes } from 'node:crypto'

export const recoveryCodeCount = 10

/** Without letters and digits that look alike (Crockford's base 32). */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits: beyond guessing, so a fast hash is enough. */
const newCode = (): string =>
  Array.from(randomBytes(16), byte => letters[byte % letters.length])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newCode)

const confused: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', u: 'v' }

/** However it was typed: in capitals, without or with other gaps. */
const toPlain = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/[oilu]/g, letter => confused[letter] ?? letter)

/** Bound to the user, so that equal codes of two users have different hashes. */
export const recoveryHashOf = (userPk: string, code: string): string =>
  createHash('sha256')
    .update(`${userPk} ${toPlain(code)}`)
    .digest('hex')
