// Encrypts secrets that the service has to read again, such as those of second factors and cookies.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { followingKeys, type KeyRing, presentKey, type RingKey } from './key-ring.ts'

/** What a sealed text is for. A text that was sealed for another purpose cannot be opened. */
export type SealPurpose =
  | 'second factor'
  | 'pending sign-in'
  | 'social sign-in'
  | 'webhook'
  | 'passkey'
  | 'known device'

export interface Seals {
  seal(text: string, purpose: SealPurpose): string
  /** Returns null for what was not sealed by this service for this purpose. */
  open(sealed: string, purpose: SealPurpose): string | null
}

const cipher = 'aes-256-gcm'
/** NIST SP 800-38D, 5.2.1.1 and 8.2: a nonce of 96 bits, and a tag of full length. */
const sizes = { nonce: 12, tag: 16 } as const

interface SealingKey {
  readonly ringKey: RingKey
  readonly key: Buffer
}

/** Keys are read before. Sealing itself is synchronous, so it can be done in transactions. */
export const createSeals = (ring: () => Promise<KeyRing>, clock: () => Date): (() => Promise<Seals>) =>
  followingKeys(ring, keys => sealsWith(keys, clock))

const sealsWith = (ring: KeyRing, clock: () => Date): Seals => {
  const keys = ring.map(
    (ringKey): SealingKey => ({
      ringKey,
      key: Buffer.from(hkdfSync('sha256', ringKey.secret, '', 'plinth seals', 32)),
    }),
  )
  const keyInUse = (): Buffer => {
    const present = presentKey(ring, clock())
    const found = keys.find(({ ringKey }) => ringKey === present)
    if (!found) throw new Error('the key in use is not in the ring')
    return found.key
  }
  return {
    seal: (text, purpose) => {
      const key = keyInUse()
      const nonce = randomBytes(sizes.nonce)
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
      return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url')
    },
    open: (sealed, purpose) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < sizes.nonce + sizes.tag) return null
      for (const { key } of keys) {
        const text = openWith(key, bytes, purpose)
        if (text !== null) return text
      }
      return null
    },
  }
}

const openWith = (key: Buffer, bytes: Buffer, purpose: SealPurpose): string | null => {
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, sizes.nonce), { authTagLength: sizes.tag })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag))
  try {
    return opening.update(bytes.subarray(sizes.nonce + sizes.tag), undefined, 'utf8') + opening.final('utf8')
  } catch {
    return null
  }
}
