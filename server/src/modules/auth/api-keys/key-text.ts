// The text of an API key: a part by which people tell keys apart, and a secret of 256 bits.

import { createHash, randomBytes } from 'node:crypto'

export interface NewKey {
  readonly key: string
  readonly prefix: string
}

export const newKey = (): NewKey => {
  const prefix = randomBytes(6).toString('hex')
  return { prefix, key: `plinth_${prefix}_${randomBytes(32).toString('base64url')}` }
}

const form = /^plinth_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/

/** Does it want to be a key? Bearer tokens look otherwise. */
export const isKeyForm = (text: string): boolean => text.startsWith('plinth_')

/** Under which the key is known; null for what cannot be one. A secret of 256 bits needs no slow hash. */
export const keyHashOf = (text: string): string | null =>
  form.test(text) ? createHash('sha256').update(text).digest('hex') : null
