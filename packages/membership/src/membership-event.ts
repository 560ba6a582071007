// What is recorded of a change of a membership.

import type { TransactionRecords } from 'plinth'
import type { Act } from './membership-states.ts'
import type { Membership } from './node.ts'

/** Records every change in its own transaction. */
export type RecordMembershipEvent = (transaction: TransactionRecords, event: MembershipEvent) => Promise<void>

export interface MembershipEvent {
  readonly act: Act
  readonly principal: string
  readonly data: Readonly<Record<string, string>>
}

export const toMembershipEvent = (
  act: Act,
  { member, bno, networkID, status, reason, version }: Membership,
  { node, actor }: { readonly node: string; readonly actor: string },
): MembershipEvent => ({
  act,
  principal: actor,
  data: {
    node,
    member,
    bno,
    status,
    version: version.toString(),
    ...(networkID !== null && { networkID }),
    ...(reason !== null && { reason }),
  },
})
