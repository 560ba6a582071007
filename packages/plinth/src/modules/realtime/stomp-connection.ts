// One STOMP client on a WebSocket: the frames that it sends, in order, and those that it gets.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Socket, SocketListener } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'
import { type Context, contextFor } from '../../core/rest/context.ts'
import type { Service } from '../../core/service.ts'
import type { RealtimeClient } from './clients.ts'
import { HeartBeats } from './heart-beats.ts'
import { ReloadNeeded, type Subscription } from './hub.ts'
import { limits, TokenBucket } from './limits.ts'
import type { Realtime } from './realtime.ts'
import type { Bundle, Sink } from './sink.ts'
import {
  type Frame,
  FrameFault,
  FrameReader,
  type Spelling,
  type StompHeaders,
  toFrame,
  type Version,
  writeMessages,
} from './stomp-frames.ts'

/** A frame that the client may not send: it gets an error, and the connection ends (STOMP 1.2, "ERROR"). */
class Refusal extends Error {
  readonly detail: string
  constructor(message: string, detail: string) {
    super(message)
    this.detail = detail
  }
}

export interface Handshake {
  readonly request: Request
  readonly caller: Caller
}

export class StompConnection implements RealtimeClient, SocketListener {
  readonly request: Request
  caller: Caller
  session: string | null = null
  readonly #service: Service
  readonly #realtime: Realtime
  readonly #socket: Socket
  readonly #reader = new FrameReader()
  readonly #subscriptions = new Map<string, { readonly destination: string; readonly subscription: Subscription }>()
  #isSubscribing = false
  readonly #frames = new TokenBucket(limits.framesAtOnce, limits.framesPerSecond)
  readonly #beats: HeartBeats
  /** Frames are answered one after the other, in the order of their arrival. */
  #work: Promise<void> = Promise.resolve()
  #version: Version | null = null
  #ended = false
  #leaveHub: () => void = () => {}

  constructor(service: Service, realtime: Realtime, socket: Socket, { request, caller }: Handshake) {
    this.#service = service
    this.#realtime = realtime
    this.#socket = socket
    this.request = request
    this.caller = caller
    this.#beats = new HeartBeats(socket)
  }

  /** The number of subscriptions, with the one that is being made. */
  get subscriptionCount(): number {
    return this.#subscriptions.size + (this.#isSubscribing ? 1 : 0)
  }

  message(data: Buffer): void {
    if (this.#ended) return
    this.#beats.received()
    try {
      // A message costs as much as the frames in it, and a beat as much as a frame.
      this.#spend()
      let frames = 0
      for (const frame of this.#reader.read(data)) {
        frames += 1
        if (frames > 1) this.#spend()
        // The version rules how the frames after CONNECT are read, so it is settled at once.
        if (this.#version === null) this.#agree(frame)
        this.#work = this.#work.then(() => this.#handle(frame)).catch(error => this.failed(error))
      }
    } catch (error) {
      this.failed(error)
    }
  }

  alive(): void {
    this.#beats.received()
  }

  closed(): void {
    this.#end()
  }

  renew(caller: Caller): void {
    this.caller = caller
    if (this.#dropUnread()) return
    try {
      const context = this.#context()
      for (const { subscription } of this.#subscriptions.values()) subscription.renew(context)
    } catch (error) {
      this.failed(error)
    }
  }

  cut(reason: string): void {
    if (!this.#dropUnread()) this.failed(new Refusal('unauthorized', reason))
  }

  /**
   * Drops waiting messages, which were made with the former rights. Clients that reconnect get what they may read now.
   */
  #dropUnread(): boolean {
    if (this.#ended || this.#socket.buffered === 0) return false
    this.#leave(() => this.#socket.terminate())
    return true
  }

  /** Runs every second. What fails ends this connection alone. */
  tick(): void {
    if (this.#ended) return
    try {
      if (!this.#beats.tick()) this.#leave(() => this.#socket.terminate())
    } catch (error) {
      this.failed(error)
    }
  }

  /** Tells the client why, as far as it is theirs to know, and ends. */
  failed(error: unknown): void {
    if (this.#ended) return
    const { message, detail } = explain(error)
    if (message === 'internal') this.#service.log.error({ err: error }, 'a realtime connection failed')
    this.#send('ERROR', { headers: { message, 'content-type': 'text/plain' }, body: detail })
    this.#leave(() => this.#socket.close(1008, message))
  }

  #spend(): void {
    if (!this.#frames.take(1)) throw new Refusal('too many frames', 'Send fewer frames.')
  }

  #agree({ command, headers }: Frame): void {
    if (command !== 'CONNECT' && command !== 'STOMP') throw new Refusal('not connected', 'Send CONNECT first.')
    const offered = headers.get('accept-version')?.split(',') ?? ['1.0']
    const version = (['1.2', '1.1', '1.0'] as const).find(one => offered.includes(one))
    if (!version) throw new Refusal('unsupported version', 'Supported protocol versions are 1.0, 1.1 and 1.2.')
    this.#version = version
    this.#reader.version = version
    this.#beats.agree(headers.get('heart-beat'))
  }

  async #handle(frame: Frame): Promise<void> {
    if (this.#ended) return
    const answer = await this.#perform(frame)
    const receipt = frame.headers.get('receipt')
    if (receipt !== undefined && frame.command !== 'CONNECT' && frame.command !== 'STOMP')
      this.#send('RECEIPT', { headers: { 'receipt-id': receipt, ...answer } })
    if (frame.command === 'DISCONNECT') this.#leave(() => this.#socket.close(1000, ''))
  }

  /** Gives further headers for the receipt. */
  async #perform({ command, headers }: Frame): Promise<StompHeaders> {
    switch (command) {
      case 'CONNECT':
      case 'STOMP':
        await this.#connect()
        return {}
      case 'SUBSCRIBE':
        return { sequence: await this.#subscribe(headers) }
      case 'UNSUBSCRIBE':
        this.#unsubscribe(headers.get('id') ?? headers.get('destination') ?? '')
        return {}
      case 'ACK':
      case 'NACK':
      case 'DISCONNECT':
        return {}
      case 'SEND':
        throw new Refusal('forbidden', 'SEND is not supported; change records through the API.')
      default:
        throw new Refusal('unsupported command', `${command} is not supported.`)
    }
  }

  async #connect(): Promise<void> {
    if (this.session !== null) throw new Refusal('already connected', 'CONNECT was already sent.')
    const leave = await this.#realtime.hub.join()
    if (this.#ended) return leave()
    this.#leaveHub = leave
    const { remoteAddress, headers, id: requestId } = this.request
    const sender = { remoteAddress, userAgent: headers['user-agent'] ?? null, requestId }
    const session = await this.#realtime.presence.arrive(this.caller, sender)
    if (this.#ended) return this.#realtime.forget(session)
    this.session = session
    this.#send('CONNECTED', {
      headers: {
        version: this.#version ?? '1.0',
        session,
        server: 'plinth',
        'heart-beat': this.#beats.offer,
        'user-name': this.caller.username ?? undefined,
      },
    })
  }

  async #subscribe(headers: Frame['headers']): Promise<number> {
    const destination = headers.get('destination') ?? ''
    const id = headers.get('id') ?? (this.#version === '1.0' ? destination : undefined)
    if (id === undefined) throw new Refusal('no id', 'A subscription needs an id.')
    if (this.#subscriptions.has(id)) throw new Refusal('id in use', 'A subscription with this id already exists.')
    if ([...this.#subscriptions.values()].some(one => one.destination === destination))
      throw new Refusal('duplicate topic', 'This connection is already subscribed to the destination.')
    const refusal = this.#realtime.userLimits.refusalOf(this.caller.pk ?? '', 1)
    if (refusal !== null) throw new Refusal('too many subscriptions', refusal)
    const topic = this.#realtime.readTopic(destination)
    const last = readSequence(headers.get('last-sequence'))
    const needsAck = headers.get('ack') !== undefined && headers.get('ack') !== 'auto'
    const sink = this.#sinkFor({ version: this.#version ?? '1.0', id, destination, needsAck })
    const { caller } = this
    const listener = {
      context: this.#context(),
      base: this.request.base,
      wantsRecord: headers.get('record') === 'true',
    }
    this.#isSubscribing = true
    const subscribing = this.#realtime.hub.subscribe({ topic, listener, sink }, last)
    const subscription = await subscribing.finally(() => {
      this.#isSubscribing = false
    })
    this.#subscriptions.set(id, { destination, subscription })
    if (this.#ended) this.#unsubscribe(id)
    else if (this.caller !== caller) subscription.renew(this.#context())
    return subscription.since
  }

  #context(): Context {
    return contextFor(this.#service.platform, this.caller, this.request)
  }

  #unsubscribe(id: string): void {
    this.#subscriptions.get(id)?.subscription.end()
    this.#subscriptions.delete(id)
  }

  get #isFull(): boolean {
    return this.#socket.buffered > limits.bytesBetweenSteps
  }

  async #ready(): Promise<void> {
    while (!this.#ended && this.#isFull) await sleep(10)
  }

  #sinkFor(spelling: Spelling): Sink {
    const isFull = () => this.#isFull
    return {
      deliver: bundle => this.#deliver(spelling, bundle),
      get isFull() {
        return isFull()
      },
      ready: () => this.#ready(),
      failed: error => this.failed(error),
    }
  }

  #deliver(spelling: Spelling, bundle: Bundle): void {
    if (this.#ended) return
    // Who does not read is not waited for: they come back and find what they missed.
    if (this.#socket.buffered > limits.bufferedBytes) {
      this.#leave(() => this.#socket.terminate())
      return
    }
    for (const frame of writeMessages(spelling, bundle)) this.#socket.sendFrame(frame)
    this.#beats.sent()
  }

  #send(command: string, frame: { headers: StompHeaders; body?: string }): void {
    if (this.#ended) return
    this.#socket.send(toFrame(this.#version ?? '1.2', command, frame))
    this.#beats.sent()
  }

  #leave(farewell: () => void): void {
    this.#end()
    farewell()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    for (const { subscription } of this.#subscriptions.values()) subscription.end()
    this.#subscriptions.clear()
    this.#leaveHub()
    this.#realtime.left(this)
  }
}

const readSequence = (text: string | undefined): number | null => {
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('bad last-sequence', 'last-sequence must be a whole number.')
  return Number(text)
}

const explain = (error: unknown): { message: string; detail: string } => {
  if (error instanceof Refusal) return error
  if (error instanceof ReloadNeeded)
    return { message: 'reload', detail: 'The missed events have expired; read the records again.' }
  if (error instanceof FrameFault) return { message: 'malformed frame', detail: error.message }
  if (error instanceof Problem && error.status < 500) return { message: error.code, detail: error.plainMessage }
  return { message: 'internal', detail: 'The service failed; try again later.' }
}
