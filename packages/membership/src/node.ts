// What a membership node does, whatever ledger stands behind it. A deployment with a ledger of its own implements
// `MembershipNode` in one file and names it in `adapters.ts`.

import type { Json } from 'plinth'
import type { Act, Ruling, Status } from './membership-states.ts'

/** A membership as callers see it. */
export interface Membership {
  readonly linearId: string
  /** Canonical X.500 names. */
  readonly member: string
  readonly bno: string
  readonly networkID: string | null
  readonly status: Status
  readonly membershipMetadata: Json
  readonly issued: string
  readonly modified: string
  readonly participants: readonly string[]
  readonly reason: string | null
  readonly version: number
}

/** The caller behind an order, and the key by which it is recognised when it comes twice. */
export interface Order {
  /** The person, for the record. */
  readonly actor: string
  /** The same order sent again has the same one, and is carried out once. */
  readonly operationId: string
}

/** Parties are named as callers do: an X.500 name in any spelling, or an unambiguous organisation. */
export interface RulingOrder extends Order {
  readonly ruling: Ruling
  readonly memberships: readonly Selected[]
}

export interface Selected {
  readonly member: string
  /** The node's own identity when left out. */
  readonly bno: string | null
  readonly networkId: string | null
  readonly reason: string | null
  /** The version that the caller believes to be the present one. */
  readonly version: number | null
}

export interface Application extends Order {
  readonly act: 'request' | 'amend'
  readonly operator: string
  readonly networkId: string | null
  readonly metadata: Json
}

export interface Listing {
  /** The only operator on the network map when left out. */
  readonly bno: string | null
  readonly networkId: string | null
  /** The statuses; null for ACTIVE alone. */
  readonly statuses: readonly Status[] | null
  /** The party whose memberships are listed. */
  readonly member: string | null
  readonly onlyOnNetworkMap: boolean
  readonly forceRefresh: boolean
  /** The linearId of the membership after which the list goes on. */
  readonly after: string | null
  readonly limit: number | null
}

/** One signed state of a membership, and what is to be said of its signature. */
export interface HistoryEntry {
  /** The place in the operator's history. */
  readonly sequence: number
  readonly act: Act
  readonly record: Membership
  readonly signer: string
  readonly signature: string
  readonly hash: string
  /** The hash of the state before it. */
  readonly previous: string
  /** Is it as its operator signed it? Null when the operator's key is not known. */
  readonly isSigned: boolean | null
  /** Does it hang on the state before it? Null when the node does not keep that one. */
  readonly isLinked: boolean | null
}

export interface NodeHealth {
  readonly status: 'UP' | 'DOWN'
  readonly [detail: string]: Json
}

export interface MembershipNode {
  /** The configured name. */
  readonly name: string
  /** The canonical X.500 name. */
  readonly party: string
  readonly role: 'operator' | 'member'
  readonly kind: string
  /** Rules on memberships as an operator: all of them or none. */
  rule(order: RulingOrder): Promise<readonly Membership[]>
  /** Asks an operator for a membership as a member, or proposes other metadata for it. */
  apply(order: Application): Promise<Membership>
  /** Lists memberships. The promise resolves once the permission is settled and the first batch is there. */
  list(listing: Listing): Promise<AsyncIterable<readonly Membership[]>>
  /** The states behind a membership, oldest first; 404 when the node knows no such one. */
  history(linearId: string): Promise<readonly HistoryEntry[]>
  /** The canonical names of the operators that it knows and deals with. */
  operators(): Promise<readonly string[]>
  health(): Promise<NodeHealth>
  /** Begins what the node does of itself; what it gives ends it. */
  start(): Promise<() => Promise<void>>
}
