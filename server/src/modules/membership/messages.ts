// What passes between nodes: signed, for one recipient, once. An answer is signed as well and names the message it answers.

import { randomUUID } from 'node:crypto'
import type { Json } from '../../core/model/json.ts'
import { Problem, type ProblemCode, problemTypes } from '../../core/problem.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { type Identity, isSignedBy } from './identity.ts'
import type { Party } from './network-map.ts'

export const kinds = ['request', 'amend', 'list', 'notify', 'hello'] as const
export type Kind = (typeof kinds)[number]

export type MessageBody = { readonly [member: string]: Json }

export interface NodeMessage {
  readonly from: string
  readonly to: string
  readonly kind: Kind
  /** New for every attempt at sending. */
  readonly nonce: string
  readonly sentAt: string
  readonly body: MessageBody
}

export type Sealed<T> = T & { readonly signature: string }

export interface Reply {
  readonly from: string
  readonly to: string
  readonly inReplyTo: string
  /** What came of it, or why nothing did. */
  readonly body?: MessageBody
  readonly problem?: { readonly code: string; readonly detail: string; readonly errors: Json }
}

const textOf = (content: NodeMessage | Reply): string => toCanonicalJson(content as unknown as Json)

export const sealMessage = (
  identity: Identity,
  content: Pick<NodeMessage, 'to' | 'kind' | 'body'>,
  now: Date,
): Sealed<NodeMessage> => {
  const message = { ...content, from: identity.party, nonce: randomUUID(), sentAt: now.toISOString() }
  return { ...message, signature: identity.sign('plinth node message', textOf(message)) }
}

/** How far the clocks of two nodes may differ, the time on the way included. */
export const maxAge = 5 * 60_000

/** Why the message cannot be believed; undefined when it can, as long as it comes for the first time. */
export const faultOf = (sealed: Sealed<NodeMessage>, sender: Party | undefined, now: Date): string | undefined => {
  const { signature, ...message } = sealed
  if (!sender?.key) return 'its sender is not on the network map'
  if (!isSignedBy(sender.key, { purpose: 'plinth node message', text: textOf(message), signature }))
    return 'its signature is wrong'
  const age = Math.abs(now.getTime() - Date.parse(message.sentAt))
  return age <= maxAge ? undefined : 'it was not sent just now'
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readMessage = (json: unknown): Sealed<NodeMessage> => {
  if (!isObject(json)) throw new Problem('bad_request', 'This is no message.')
  const { from, to, kind, nonce, sentAt, body, signature } = json
  const texts = [from, to, nonce, sentAt, signature].every(text => typeof text === 'string' && text.length <= 1000)
  const known = kinds.find(one => one === kind)
  if (!texts || !known || !isObject(body) || !/^[\w-]{16,64}$/.test(nonce as string))
    throw new Problem('bad_request', 'This is no message.')
  return { from, to, kind: known, nonce, sentAt, body, signature } as unknown as Sealed<NodeMessage>
}

export const sealReply = (identity: Identity, message: NodeMessage, outcome: MessageBody | Problem): Sealed<Reply> => {
  const shared = { from: identity.party, to: message.from, inReplyTo: message.nonce }
  const reply: Reply =
    outcome instanceof Problem ? { ...shared, problem: toWords(outcome) } : { ...shared, body: outcome }
  return { ...reply, signature: identity.sign('plinth node reply', textOf(reply)) }
}

const toWords = ({ code, message, details }: Problem) => ({
  code,
  detail: details.detail ?? message,
  errors: (details.errors ?? []) as unknown as Json,
})

/** The outcome of a message, when the reply is the recipient's own to this very message; a refusal is thrown. */
export const openReply = (json: unknown, message: NodeMessage, recipient: Party): MessageBody => {
  const { signature, ...reply } = (isObject(json) ? json : {}) as unknown as Sealed<Reply>
  const isGenuine =
    reply.inReplyTo === message.nonce &&
    reply.from === recipient.name &&
    reply.to === message.from &&
    typeof signature === 'string' &&
    recipient.key !== null &&
    isSignedBy(recipient.key, { purpose: 'plinth node reply', text: textOf(reply), signature })
  if (!isGenuine) throw new Problem('unavailable', `The node of ${recipient.name} gave no answer that can be believed.`)
  if (reply.problem) throw toProblem(reply.problem)
  return reply.body ?? {}
}

export const toProblem = ({ code, detail, errors }: NonNullable<Reply['problem']>): Problem => {
  const known = Object.hasOwn(problemTypes, code) ? (code as ProblemCode) : 'unavailable'
  return new Problem(known, { detail, ...(Array.isArray(errors) && errors.length > 0 && { errors }) })
}
