// STOMP frames as text and back, in the versions 1.0, 1.1 and 1.2.

import { toTextFrame } from '../../core/http/sockets.ts'
import type { Bundle } from './sink.ts'
import type { Message } from './topic.ts'

export type Version = '1.0' | '1.1' | '1.2'

export interface Frame {
  readonly command: string
  /** The headers; of one that is repeated the first counts (STOMP 1.2, "Repeated Header Entries"). */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** What came is no frame, or too much of one. The connection cannot go on. */
export class FrameFault extends Error {}

export interface FrameLimits {
  /** The bytes of a frame, the body included. */
  readonly frame: number
  readonly headers: number
  /** The bytes of a header, name and value together. */
  readonly header: number
}

const defaultLimits: FrameLimits = { frame: 65_536, headers: 50, header: 4096 }

const lineFeed = 0x0a
const carriageReturn = 0x0d
const nul = 0x00

/** Takes bytes as they come and gives the frames in them; a frame may come in pieces, and a piece may hold several. */
export class FrameReader {
  readonly #limits: FrameLimits
  #waiting: Buffer = Buffer.alloc(0)
  /** Escapes depend on the version that is agreed on; CONNECT has none in any. */
  version: Version = '1.0'

  constructor(limits: Partial<FrameLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  *read(bytes: Buffer): Generator<Frame> {
    let rest = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes])
    for (;;) {
      rest = rest.subarray(skipLineEnds(rest))
      const found = rest.length === 0 ? null : this.#frameIn(rest)
      if (!found) break
      rest = rest.subarray(found.length)
      this.#waiting = Buffer.alloc(0)
      yield found.frame
    }
    if (rest.length > this.#limits.frame) throw new FrameFault('The frame is too large.')
    // A copy: what was handed in may be a view of a larger buffer that would be kept alive.
    this.#waiting = Buffer.from(rest)
  }

  /** The first frame and its length with the NUL, or null when it is not whole yet. */
  #frameIn(bytes: Buffer): { frame: Frame; length: number } | null {
    const head = this.#headIn(bytes)
    if (!head) return null
    const start = head.length
    const length = head.headers.get('content-length')
    const end = length === undefined ? bytes.indexOf(nul, start) : start + this.#bodyLength(length)
    if (end < 0 || end >= bytes.length) return null
    if (end > this.#limits.frame) throw new FrameFault('The frame is too large.')
    if (bytes[end] !== nul) throw new FrameFault('The body does not match content-length.')
    const { command, headers } = head
    return { frame: { command, headers, body: bytes.subarray(start, end) }, length: end + 1 }
  }

  #headIn(bytes: Buffer): { command: string; headers: Map<string, string>; length: number } | null {
    const headers = new Map<string, string>()
    let command: string | null = null
    for (let at = 0; ; ) {
      const end = bytes.indexOf(lineFeed, at)
      if ((end < 0 ? bytes.length : end) - at > this.#limits.header) throw new FrameFault('A header is too long.')
      if (end < 0) return null
      const line = bytes.toString('utf8', at, bytes[end - 1] === carriageReturn && end > at ? end - 1 : end)
      at = end + 1
      if (command === null) command = readCommand(line)
      else if (line === '') return { command, headers, length: at }
      else this.#addHeader(line, command, headers)
    }
  }

  #addHeader(line: string, command: string, headers: Map<string, string>): void {
    const colon = line.indexOf(':')
    if (colon < 1) throw new FrameFault('A header has no name.')
    if (headers.size >= this.#limits.headers) throw new FrameFault('Too many headers.')
    const isEscaped = this.version !== '1.0' && command !== 'CONNECT'
    const decode = (text: string): string => (isEscaped ? unescaped(text, this.version) : text)
    const name = decode(line.slice(0, colon))
    // In 1.0 blanks around the value do not count.
    const value = line.slice(colon + 1)
    if (!headers.has(name)) headers.set(name, this.version === '1.0' ? value.trim() : decode(value))
  }

  #bodyLength(text: string): number {
    if (!/^\d{1,10}$/.test(text)) throw new FrameFault('content-length must be a number.')
    const length = Number(text)
    if (length > this.#limits.frame) throw new FrameFault('The frame is too large.')
    return length
  }
}

/** Skips the line ends between frames, which are heart-beats. */
const skipLineEnds = (bytes: Buffer): number => {
  let at = 0
  while (bytes[at] === lineFeed || bytes[at] === carriageReturn) at++
  return at
}

const readCommand = (line: string): string => {
  if (!/^[A-Z]{1,20}$/.test(line)) throw new FrameFault('This is not a STOMP frame.')
  return line
}

const meanings: Readonly<Record<string, string>> = { '\\n': '\n', '\\c': ':', '\\\\': '\\', '\\r': '\r' }

/** Resolves escapes. Any other one is a fatal error (STOMP 1.2, "Value Encoding"). 1.1 does not know `\r`. */
const unescaped = (text: string, version: Version): string =>
  text.includes('\\')
    ? text.replace(/\\(.?)/gs, found => {
        const meaning = version === '1.1' && found === '\\r' ? undefined : meanings[found]
        if (meaning === undefined) throw new FrameFault('A header has an unknown escape.')
        return meaning
      })
    : text

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', ':': '\\c', '\\': '\\\\', '\r': '\\r' }

/** 1.0 has no escapes: what cannot be said is left out. */
const escapedFor = (version: Version, text: string): string => {
  if (version === '1.0') return text.replace(/[\r\n]/g, ' ')
  return text.replace(/[\n:\\\r]/g, one => (version === '1.1' && one === '\r' ? ' ' : (escapes[one] ?? one)))
}

export type StompHeaders = Readonly<Record<string, string | number | undefined>>

/** A frame of the server. CONNECTED escapes nothing, so that clients of every version can read it. */
export const toFrame = (
  version: Version,
  command: string,
  { headers, body = '' }: { headers: StompHeaders; body?: string },
) => {
  const escaping = command === 'CONNECTED' ? '1.0' : version
  let text = `${command}\n`
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) text += `${escapedFor(escaping, name)}:${escapedFor(escaping, value.toString())}\n`
  }
  if (body !== '') text += `content-length:${Buffer.byteLength(body)}\n`
  return `${text}\n${body}\0`
}

// Messages as MESSAGE frames of STOMP. Several go into one WebSocket message: it is frames that are counted, not messages.

/** How one subscription spells its messages. Clients mostly choose the same ids, so many share the bytes. */
export interface Spelling {
  readonly version: Version
  readonly id: string
  readonly destination: string
  readonly needsAck: boolean
}

const maxBytes = 32_768

/** Writes messages as WebSocket frames. */
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
