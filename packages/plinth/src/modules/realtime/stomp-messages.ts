// Messages as MESSAGE frames of STOMP. Several go into one WebSocket message: it is frames that are counted, not messages.

import { toTextFrame } from '../../core/http/sockets.ts'
import type { Bundle } from './hub.ts'
import { toFrame, type Version } from './stomp-frames.ts'
import type { Message } from './topic.ts'

/** How one subscription spells its messages. Clients mostly choose the same ids, so many share the bytes. */
export interface Spelling {
  readonly version: Version
  readonly id: string
  readonly destination: string
  readonly needsAck: boolean
}

const maxBytes = 32_768

/** As WebSocket frames. */
export const writeMessages = (spelling: Spelling, { messages, written }: Bundle): readonly Buffer[] => {
  const key = `${spelling.version} ${spelling.needsAck} ${spelling.id}`
  let known = written.get(key)
  if (!known) {
    known = inPieces(messages.map(message => toText(spelling, message)))
    written.set(key, known)
  }
  return known
}

const toText = ({ version, id, destination, needsAck }: Spelling, { sequence, body }: Message): string =>
  toFrame(version, 'MESSAGE', {
    headers: {
      subscription: id,
      'message-id': sequence,
      destination,
      sequence,
      ack: needsAck ? sequence : undefined,
      'content-type': 'application/json',
    },
    body,
  })

const inPieces = (texts: readonly string[]): readonly Buffer[] => {
  const pieces: Buffer[] = []
  let piece = ''
  for (const text of texts) {
    if (piece !== '' && piece.length + text.length > maxBytes) {
      pieces.push(toTextFrame(piece))
      piece = ''
    }
    piece += text
  }
  if (piece !== '') pieces.push(toTextFrame(piece))
  return pieces
}
