// The keys of the service: the configured ones, or those that are made once and kept with the data, where every instance
// finds the same.

import { hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { madeOnce } from '../../core/made-once.ts'
import { assigned, defineResource } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import type { Store } from '../../core/store/store.ts'

export const signingKeys = defineResource('signingKeys', {
  about: 'The keys that sign tokens and seal secrets.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { value: text({ required: true, max: 200 }) },
  access: {},
})

export interface Keys {
  /** Signs tokens. */
  tokens(): Promise<string>
  /** Seals secrets. */
  seals(): Promise<string>
  /** Takes fingerprints of requests; made of the one that seals. */
  fingerprints(): Promise<Buffer>
}

export const createKeys = (store: Store, config: Config): Keys => {
  const seals = async () => config.get('app.auth.sealingKey') || keptKey(store, 'seals')
  return {
    tokens: async () => config.get('app.jwt.tokenSigningKey') || keptKey(store, 'tokens'),
    seals,
    fingerprints: madeOnce(async () => Buffer.from(hkdfSync('sha256', await seals(), '', 'plinth fingerprints', 32))),
  }
}

const keptKey = async (store: Store, name: 'tokens' | 'seals'): Promise<string> => {
  const resource = store.resource(signingKeys.name)
  const kept = await store.get(resource, name)
  if (kept) return String(kept.value)
  const value = randomBytes(48).toString('base64url')
  // Another instance that started at the same time may have been first.
  const isOurs = await store.transaction(tx => tx.ensure(resource, name, { value }))
  return isOurs ? value : keptKey(store, name)
}
