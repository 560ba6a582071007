// The key that signs tokens: the configured one, or one that is made once and kept with the data, where every instance
// finds the same.

import { randomBytes } from 'node:crypto'
import { assigned, defineResource } from '../../../core/model/define.ts'
import { text } from '../../../core/model/fields.ts'
import type { Store } from '../../../core/store/store.ts'

export const signingKeys = defineResource('signingKeys', {
  about: 'The key that signs tokens.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { value: text({ required: true, max: 200 }) },
  access: {},
})

const keyName = 'tokens'

export const createSigningKey = (store: Store, configured: string): (() => Promise<string>) => {
  let known: Promise<string> | undefined
  return () => {
    if (configured !== '') return Promise.resolve(configured)
    known ??= keptKey(store).catch(error => {
      // A failure must not be remembered as an answer.
      known = undefined
      throw error
    })
    return known
  }
}

const keptKey = async (store: Store): Promise<string> => {
  const resource = store.resource(signingKeys.name)
  const kept = await store.get(resource, keyName)
  if (kept) return String(kept.value)
  const value = randomBytes(48).toString('base64url')
  // Another instance that started at the same time may have been first.
  const isOurs = await store.transaction(tx => tx.ensure(resource, keyName, { value }))
  return isOurs ? value : keptKey(store)
}
