// Changes over server-sent events (HTML Living Standard, section 9.2), read with `fetch`: it sends credentials in headers, which
// neither `EventSource` nor `WebSocket` of a browser does. One request serves many topics, and a change of them starts it again.

import { EventReader, type ReceivedEvent } from './event-reader.ts'
import type { LiveReceiver, LiveSource, LiveTransport } from './live-transport.ts'
import { ApiProblem } from './problem.ts'
import { sleep, toApiResponse } from './request.ts'

/** The service takes this many topics in one request. */
const maxTopics = 20

/** The milliseconds of silence, longer than the service is ever silent. */
const silenceMs = 45_000

/** The milliseconds after a refusal that no topic explains. */
const againMs = 10_000

interface EventStream {
  readonly destinations: Set<string>
  /** Subscriptions that the service has not confirmed yet. */
  readonly newcomers: Set<string>
  readonly reader: EventReader
  /** Attempts to connect since the last one that succeeded. */
  failed: number
  /** Ends the request that is under way. */
  run: AbortController | null
}

export class EventsTransport implements LiveTransport {
  readonly #source: LiveSource
  readonly #receiver: LiveReceiver
  readonly #streams = new Set<EventStream>()
  /** Streams whose topics have changed. */
  readonly #changed = new Set<EventStream>()
  #isOpen = false

  constructor(source: LiveSource, receiver: LiveReceiver) {
    this.#source = source
    this.#receiver = receiver
  }

  open(): void {
    this.#isOpen = true
    if (this.#streams.size === 0) this.#receiver.connected()
  }

  async close(): Promise<void> {
    this.#isOpen = false
    for (const { run } of this.#streams) run?.abort()
    this.#streams.clear()
  }

  subscribe(destination: string): void {
    const stream = this.#roomFor(destination)
    stream.destinations.add(destination)
    stream.newcomers.add(destination)
    this.#change(stream)
  }

  unsubscribe(destination: string): void {
    for (const stream of this.#streams) if (stream.destinations.has(destination)) this.#drop(stream, destination)
  }

  /** Messages of a queue do not name it, so each queue has a stream of its own. */
  #roomFor(destination: string): EventStream {
    if (isTopic(destination))
      for (const stream of this.#streams) {
        const [first = ''] = stream.destinations
        if (isTopic(first) && stream.destinations.size < maxTopics) return stream
      }
    const stream = {
      destinations: new Set<string>(),
      newcomers: new Set<string>(),
      reader: new EventReader(),
      failed: 0,
      run: null,
    }
    this.#streams.add(stream)
    return stream
  }

  #drop(stream: EventStream, destination: string): void {
    stream.destinations.delete(destination)
    stream.newcomers.delete(destination)
    if (stream.destinations.size === 0) this.#streams.delete(stream)
    this.#change(stream)
  }

  /** Topics that change together lead to one request. */
  #change(stream: EventStream): void {
    if (this.#changed.has(stream)) return
    this.#changed.add(stream)
    setTimeout(() => {
      this.#changed.delete(stream)
      stream.run?.abort()
      stream.run = null
      if (this.#isOpen && this.#streams.has(stream)) void this.#run(stream)
    })
  }

  /** Reads, and connects again, until the topics change or the connection is closed. */
  async #run(stream: EventStream): Promise<void> {
    const run = new AbortController()
    stream.run = run
    for (;;) {
      await this.#listen(stream, run.signal).catch((error: unknown) => {
        if (!run.signal.aborted) this.#failed(stream, error)
      })
      if (run.signal.aborted) return
      this.#receiver.lost(stream.destinations)
      // Clients that were cut off together do not come back together.
      const wait = Math.min(30_000, 250 * 2 ** stream.failed++) * (0.75 + Math.random() / 2)
      await sleep(wait, run.signal).catch(() => {})
      if (run.signal.aborted) return
    }
  }

  /** Resolves when the service ends the stream; rejects when the connection is cut. */
  async #listen(stream: EventStream, signal: AbortSignal): Promise<void> {
    const { reader, destinations } = stream
    const isResumed = reader.position !== null
    const response = await this.#request([...destinations], reader.position, signal)
    let isConfirmed = false
    for await (const event of reader.read(response, { signal, silenceMs })) {
      if (event.kind === 'reload') return
      if (!isConfirmed) this.#confirm(stream, isResumed)
      isConfirmed = true
      if (event.kind === 'change') this.#deliver(stream, event)
    }
  }

  async #request(topics: readonly string[], lastEventId: number | null, signal: AbortSignal): Promise<Response> {
    const response = await this.#source.send('/api/rest/events', {
      query: { topic: topics, record: true, lastEventId },
      headers: { Accept: 'text/event-stream, application/problem+json' },
      signal,
    })
    if (!response.ok) await toApiResponse(response)
    return response
  }

  #confirm(stream: EventStream, isResumed: boolean): void {
    const { destinations, newcomers } = stream
    stream.failed = 0
    const known = new Set(newcomers)
    newcomers.clear()
    for (const destination of destinations) this.#receiver.confirmed(destination, isResumed && !known.has(destination))
  }

  #deliver({ destinations }: EventStream, { body }: ReceivedEvent): void {
    const [first = ''] = destinations
    const { resource, pk } = body as { readonly resource: string; readonly pk: string }
    const heard = isTopic(first) ? [`/topic/${resource}`, `/topic/${resource}/${pk}`] : [first]
    for (const destination of heard) if (destinations.has(destination)) this.#receiver.received(destination, body)
  }

  /** The service refuses all topics for one that it refuses: each is tried alone. */
  #failed(stream: EventStream, error: unknown): void {
    if (!(error instanceof ApiProblem) || ![400, 403, 404].includes(error.status)) return
    const [only, second] = stream.destinations
    if (only !== undefined && second === undefined) this.#refuse(stream, only, error)
    else void this.#tryEach(stream)
  }

  async #tryEach(stream: EventStream): Promise<void> {
    stream.run?.abort()
    const before = stream.destinations.size
    for (const destination of [...stream.destinations]) {
      const probe = new AbortController()
      try {
        await this.#request([destination], null, probe.signal)
      } catch (error) {
        if (error instanceof ApiProblem && [400, 403, 404].includes(error.status))
          this.#refuse(stream, destination, error)
      }
      probe.abort()
    }
    // None of them alone is the reason.
    if (stream.destinations.size === before) await sleep(againMs)
    this.#change(stream)
  }

  #refuse(stream: EventStream, destination: string, { code }: ApiProblem): void {
    if (!stream.destinations.has(destination)) return
    stream.run?.abort()
    this.#drop(stream, destination)
    this.#receiver.refused(destination, code)
    // Nothing else may be under way.
    if (this.#streams.size === 0) this.#receiver.connected()
  }
}

const isTopic = (destination: string): boolean => destination.startsWith('/topic/')
