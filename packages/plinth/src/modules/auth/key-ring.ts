// The keys for one purpose, newest first: one of them is in use, and what the former ones have signed or sealed stays valid. A new key
// is known to all instances some time before it is used.

import { sha256Of } from '../../core/digest.ts'

export interface RingKey {
  /** The name that tokens have in `kid`; says nothing of the key. */
  readonly name: string
  readonly secret: string
  /** The time from which on it is used, in milliseconds; 0 for the first key. */
  readonly from: number
}

/** Newest first; there is one at least. */
export type KeyRing = readonly RingKey[]

export const ringKey = (secret: string, from = 0): RingKey => ({
  name: sha256Of(`plinth key ${secret}`).slice(0, 12),
  secret,
  from,
})

const dated = /^(\S+) from (\S+)$/

/** A line for each key: the key, and the time from which on it is used if there was one before it. */
export const readRing = (text: string): KeyRing =>
  text
    .trim()
    .split('\n')
    .map(line => {
      const [, secret, from] = dated.exec(line.trim()) ?? []
      return secret && from ? ringKey(secret, Date.parse(from)) : ringKey(line.trim())
    })

export const writeRing = (ring: KeyRing): string =>
  ring.map(({ secret, from }) => (from === 0 ? secret : `${secret} from ${new Date(from).toISOString()}`)).join('\n')

/** The key in use. */
export const presentKey = (ring: KeyRing, now: Date): RingKey => {
  const found = ring.find(({ from }) => from <= now.getTime()) ?? ring.at(-1)
  if (!found) throw new Error('a ring of keys is empty')
  return found
}

/** The ring without the keys that were replaced before this time. */
export const withoutOld = (ring: KeyRing, replacedBefore: number): KeyRing =>
  ring.filter((_, at) => at === 0 || (ring[at - 1]?.from ?? 0) > replacedBefore)

/** What follows from the keys of a ring, made again when there is another ring. */
export const followingKeys = <T>(
  readKeys: () => Promise<KeyRing>,
  make: (ring: KeyRing) => T | Promise<T>,
): (() => Promise<T>) => {
  let made: { readonly ring: KeyRing; readonly value: T } | null = null
  return async () => {
    const ring = await readKeys()
    if (made?.ring !== ring) made = { ring, value: await make(ring) }
    return made.value
  }
}
