// What a user has besides the password. The secret is sealed; no caller ever sees the row.

import { defineResource, sharedWith } from '../../../core/model/define.ts'
import { boolean, integer, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { requireSecondFactor } from '../../people/index.ts'
import type { Seals } from '../seals.ts'
import { recoveryHashOf } from './recovery-codes.ts'
import { isTotpForm, stepOf } from './totp.ts'

export const secondFactors = defineResource('secondFactors', {
  about: 'Second factors, and what is left of their recovery codes.',
  identifier: sharedWith('user'),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    sealedSecret: text({ required: true, max: 500 }),
    /** False while the user sets it up. */
    enabled: boolean({ required: true }),
    begun: timestamp({ required: true }),
    /** The time step of the last code that was taken: it and those before it are used up. */
    lastStep: integer(),
    recoveryHashes: textList({ max: 64 }),
  },
  access: {},
})

/** By what the user was proved. */
export type Means = 'code' | 'recovery code'

export interface CodeUse {
  readonly userPk: string
  readonly code: string
  readonly now: Date
  /** Or one that is still being set up. */
  readonly enabled: boolean
}

/** Takes a code, once: the row is held, so of many at a time one is taken. Null when it is not good. */
export const useCode = async (tx: Transaction, seals: Seals, use: CodeUse): Promise<Means | null> => {
  const records = recordsIn(tx)
  const held = await records.lock(secondFactors, use.userPk)
  if (held?.enabled !== use.enabled) return null
  if (isTotpForm(use.code)) {
    const step = freshStep(held, seals, use)
    if (step === null) return null
    await records.update(secondFactors, use.userPk, { lastStep: step })
    return 'code'
  }
  const hashes = held.recoveryHashes ?? []
  const used = recoveryHashOf(use.userPk, use.code)
  if (!hashes.includes(used)) return null
  await records.update(secondFactors, use.userPk, { recoveryHashes: hashes.filter(hash => hash !== used) })
  return 'recovery code'
}

const freshStep = (held: Row<typeof secondFactors>, seals: Seals, { code, now }: CodeUse): number | null => {
  const secret = seals.open(held.sealedSecret, 'second factor')
  if (secret === null) throw new Error('the key that sealed the second factors is not the present one')
  const step = stepOf(secret, code, now)
  return step !== null && step > (held.lastStep ?? 0) ? step : null
}

/** The password alone is enough from now on. False when it was so before. */
export const dropSecondFactor = async (tx: Transaction, userPk: string, now: Date): Promise<boolean> => {
  const records = recordsIn(tx)
  const held = await records.lock(secondFactors, userPk)
  if (!held) return false
  await records.remove(secondFactors, userPk)
  await requireSecondFactor(tx, userPk, { mfa: false, now })
  return held.enabled
}
