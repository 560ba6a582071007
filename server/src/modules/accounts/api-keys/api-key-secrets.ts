// What a request with a key needs to know, in one row that the key's own hash leads to. No caller ever sees it.

import { assigned, type Change, defineResource } from '../../../core/model/define.ts'
import { ref, textList, timestamp } from '../../../core/model/fields.ts'
import { everything, where } from '../../../core/model/query.ts'
import type { Values } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordAudit } from '../../audit/index.ts'
import type { TakingBack } from '../take-back.ts'
import { keyHashOf } from './key-text.ts'

/** The pk is the SHA-256 of the key. */
export const apiKeySecrets = defineResource('apiKeySecrets', {
  about: 'Hashes of API keys, and what they are good for.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    apiKey: ref('apiKeys', { required: true, onDelete: 'cascade', bare: true }),
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    /** Copies of what the key's record says, kept by its hooks. */
    reach: textList({ max: 120 }),
    until: timestamp({ required: true }),
    lastUsed: timestamp(),
  },
  access: {},
})

export interface Grant {
  readonly scopes: readonly string[]
  readonly readOnly: boolean
  readonly expirationDate: string
}

/** A read-only key reads where its scopes would let it write. */
const toStored = ({ scopes, readOnly, expirationDate }: Grant): Values => ({
  reach: [...new Set(readOnly ? scopes.map(scope => scope.replace(/\bwrite$/, 'read')) : scopes)],
  until: expirationDate,
})

export const keepKey = async (tx: Transaction, { pk, values }: Change): Promise<void> => {
  const hash = keyHashOf(String(values.key))
  if (hash === null) throw new Error('a key was made that cannot be read')
  const grant = values as unknown as Grant
  await tx.insert(tx.resource(apiKeySecrets.name), hash, { apiKey: pk, user: values.user, ...toStored(grant) })
}

export const changeKey = async (tx: Transaction, { pk, values, before }: Change): Promise<void> => {
  const secrets = tx.resource(apiKeySecrets.name)
  const grant = { ...before, ...values } as unknown as Grant
  const { records } = await tx.find(secrets, everything(secrets, where(secrets, { apiKey: pk }), 1))
  for (const { pk: hash } of records) await tx.update(secrets, hash, toStored(grant))
}

export const endKeys = async (tx: Transaction, { userPk, principal, data, now }: TakingBack): Promise<void> => {
  const keys = tx.resource('apiKeys')
  const count = await tx.removeWhere(keys, where(keys, { user: userPk }))
  if (count === 0) return
  await recordAudit(tx, { type: 'API_KEYS_ENDED', principal, data: { ...data, count: String(count) }, now })
}
