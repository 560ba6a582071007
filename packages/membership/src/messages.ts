// Messages between nodes: each is signed, for one recipient, and accepted once. Replies are signed and name their message.

import { randomUUID } from 'node:crypto'
import { type Json, Problem } from 'plinth'
import { isProblemCode } from 'plinth/module'
import { type Identity, isSignedBy } from './identity.ts'
import type { Party } from './party.ts'
import { toCanonicalJson } from './state-entry.ts'

export const messageKinds = ['request', 'amend', 'list', 'notify', 'hello'] as const
export type MessageKind = (typeof messageKinds)[number]

export type MessageBody = { readonly [member: string]: Json }

export interface NodeMessage {
  readonly from: string
  readonly to: string
  readonly kind: MessageKind
  /** The nonce, new for every attempt at sending. */
  readonly nonce: string
  readonly sentAt: string
  readonly body: MessageBody
}

export type Sealed<T> = T & { readonly signature: string }

export type Reply = {
  readonly from: string
  readonly to: string
  readonly inReplyTo: string
  /** What came of it, or why nothing did. */
  readonly body?: MessageBody
  readonly problem?: { readonly code: string; readonly detail: string; readonly errors: readonly Json[] }
}

export const sealMessage = (
  identity: Identity,
  content: Pick<NodeMessage, 'to' | 'kind' | 'body'>,
  now: Date,
): Sealed<NodeMessage> => {
  const message = { ...content, from: identity.party, nonce: randomUUID(), sentAt: now.toISOString() }
  return { ...message, signature: identity.sign('plinth node message', toCanonicalJson(message)) }
}

/** How far the clocks of two nodes may differ, the time on the way included. */
export const maxAge = 5 * 60_000

/** Why the message cannot be trusted; undefined when it can, as long as it comes for the first time. */
export const faultOf = (sealed: Sealed<NodeMessage>, sender: Party | undefined, now: Date): string | undefined => {
  const { signature, ...message } = sealed
  if (!sender?.key) return 'its sender is not on the network map'
  if (!isSignedBy(sender.key, { purpose: 'plinth node message', text: toCanonicalJson(message), signature }))
    return 'its signature is wrong'
  const age = Math.abs(now.getTime() - Date.parse(message.sentAt))
  return age <= maxAge ? undefined : 'it was not sent just now'
}

export const isBody = (value: unknown): value is MessageBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 1000

const line = { type: 'string', maxLength: 1000 } as const

/** A message in the OpenAPI document. `readMessage` checks it. */
export const messageSchema = {
  type: 'object',
  properties: {
    from: { ...line, description: 'The party that sends it.' },
    to: { ...line, description: 'The party that it is for.' },
    kind: { type: 'string', enum: messageKinds },
    nonce: { type: 'string', pattern: '^[\\w-]{16,64}$', description: 'New for every attempt at sending.' },
    sentAt: { ...line, format: 'date-time' },
    body: { type: 'object' },
    signature: { ...line, description: 'Of the sender, over all other members as canonical JSON.' },
  },
  required: ['from', 'to', 'kind', 'nonce', 'sentAt', 'body', 'signature'],
} as const

export const readMessage = (json: unknown): Sealed<NodeMessage> => {
  const { from, to, kind: sent, nonce, sentAt, body, signature } = isBody(json) ? json : {}
  const kind = messageKinds.find(one => one === sent)
  const isWhole = isText(from) && isText(to) && isText(nonce) && isText(sentAt) && isText(signature)
  if (!isWhole || !kind || !isBody(body) || !/^[\w-]{16,64}$/.test(nonce))
    throw new Problem('bad_request', 'This is not a message.')
  return { from, to, kind, nonce, sentAt, body, signature }
}

export const sealReply = (identity: Identity, message: NodeMessage, outcome: MessageBody | Problem): Sealed<Reply> => {
  const shared = { from: identity.party, to: message.from, inReplyTo: message.nonce }
  const reply: Reply =
    outcome instanceof Problem ? { ...shared, problem: toReplyProblem(outcome) } : { ...shared, body: outcome }
  return { ...reply, signature: identity.sign('plinth node reply', toCanonicalJson(reply)) }
}

const toReplyProblem = ({ code, message, details }: Problem) => ({
  code,
  detail: message,
  errors: (details.errors ?? []).map(({ texts: _, ...fault }) => fault),
})

/** The outcome of a message. Throws the problem of the other node, and for a reply that is not its own to this very message. */
export const openReply = (json: unknown, message: NodeMessage, recipient: Party): MessageBody => {
  const { signature, ...reply } = isBody(json) ? json : {}
  const isGenuine =
    reply.inReplyTo === message.nonce &&
    reply.from === recipient.name &&
    reply.to === message.from &&
    typeof signature === 'string' &&
    recipient.key !== null &&
    isSignedBy(recipient.key, { purpose: 'plinth node reply', text: toCanonicalJson(reply), signature })
  if (!isGenuine) throw new Problem('unavailable', `The node of ${recipient.name} sent an invalid response.`)
  if (isBody(reply.problem)) throw toProblem(reply.problem)
  return isBody(reply.body) ? reply.body : {}
}

/** A problem of another node. */
export const toProblem = ({ code, detail, errors }: MessageBody): Problem =>
  new Problem(isProblemCode(code) ? code : 'unavailable', {
    detail: typeof detail === 'string' ? detail : '',
    ...(Array.isArray(errors) && errors.length > 0 && { errors }),
  })
