// What a request with an API key needs: one row, found by the hash of the key. No caller ever sees it.

import { randomBytes } from 'node:crypto'
import { sha256Of } from '../../../core/digest.ts'
import { defineResource } from '../../../core/model/define.ts'
import { ref, textList, timestamp } from '../../../core/model/fields.ts'
import { assigned } from '../../../core/model/identifier.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import type { Row } from '../../../core/model/row.ts'

/** The pk is the SHA-256 of the key. */
export const apiKeySecrets = defineResource('apiKeySecrets', {
  about: 'Hashes of API keys and their scopes.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    apiKey: ref('apiKeys', { required: true, onDelete: 'cascade', bare: true }),
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    /** Copies from the record of the key; its hooks keep them current. */
    reach: textList({ max: 120 }),
    until: timestamp({ required: true }),
    lastUsed: timestamp(),
  },
  access: {},
})

export type ApiKeySecrets = Row<typeof apiKeySecrets>

export interface GeneratedKey {
  readonly key: string
  /** The public part of the key. */
  readonly prefix: string
}

/** Generates a key with a secret of 256 bits. */
export const generateKey = (): GeneratedKey => {
  const prefix = randomBytes(6).toString('hex')
  return { prefix, key: `plinth_${prefix}_${randomBytes(32).toString('base64url')}` }
}

const keyForm = /^plinth_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/

/** Is it meant to be a key? Bearer tokens begin otherwise. */
export const isKeyForm = (text: string): boolean => text.startsWith('plinth_')

/** Returns null for what cannot be a key. A secret of 256 bits needs no slow hash. */
export const keyHashOf = (text: string): string | null => (keyForm.test(text) ? sha256Of(text) : null)

export interface KeyGrant {
  readonly scopes: readonly string[]
  readonly readOnly: boolean
  readonly expirationDate: string
}

/** A read-only key may read where its scopes would let it write. */
const toStored = ({ scopes, readOnly, expirationDate }: KeyGrant) => ({
  reach: [...new Set(readOnly ? scopes.map(scope => scope.replace(/\bwrite$/, 'read')) : scopes)],
  until: expirationDate,
})

export interface NewKey extends KeyGrant {
  readonly key: string
  /** The pk of the owner. */
  readonly user: string | null
}

/** `apiKey` is the pk of the key's record. */
export const storeKey = async (
  records: TransactionRecords,
  apiKey: string,
  { key, user, ...grant }: NewKey,
): Promise<void> => {
  const hash = keyHashOf(key)
  if (hash === null || user === null) throw new Error('the new key has no owner or cannot be read')
  await records.create(apiKeySecrets, { pk: hash, apiKey, user, ...toStored(grant) })
}

export const updateGrant = async (records: TransactionRecords, apiKey: string, grant: KeyGrant): Promise<void> => {
  await records.updateMany(apiKeySecrets, { where: { apiKey } }, toStored(grant))
}
