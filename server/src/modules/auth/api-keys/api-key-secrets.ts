// What a request with a key needs to know, in one row that the key's own hash leads to. No caller ever sees it.

import { assigned, type Change, defineResource } from '../../../core/model/define.ts'
import { ref, textList, timestamp } from '../../../core/model/fields.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
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

export type KeySecrets = Row<typeof apiKeySecrets>

export interface Grant {
  readonly scopes: readonly string[]
  readonly readOnly: boolean
  readonly expirationDate: string
}

/** A read-only key reads where its scopes would let it write. */
const toStored = ({ scopes, readOnly, expirationDate }: Grant) => ({
  reach: [...new Set(readOnly ? scopes.map(scope => scope.replace(/\bwrite$/, 'read')) : scopes)],
  until: expirationDate,
})

export const keepKey = async (tx: Transaction, { pk, values }: Change): Promise<void> => {
  const hash = keyHashOf(String(values.key))
  if (hash === null) throw new Error('a key was made that cannot be read')
  const grant = values as unknown as Grant
  await recordsIn(tx).create(apiKeySecrets, { pk: hash, apiKey: pk, user: String(values.user), ...toStored(grant) })
}

export const changeKey = async (tx: Transaction, { pk, values, before }: Change): Promise<void> => {
  const grant = { ...before, ...values } as unknown as Grant
  await recordsIn(tx).updateWhere(apiKeySecrets, { apiKey: pk }, toStored(grant))
}
