// One signed state of a membership: a link of its operator's history. The hash of the state before it stands in it, so that
// nothing can be taken out, changed or put in between without breaking every later link.

import { createHash, type KeyObject } from 'node:crypto'
import { toCanonicalJson } from './canonical-json.ts'
import { type Identity, isSignedBy, whetherSignedBy } from './identity.ts'
import type { Act } from './membership-states.ts'
import type { Membership } from './node.ts'

export interface StateEntry {
  readonly bno: string
  /** 1, 2, 3 … in the history of the operator. */
  readonly sequence: number
  /** The hash of the entry before; empty for the first. */
  readonly previous: string
  readonly act: Act
  readonly record: Membership
}

/** As it is kept and sent. */
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

/** The entry behind a text that the key has signed; undefined when it has not. */
export const openEntry = ({ entry, signature }: SignedEntry, key: KeyObject): StateEntry | undefined =>
  isSignedBy(key, { purpose: 'plinth membership state', text: entry, signature })
    ? (JSON.parse(entry) as StateEntry)
    : undefined

/** Of the members of an unordered thing: the same for the same (member, operator, network). */
export const membershipKey = (member: string, bno: string, networkId: string | null): string =>
  sha256(toCanonicalJson([member, bno, networkId])).slice(0, 40)
