// Passwords: how they are hashed and verified, and which are refused.

import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { FairQueue } from '../../core/fair-queue.ts'
import { type FaultReason, fault } from '../../core/fault.ts'
import type { FieldOptions } from '../../core/model/field-options.ts'
import type { TextPattern } from '../../core/model/fields/text.ts'
import { input, secret } from '../../core/model/fields.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { peopleFault } from './problems.ts'

/** Argon2id at the floor of OWASP ASVS 5.0, appendix C: 46 MiB and one pass. */
export const productionHashMemory = 47_104

let memoryCost: number = productionHashMemory

/**
 * Sets the memory of hashes, for tests only: a hash at production cost takes 33 ms of a core, and tests sign in
 * thousands of times.
 */
export const setHashMemory = (kibibytes: number): void => {
  memoryCost = kibibytes
  strength = strengthOf(kibibytes)
}

const strengthOf = (kibibytes: number): string => `$argon2id$v=19$m=${kibibytes},t=1,p=1$`

/** How hashes of the present strength begin. */
let strength = strengthOf(memoryCost)

/**
 * Each hash takes a core and 46 MiB, so the process computes few at a time: one core is left for other requests, and one of
 * Node's four worker threads for files.
 */
const turns = new FairQueue({ places: Math.min(3, Math.max(1, availableParallelism() - 1)), waiting: 500 })

export const hashPassword = (password: string): Promise<string> =>
  turns.run(() => hash(password.normalize('NFC'), { algorithm: 2, memoryCost, timeCost: 1, parallelism: 1 }))

/** A hash that no known password has: 16 bytes of salt and 32 bytes. */
const decoy = (): string => `${strength}${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Verifies a password. Null for an account that does not exist or has no password: false, after the same time as for
 * others.
 */
export const verifyPassword = async (kept: string | null, password: string): Promise<boolean> => {
  const isRight = await turns.run(() => verify(kept ?? decoy(), password.normalize('NFC')))
  return kept !== null && isRight
}

/** Was it made with other parameters than the present ones? Then the next sign-in replaces it. */
export const isOutdated = (kept: string): boolean => !kept.startsWith(strength)

export const passwordLength = { min: 8, max: 256 } as const

export interface PasswordContext {
  readonly username?: string | undefined
  readonly email?: string | undefined
}

/** The faults of a new password; an empty list when it is accepted. */
export const checkPassword = (password: string, context: PasswordContext): Fault[] => {
  const reason = passwordFault(password, context)
  return reason ? [{ pointer: '/password', member: 'password', ...reason }] : []
}

const passwordFault = (password: string, context: PasswordContext): FaultReason | null => {
  const length = [...password].length
  if (!password.isWellFormed() || password.includes('\0')) return fault('characters')
  if (length < passwordLength.min) return fault('min_length', { min: passwordLength.min })
  if (length > passwordLength.max) return fault('max_length', { max: passwordLength.max })
  const bare = toBare(password)
  if (common.has(password.toLowerCase()) || isDecorated(password, bare) || isMonotonous(password))
    return peopleFault('common_password')
  if (wordsOf(context).some(word => bare.includes(word) && bare.length < word.length + passwordLength.min))
    return peopleFault('password_like_name')
  return null
}

const common: ReadonlySet<string> = new Set(dictionary['passwords-common'] as readonly string[])

/** Returns a text in lower case, without the digits and signs that people put around a word. */
const toBare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** A common word with little around it. */
const isDecorated = (password: string, bare: string): boolean => common.has(bare) && password.length - bare.length <= 4

/** One character again and again, or a run such as 23456789 or abcdefgh. */
const isMonotonous = (password: string): boolean => {
  const codes = [...password].map(character => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)))
  return new Set(codes).size <= 2 || (steps.size === 1 && [...steps].every(step => Math.abs(step) <= 1))
}

/** Parts of three letters or fewer occur in too many words. */
export const wordsOf = ({ username = '', email = '' }: PasswordContext): string[] =>
  [username, ...email.split(/[@.]/)].map(toBare).filter(word => word.length > 3)

// A password in the body of a record: hashed before the transaction begins, checked and stored by the hooks.

/** A password as it is stored: its hash. */
export interface PreparedPassword {
  readonly plain: string
  readonly hash: string
}

/** What is wrong with the password alone is reported with the faults of the other fields. The hooks also compare it with the names. */
const acceptable: TextPattern = {
  is: /^[^\0]*$/,
  says: fault('characters'),
  faultOf: password => passwordFault(password, {}),
}

/** A write-only field for a new password. */
export const passwordField = (options: FieldOptions<string>) =>
  input(
    secret({ max: passwordLength.max, title: { de: 'Passwort' }, pattern: acceptable, ...options }),
    async (plain): Promise<PreparedPassword> => ({ plain, hash: await hashPassword(plain) }),
  )

/** The hash of the password that was sent; null without one. Problem `invalid` for a password that is not accepted. */
export const hashOfNew = (sent: PreparedPassword | null | undefined, context: PasswordContext): string | null => {
  if (!sent) return null
  const errors = checkPassword(sent.plain, context)
  if (errors.length > 0) throw new Problem('invalid', { detail: `password ${errors[0]?.message}.`, errors })
  return sent.hash
}
