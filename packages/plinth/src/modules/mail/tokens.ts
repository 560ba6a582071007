// One-time tokens in mails. Each is bound to a purpose, a user and the address that it is sent to. A token is reserved when its
// mail is queued and generated when the mail is sent, so that the database never contains it.

import { randomBytes } from 'node:crypto'
import { sha256Of } from '../../core/digest.ts'
import { defineResource } from '../../core/model/define.ts'
import { choice, ref, text, timestamp } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'

const tokenPurposes = ['confirmation', 'addressChange', 'passwordReset', 'welcome'] as const
export type TokenPurpose = (typeof tokenPurposes)[number]

/** The pk is the SHA-256 of the token, or random for a reservation: the table is of no use to its readers. */
export const oneTimeTokens = defineResource('oneTimeTokens', {
  about: 'Unused tokens of mails.',
  trash: false,
  identifier: assigned(/^[0-9a-f]{64}$/, 64),
  internal: true,
  stamps: 'none',
  fields: {
    purpose: choice(tokenPurposes, { required: true }),
    user: ref('users', { required: true, onDelete: 'cascade' }),
    address: text({ required: true, max: 254 }),
    expires: timestamp({ required: true, indexed: true }),
    reservation: ref('oneTimeTokens', { onDelete: 'cascade', about: 'Tokens end together with their reservation.' }),
  },
  access: {},
})

const lifetime = 24 * 3600_000

export interface TokenBinding {
  readonly purpose: TokenPurpose
  /** The user's pk. */
  readonly user: string
  readonly address: string
}

/** Answers the pk of the reservation. */
export const reserveToken = async (records: TransactionRecords, binding: TokenBinding, now: Date): Promise<string> => {
  const pk = randomBytes(32).toString('hex')
  const expires = new Date(now.getTime() + lifetime).toISOString()
  await records.create(oneTimeTokens, { pk, ...binding, expires })
  return pk
}

/** A new token; earlier ones stay valid until one of them is used. Null when the reservation has ended. */
export const issueToken = async (records: TransactionRecords, reservation: string): Promise<string | null> => {
  const reserved = await records.lock(oneTimeTokens, reservation)
  if (!reserved) return null
  const token = randomBytes(32).toString('base64url')
  const { purpose, user, address, expires } = reserved
  await records.create(oneTimeTokens, { pk: sha256Of(token), purpose, user: user.pk, address, expires, reservation })
  return token
}

/** Replaces a token by a reservation of the same binding. Null when the token is not valid any more. */
export const withdrawToken = async (records: TransactionRecords, token: string, now: Date): Promise<string | null> => {
  const binding = toBinding(await records.lock(oneTimeTokens, sha256Of(token)), now)
  if (!binding) return null
  await records.remove(oneTimeTokens, sha256Of(token))
  return reserveToken(records, binding, now)
}

/** What the token is for; null when it is unknown, used or expired. */
export const readToken = async (records: RecordReader, token: string, now: Date): Promise<TokenBinding | null> =>
  toBinding(await records.first(oneTimeTokens, { where: { pk: sha256Of(token) } }), now)

/**
 * Reads a token as `readToken` does, and uses up all tokens of the same user and purpose: of two concurrent uses, one
 * succeeds.
 */
export const useToken = async (records: TransactionRecords, token: string, now: Date): Promise<TokenBinding | null> => {
  const binding = toBinding(await records.lock(oneTimeTokens, sha256Of(token)), now)
  if (binding) await endTokens(records, binding.user, binding.purpose)
  return binding
}

/** Ends the tokens of one purpose, or all of the user. */
export const endTokens = async (records: TransactionRecords, user: string, purpose?: TokenPurpose): Promise<void> => {
  await records.removeMany(oneTimeTokens, { where: { user, ...(purpose && { purpose }) } })
}

const toBinding = (token: Row<typeof oneTimeTokens> | null, now: Date): TokenBinding | null => {
  if (!token || Date.parse(token.expires) <= now.getTime()) return null
  const { purpose, user, address } = token
  return { purpose, user: user.pk, address }
}
