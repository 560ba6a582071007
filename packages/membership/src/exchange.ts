// Between nodes: a message goes out and its outcome comes back, whether the other node is in this process or another one.

import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from 'plinth'
import { type CallNode, createNodeCaller } from './caller-of-nodes.ts'
import type { Identity } from './identity.ts'
import { type MessageBody, type MessageKind, openReply, sealMessage } from './messages.ts'
import type { NetworkMap } from './network-map.ts'
import { toNodeUrl } from './node-address.ts'

export const messagesPath = '/api/bnms/messages'
export const nodesPath = '/api/bnms/nodes'

/** A node of this process: it needs no proof of who speaks. */
export type LocalAnswer = (from: string, kind: MessageKind, body: MessageBody) => Promise<MessageBody>

export interface Post {
  /** The node that answers for a party of this process. */
  readonly local: Map<string, LocalAnswer>
  caller(address: string, called: string): CallNode
}

export const createPost = (timeoutMs: number): Post => {
  const callers = new Map<string, CallNode>()
  return {
    local: new Map(),
    caller: (address, called) => {
      let caller = callers.get(address)
      if (!caller) {
        caller = createNodeCaller({ url: toNodeUrl(address) ?? '', timeoutMs, called })
        callers.set(address, caller)
      }
      return caller
    },
  }
}

export interface Asking {
  readonly to: string
  readonly kind: MessageKind
  readonly body: MessageBody
  /** 1: a notice, which will be tried again anyway. */
  readonly attempts?: number
}

export type Ask = (asking: Asking) => Promise<MessageBody>

export interface AskParts {
  readonly identity: () => Identity
  readonly map: NetworkMap
  readonly post: Post
  readonly clock: () => Date
}

/** Every attempt is a message of its own; what must happen once bears an operationId inside. */
export const createAsk =
  ({ identity, map, post, clock }: AskParts): Ask =>
  async ({ to, kind, body, attempts = 3 }) => {
    const here = post.local.get(to)
    if (here) return here(identity().party, kind, body)
    const recipient = map.party(to)
    if (!recipient?.address || !recipient.key)
      throw new Problem('unavailable', `The network map does not say how to reach ${to}.`)
    const call = post.caller(recipient.address, to)
    for (let count = 1; ; count++) {
      const message = sealMessage(identity(), { to, kind, body }, clock())
      try {
        const answer = await call({
          method: 'POST',
          path: messagesPath,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(message),
          repeatable: false,
        })
        if (answer.status === 200) return openReply(answer.json, message, recipient)
        throw new Problem('unavailable', `The node of ${to} refused a message with ${answer.status}.`)
      } catch (error) {
        if (count >= attempts || !isLost(error)) throw error
        await pause(100 * 2 ** count * (0.5 + Math.random() / 2))
      }
    }
  }

/** The message or its answer was lost on the way, as opposed to a node that is known to be down. */
const isLost = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'unavailable' && error.details.cause !== undefined
