// Where messages of other processes arrive: each is proved and taken once, and what comes of it goes back signed.

import { Problem } from 'plinth'
import { type JsonMembers, removeInBatches } from 'plinth/module'
import type { LocalAnswer } from './exchange.ts'
import type { Ledger } from './ledger.ts'
import { faultOf, type MessageBody, maxAge, type NodeMessage, type Sealed, sealReply } from './messages.ts'
import type { NetworkMap } from './network-map.ts'
import { membershipNonces } from './tables.ts'

export interface InboxParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly clock: () => Date
  readonly log: { warn(fields: object, message: string): void }
  readonly answer: LocalAnswer
}

export interface Inbox {
  take(message: Sealed<NodeMessage>, remoteAddress: string): Promise<JsonMembers>
  /** Drops what is too old to be taken again anyway. */
  forget(): Promise<void>
}

/** Rejections that an operator should investigate. */
const notable: ReadonlySet<Problem['code']> = new Set(['unprocessable', 'conflict', 'forbidden'])

export const createInbox = ({ ledger, map, clock, log, answer }: InboxParts): Inbox => {
  const { records, node } = ledger

  const refuse = (message: NodeMessage, why: string, remoteAddress: string): void =>
    log.warn({ node, claimedSender: message.from, kind: message.kind, remoteAddress }, `message refused: ${why}`)

  /** A message is marked as taken before anything is done about it, so that it cannot be played back. */
  const mark = async ({ nonce }: NodeMessage): Promise<boolean> => {
    const expires = new Date(clock().getTime() + 2 * maxAge).toISOString()
    try {
      await records.create(membershipNonces, { pk: `${node}.${nonce}`, expires })
      return true
    } catch (error) {
      if (error instanceof Problem && error.code === 'taken') return false
      throw error
    }
  }

  const reply = (message: NodeMessage, outcome: MessageBody | Problem): JsonMembers =>
    sealReply(ledger.identity(), message, outcome)

  return {
    take: async (message, remoteAddress) => {
      const fault = faultOf(message, map.party(message.from), clock())
      if (fault !== undefined) {
        refuse(message, fault, remoteAddress)
        throw new Problem('unauthorized')
      }
      if (!(await mark(message))) {
        refuse(message, 'it came before', remoteAddress)
        throw new Problem('conflict', 'This message was already received.')
      }
      try {
        return reply(message, await answer(message.from, message.kind, message.body))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (notable.has(error.code))
          log.warn({ node, sender: message.from, kind: message.kind, err: error }, 'message without effect')
        return reply(message, error)
      }
    },
    forget: async () => {
      try {
        const where = { expires: { lt: clock().toISOString() } }
        await removeInBatches(records, membershipNonces, { where })
      } catch (error) {
        log.warn({ err: error, node }, 'old messages not dropped')
      }
    },
  }
}
