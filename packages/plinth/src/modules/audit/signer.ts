// Signs the checkpoints of the audit log. Its keys follow from those that seal secrets, which may be several after a rotation: the first
// one signs, and what an earlier one has signed stays valid.

import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import { sha256Of } from '../../core/digest.ts'

export interface Signature {
  /** The name of the key. */
  readonly key: string
  readonly signature: string
}

export interface Signer {
  sign(text: string): Signature
  verifies(text: string, signed: Signature): boolean
  /** Is there a key of this name? */
  has(key: string): boolean
}

interface SigningPair {
  readonly name: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** RFC 8410, 7: what stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const keyPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

const pairOf = (secret: string): SigningPair => {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'plinth audit checkpoints', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([keyPrefix, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  return { name: sha256Of(publicKey.export({ format: 'der', type: 'spki' })).slice(0, 16), privateKey, publicKey }
}

/** `secrets`: the present one first. */
export const createSigner = (secrets: readonly string[]): Signer => {
  const pairs = secrets.map(pairOf)
  const [present] = pairs
  if (!present) throw new Error('the audit log has no key to sign with')
  const named = (key: string) => pairs.find(({ name }) => name === key)
  return {
    sign: text => ({
      key: present.name,
      signature: sign(null, Buffer.from(text), present.privateKey).toString('base64url'),
    }),
    verifies: (text, { key, signature }) => {
      const pair = named(key)
      return pair !== undefined && verify(null, Buffer.from(text), pair.publicKey, Buffer.from(signature, 'base64url'))
    },
    has: key => named(key) !== undefined,
  }
}
