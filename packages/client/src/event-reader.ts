// Server-sent events → changes, each once, and the place where the next request continues.

export interface ReceivedEvent {
  /** `position`: a sign of life. `reload`: what was missed has expired. */
  readonly kind: 'change' | 'position' | 'reload'
  readonly body?: unknown
}

interface ReadOptions {
  readonly signal: AbortSignal
  /** A stream without a sign of life for so long is given up. */
  readonly silenceMs: number
}

export class EventReader {
  #last: number | null = null
  /** What has arrived under the last number. */
  readonly #seen = new Set<string>()

  /**
   * The last event that needs not be sent again; null: none. Several events can have one number, and a connection can break between
   * them. So those of the last number are asked for again, and left out when they arrive a second time.
   */
  get position(): number | null {
    return this.#last !== null && this.#seen.size > 0 ? this.#last - 1 : this.#last
  }

  /** Ends with the stream; throws when it is cut off or silent. */
  async *read(response: Response, { signal, silenceMs }: ReadOptions): AsyncGenerator<ReceivedEvent, void, undefined> {
    const body = response.body?.getReader()
    if (!body) throw new Error("This runtime cannot read streams; use the transport 'websocket'.")
    const decoder = new TextDecoder()
    let silence: ReturnType<typeof setTimeout> | undefined
    const stop = (): void => void body.cancel().catch(() => {})
    signal.addEventListener('abort', stop, { once: true })
    let text = ''
    try {
      for (;;) {
        clearTimeout(silence)
        silence = setTimeout(stop, silenceMs)
        const { done, value } = await body.read()
        if (done) return
        text += decoder.decode(value, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = this.#take(block)
          if (event) yield event
        }
      }
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      stop()
    }
  }

  /** Returns null for an event that has arrived before. */
  #take(block: string): ReceivedEvent | null {
    const fields = readFields(block)
    if (fields.event === 'reload') {
      this.#last = null
      this.#seen.clear()
      return { kind: 'reload' }
    }
    const sequence = fields.id === undefined ? null : Number(fields.id)
    if (sequence !== null && sequence > (this.#last ?? -1)) {
      this.#last = sequence
      this.#seen.clear()
    }
    if (fields.data === undefined) return { kind: 'position' }
    const body: unknown = JSON.parse(fields.data)
    const key = keyOf(body, fields.data)
    if (sequence !== null && (sequence < (this.#last ?? 0) || this.#seen.has(key))) return null
    this.#seen.add(key)
    return { kind: 'change', body }
  }
}

/** A change of a record is the same even if the record has changed since. */
const keyOf = (body: unknown, text: string): string =>
  typeof body === 'object' && body !== null && 'resource' in body && 'pk' in body
    ? JSON.stringify([body.resource, body.pk])
    : text

const readFields = (block: string): Readonly<Record<string, string>> => {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name, value] = /^(id|event|data): ?(.*)$/.exec(line.replace(/\r$/, '')) ?? []
    if (name !== undefined && value !== undefined) fields[name] = name in fields ? `${fields[name]}\n${value}` : value
  }
  return fields
}
