// Second factors as they are stored. The secret is encrypted; no caller ever sees the row.

import { randomBytes } from 'node:crypto'
import { sha256Of } from '../../../core/digest.ts'
import { defineResource } from '../../../core/model/define.ts'
import { boolean, integer, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import { sharedWith } from '../../../core/model/identifier.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import type { Row } from '../../../core/model/row.ts'
import { requireSecondFactor } from '../../people/index.ts'
import type { Seals } from '../seals.ts'

export const secondFactors = defineResource('secondFactors', {
  about: 'Second factors and their unused recovery codes.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    sealedSecret: text({ required: true, max: 500 }),
    /** Is false while it is being set up. */
    enabled: boolean({ required: true }),
    begun: timestamp({ required: true }),
    /** The time step of the last code: it and those before it are used up. */
    lastStep: integer(),
    recoveryHashes: textList({ max: 64 }),
  },
  access: {},
})

export type CodeType = 'code' | 'recovery code'

export interface CodeUse {
  readonly userPk: string
  readonly code: string
  readonly now: Date
  /** Is false for a second factor that is being set up. */
  readonly enabled: boolean
}

/** Uses up a code. The row is locked, so of several concurrent uses one succeeds. Null when the code is wrong. */
export const useCode = async (records: TransactionRecords, seals: Seals, use: CodeUse): Promise<CodeType | null> => {
  const stored = await records.lock(secondFactors, use.userPk)
  if (stored?.enabled !== use.enabled) return null
  if (isTotpForm(use.code)) {
    const step = await freshStep(stored, seals, use)
    if (step === null) return null
    await records.update(secondFactors, use.userPk, { lastStep: step })
    return 'code'
  }
  const hashes = stored.recoveryHashes ?? []
  const used = recoveryHashOf(use.userPk, use.code)
  if (!hashes.includes(used)) return null
  await records.update(secondFactors, use.userPk, { recoveryHashes: hashes.filter(hash => hash !== used) })
  return 'recovery code'
}

const freshStep = async (
  stored: Row<typeof secondFactors>,
  seals: Seals,
  { code, now }: CodeUse,
): Promise<number | null> => {
  const secret = seals.open(stored.sealedSecret, 'second factor')
  if (secret === null) throw new Error('the second factors were sealed with another key')
  const step = await stepOf(secret, code, now)
  return step !== null && step > (stored.lastStep ?? 0) ? step : null
}

/** Removes the second factor. False when there was no second factor. */
export const dropSecondFactor = async (records: TransactionRecords, userPk: string, now: Date): Promise<boolean> => {
  const stored = await records.lock(secondFactors, userPk)
  if (!stored) return false
  await records.remove(secondFactors, userPk)
  await requireSecondFactor(records, userPk, { mfa: false, now })
  return stored.enabled
}

// One-time codes: those of an authenticator app, time-based (RFC 6238), six digits, a new one every 30 seconds; and recovery codes
// on paper, each of which works once.

const period = 30

const loadCodes = () => import('otplib')

/** 160 bits, as RFC 4226, section 4, recommends. */
export const newTotpSecret = async (): Promise<string> => (await loadCodes()).generateSecret({ length: 20 })

/** Returns the address in the QR code that the app scans. */
export const totpUri = async (issuer: string, username: string, secret: string): Promise<string> =>
  (await loadCodes()).generateURI({ issuer, label: username, secret, period })

export const isTotpForm = (code: string): boolean => /^\d{6}$/.test(code)

/** The time step of the code: the present one, the one before or after it; null for every other code. */
export const stepOf = async (secret: string, code: string, now: Date): Promise<number | null> => {
  const { verifySync } = await loadCodes()
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

/** Hashes a code with the user's pk, so that equal codes of two users have different hashes. */
export const recoveryHashOf = (userPk: string, code: string): string => sha256Of(`${userPk} ${toPlain(code)}`)
