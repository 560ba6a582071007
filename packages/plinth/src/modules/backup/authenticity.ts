// Shows that a backup was written by a service that has the passphrase, or the signing key. Encryption for a public key does not:
// anyone who knows the public key can encrypt. What is authenticated is the digest of the manifest, which has those of all parts.

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** One line for each key: what the key is made from, and the code. */
export const macPath = 'manifest.mac'

/** The keys by what they are made from. */
export type MacKeys = ReadonlyMap<'passphrase' | 'signingKey', Buffer>

export const toMacKey = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'plinth backup', 32))

export interface Authenticated {
  /** The name of the backup: an older one in its place would be believed otherwise. */
  readonly name: string
  /** The digest of the manifest, as it is stored. */
  readonly digest: string
}

const codeOf = (key: Buffer, { name, digest }: Authenticated): string =>
  createHmac('sha256', key).update(`${name}\n${digest}`).digest('hex')

export const writeMacs = (keys: MacKeys, authenticated: Authenticated): string =>
  [...keys].map(([from, key]) => `${from} ${codeOf(key, authenticated)}\n`).join('')

const isCode = /^[0-9a-f]{64}$/

/** `absent`: none of the keys has a code. */
export const checkMacs = (
  stored: string,
  keys: MacKeys,
  authenticated: Authenticated,
): 'valid' | 'invalid' | 'absent' => {
  const lines = stored.split('\n').map(line => line.split(' '))
  const codes = new Map(lines.flatMap(([from = '', code = '']) => (isCode.test(code) ? [[from, code] as const] : [])))
  const checks = [...keys].flatMap(([from, key]) => {
    const code = codes.get(from)
    return code === undefined ? [] : [timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(key, authenticated)))]
  })
  if (checks.length === 0) return 'absent'
  return checks.every(Boolean) ? 'valid' : 'invalid'
}
