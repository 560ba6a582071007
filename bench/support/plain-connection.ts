// HTTP on a plain socket: one request after the other. A thousand of them take little of the processor that the service needs. What
// fails is an answer too, so that one broken connection does not end a measurement.

import { connect, type Socket } from 'node:net'

export interface PlainResponse {
  /** The status, or the reason why there was no response. */
  readonly status: number | string
  /**
   * The milliseconds from the beginning of the request, or of the connection that was opened for it, to the end of the
   * response.
   */
  readonly ms: number
  /** The seconds after which to ask again. */
  readonly retryAfter: number
}

export interface PlainRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The request as it is sent. */
export const toText = ({ hostname }: URL, { method = 'GET', path, headers, body }: PlainRequest): string => {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: hostname, ...headers, ...length }).map(header => header.join(': '))
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n')
}

export class PlainConnection {
  readonly #server: URL
  #socket: Socket | null = null

  constructor(server: URL) {
    this.#server = server
  }

  async ask(text: string): Promise<PlainResponse> {
    const began = performance.now()
    const { status, retryAfter } = await this.#exchange(text)
    if (typeof status === 'string') this.close()
    return { status, retryAfter, ms: performance.now() - began }
  }

  /** The next request opens another one. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Socket {
    const { hostname, port } = this.#server
    const socket = connect(Number(port), hostname)
    // An error between two requests ends the connection: the next one finds it closed.
    socket.on('error', () => {})
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null
    })
    return socket
  }

  #exchange(text: string): Promise<Omit<PlainResponse, 'ms'>> {
    this.#socket ??= this.#open()
    const socket = this.#socket
    return new Promise(resolve => {
      let received = ''
      const end = (reply: Omit<PlainResponse, 'ms'>): void => {
        socket.off('data', take).off('error', fail).off('close', close)
        resolve(reply)
      }
      const take = (part: Buffer): void => {
        received += part.toString('latin1')
        const reply = readReply(received)
        if (reply) end(reply)
      }
      const fail = (error: Error): void =>
        end({ status: String(Reflect.get(error, 'code') ?? error.message), retryAfter: 0 })
      const close = (): void => end({ status: 'closed', retryAfter: 0 })
      socket.on('data', take).once('error', fail).once('close', close)
      socket.write(text)
    })
  }
}

/** Returns null until the whole response is there. */
const readReply = (received: string): Omit<PlainResponse, 'ms'> | null => {
  const head = received.indexOf('\r\n\r\n')
  if (head === -1) return null
  const numberIn = (name: string): number =>
    Number(new RegExp(`${name}: (\\d+)`, 'i').exec(received.slice(0, head))?.[1] ?? 0)
  if (received.length < head + 4 + numberIn('content-length')) return null
  return { status: Number(received.slice(9, 12)), retryAfter: numberIn('retry-after') }
}
