// Second factors as they are stored. The secret is encrypted; no caller ever sees the row.

import { defineResource, sharedWith } from '../../../core/model/define.ts'
import { boolean, integer, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { requireSecondFactor } from '../../people/index.ts'
import type { Seals } from '../seals.ts'
import { isTotpForm, recoveryHashOf, stepOf } from './one-time-codes.ts'

export const secondFactors = defineResource('secondFactors', {
  about: 'Second factors and their unused recovery codes.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    sealedSecret: text({ required: true, max: 500 }),
    /** False while it is being set up. */
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
  /** False for a second factor that is being set up. */
  readonly enabled: boolean
}

/** Uses up a code. The row is locked, so of several concurrent uses one succeeds. Null when the code is wrong. */
export const useCode = async (tx: Transaction, seals: Seals, use: CodeUse): Promise<CodeType | null> => {
  const records = recordsIn(tx)
  const stored = await records.lock(secondFactors, use.userPk)
  if (stored?.enabled !== use.enabled) return null
  if (isTotpForm(use.code)) {
    const step = freshStep(stored, seals, use)
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

const freshStep = (stored: Row<typeof secondFactors>, seals: Seals, { code, now }: CodeUse): number | null => {
  const secret = seals.open(stored.sealedSecret, 'second factor')
  if (secret === null) throw new Error('the second factors were sealed with another key')
  const step = stepOf(secret, code, now)
  return step !== null && step > (stored.lastStep ?? 0) ? step : null
}

/** Removes the second factor. False when there was no second factor. */
export const dropSecondFactor = async (tx: Transaction, userPk: string, now: Date): Promise<boolean> => {
  const records = recordsIn(tx)
  const stored = await records.lock(secondFactors, userPk)
  if (!stored) return false
  await records.remove(secondFactors, userPk)
  await requireSecondFactor(tx, userPk, { mfa: false, now })
  return stored.enabled
}
