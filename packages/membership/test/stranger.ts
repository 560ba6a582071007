// A party that speaks the protocol of nodes by itself: an independent hand that signs what it likes.

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

type Members = Readonly<Record<string, unknown>>

/** RFC 8785 for the plain values that tests send. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`
}

export interface StrangersMessage {
  readonly to: string
  readonly kind: string
  readonly body: Members
}

export const createStranger = (partyName = 'O=Stranger, L=Oslo, C=NO', role = 'member') => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signed = (purpose: string, content: Members) =>
    sign(null, Buffer.from(`${purpose}\n${canonical(content)}`), privateKey).toString('base64')
  const seal = (content: Members): Members => {
    const message = { from: partyName, nonce: randomUUID(), sentAt: new Date().toISOString(), ...content }
    return { ...message, signature: signed('plinth node message', message) }
  }
  const post = (url: string, message: Members) =>
    fetch(`${url}/api/bnms/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
  return {
    entry: {
      partyName,
      role,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
    seal,
    post,
    send: (url: string, message: StrangersMessage) => post(url, seal({ ...message })),
    /** What an operator says to a message that it was sent. */
    answer: (message: Members, body: Members): Members => {
      const reply = { from: partyName, to: message.from, inReplyTo: message.nonce, body }
      return { ...reply, signature: signed('plinth node reply', reply) }
    },
    /** A state of a membership, signed as an operator would. */
    state: (content: Members) => ({ entry: canonical(content), signature: signed('plinth membership state', content) }),
  }
}
