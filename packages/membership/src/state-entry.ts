// One signed state of a membership: a link in its operator's history. It has the hash of the state before it, so that nothing can be
// removed, changed or inserted without breaking every later link.
//
// Signed is the canonical JSON (RFC 8785): names in the order of their code units, no blanks, numbers and texts as ECMAScript writes
// them. So it does not matter how a value was stored or sent.

import { createHash, type KeyObject } from 'node:crypto'
import { type Identity, isSignedBy, whetherSignedBy } from './identity.ts'
import type { Act } from './membership-states.ts'
import type { Membership } from './node.ts'

/**
 * Writes canonical JSON of text, numbers, booleans, null, and lists and objects of them. What is undefined counts as
 * null.
 */
export const toCanonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`)
  return `{${members.join(',')}}`
}

export interface StateEntry {
  readonly bno: string
  /** 1, 2, 3 … in the history of the operator. */
  readonly sequence: number
  /** The hash of the entry before; empty for the first. */
  readonly previous: string
  readonly act: Act
  readonly record: Membership
}

/** An entry as it is kept and sent. */
export interface SignedEntry {
  readonly entry: string
  readonly signature: string
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const signEntry = (entry: StateEntry, identity: Identity): SignedEntry => {
  const text = toCanonicalJson(entry)
  return { entry: text, signature: identity.sign('plinth membership state', text) }
}

export const isEntrySignedBy = (key: KeyObject, { entry, signature }: SignedEntry): Promise<boolean> =>
  whetherSignedBy(key, { purpose: 'plinth membership state', text: entry, signature })

/** Parses a text whose signature was verified, now or before it was stored. */
export const parseEntry = (entry: string): StateEntry => JSON.parse(entry) as StateEntry

/** The entry behind a text that the key has signed; undefined when it has not. */
export const openEntry = ({ entry, signature }: SignedEntry, key: KeyObject): StateEntry | undefined =>
  isSignedBy(key, { purpose: 'plinth membership state', text: entry, signature }) ? parseEntry(entry) : undefined

/** Returns the key of a membership: the same for the same (member, operator, network). */
export const membershipKey = (member: string, bno: string, networkId: string | null): string =>
  sha256(toCanonicalJson([member, bno, networkId])).slice(0, 40)
