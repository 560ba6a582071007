// Challenges for passkeys. A challenge is sealed together with what it is for, so strangers who ask for many leave nothing behind. One
// that has been answered is noted until it expires: it works once.

import { randomBytes } from 'node:crypto'
import { sha256Of } from '../../../core/digest.ts'
import { defineResource } from '../../../core/model/define.ts'
import { timestamp } from '../../../core/model/fields.ts'
import { assigned } from '../../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../../core/model/records.ts'
import { Problem } from '../../../core/problem.ts'
import type { AuthContext } from '../context.ts'

/** The pk is the SHA-256 of the challenge. */
export const usedChallenges = defineResource('usedChallenges', {
  about: 'Challenges for passkeys that have been answered.',
  trash: false,
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { until: timestamp({ required: true, indexed: true }) },
  access: {},
})

/** What a challenge is for. It is worth nothing for anything else. */
export interface ChallengePurpose {
  readonly act: 'enrolment' | 'sign-in' | 'second factor' | 'verification'
  /** The pk of the user, where the user is known. */
  readonly user: string | null
  /** The session that began it, complete or waiting for the second factor. */
  readonly session: string | null
}

export interface PasskeyChallenge extends ChallengePurpose {
  readonly value: string
  readonly until: number
}

/** People look for their key or their telephone. In milliseconds. */
export const challengeLasts = 5 * 60_000

/** Returns the challenge, and the sealed text that comes back with the answer. */
export const createChallenge = async (
  { platform, seals }: AuthContext,
  purpose: ChallengePurpose,
): Promise<{ readonly value: string; readonly flow: string }> => {
  const value = randomBytes(32).toString('base64url')
  const until = platform.clock().getTime() + challengeLasts
  const challenge: PasskeyChallenge = { ...purpose, value, until }
  return { value, flow: (await seals()).seal(JSON.stringify(challenge), 'passkey') }
}

/** Problem `unauthorized` for one that has expired, or that was made for something else. */
export const readChallenge = async (
  { platform, seals }: AuthContext,
  flow: string,
  { act, user, session }: ChallengePurpose,
): Promise<PasskeyChallenge> => {
  const text = (await seals()).open(flow, 'passkey')
  // It can be decrypted, so this service has written it.
  const challenge: PasskeyChallenge | null = text === null ? null : JSON.parse(text)
  const isFitting = challenge?.act === act && challenge.user === user && challenge.session === session
  if (!isFitting || challenge.until <= platform.clock().getTime()) throw new Problem('unauthorized')
  return challenge
}

export const isUsed = async (records: RecordReader, { value }: PasskeyChallenge): Promise<boolean> =>
  (await records.first(usedChallenges, { where: { pk: sha256Of(value) } })) !== null

/** Problem `unauthorized` for one that was used before. */
export const useChallenge = async (records: TransactionRecords, { value, until }: PasskeyChallenge): Promise<void> => {
  const isFirst = await records.ensure(usedChallenges, { pk: sha256Of(value), until: new Date(until).toISOString() })
  if (!isFirst) throw new Problem('unauthorized')
}
