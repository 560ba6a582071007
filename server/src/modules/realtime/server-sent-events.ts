// GET /api/rest/events?topic=…: the same topics as server-sent events (HTML Living Standard, 9.2).

import { formatsByName } from '../../core/formats/index.ts'
import type { Handler, Request, Route } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'
import { readParameters } from '../../core/query/parameters.ts'
import { contextFor } from '../../core/rest/platform.ts'
import { toProblemResponse } from '../../core/rest/problem-response.ts'
import { withCors } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import type { Client } from './clients.ts'
import { describeEvents } from './describe.ts'
import { type Bundle, ReloadNeeded, type Sink } from './hub.ts'
import { limits } from './limits.ts'
import { type Realtime, realtimeOf } from './realtime.ts'
import { mustHaveRoom } from './stomp-route.ts'
import { joined } from './topics.ts'

export const eventsRoute = (service: Service): Route => {
  const realtime = realtimeOf(service)
  const handler: Handler = async request => {
    const response = await open(service, realtime, request).catch(error =>
      toProblemResponse(error, request, { format: formatsByName.json, report: service.reportFailure }),
    )
    return request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }
  return { method: 'GET', path: '/api/rest/events', handler, describe: describeEvents }
}

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  Vary: 'Origin, Authorization, Cookie',
  // Proxies that gather answers before they pass them on would hold everything back.
  'X-Accel-Buffering': 'no',
}

const open = async (service: Service, realtime: Realtime, request: Request) => {
  const caller = await service.identify(request)
  if (caller.pk === null) throw new Problem('unauthorized')
  mustHaveRoom(service, realtime, caller.pk)
  const parameters = readParameters(request.search)
  const topics = readTopics(parameters.get('topic') ?? [], realtime)
  const wantsRecord = parameters.get('record')?.[0] === 'true'
  const last = readLast(request.headers['last-event-id']?.toString() ?? parameters.get('lastEventId')?.[0])
  if (request.method === 'HEAD') return { status: 200, headers }
  const stream = new EventStream(request, caller)
  const leave = await realtime.hub.join()
  try {
    const listener = { context: contextFor(service.platform, caller, request), base: request.base, wantsRecord }
    const subscription = await realtime.hub.subscribe({ topic: joined(topics), listener, sink: stream }, last)
    stream.onRenew = renewed => subscription.renew(contextFor(service.platform, renewed, request))
    stream.onEnd = () => {
      subscription.end()
      realtime.clients.remove(stream)
      leave()
    }
    realtime.clients.add(stream)
    request.signal.addEventListener('abort', () => stream.end())
    service.closing.addEventListener('abort', () => stream.end(), { signal: request.signal })
    return { status: 200, headers, body: stream.pieces(subscription.since) }
  } catch (error) {
    leave()
    if (error instanceof ReloadNeeded) return { status: 200, headers, body: reload() }
    throw error
  }
}

const maxTopics = 20

const readTopics = (names: readonly string[], { readTopic }: Realtime) => {
  if (names.length === 0 || names.length > maxTopics) {
    const message = `'topic' must be given, at most ${maxTopics} times.`
    throw new Problem('bad_parameter', {
      detail: message,
      errors: [{ parameter: 'topic', code: 'bad_value', message }],
    })
  }
  return names.map(name => readTopic(name.startsWith('/') ? name : `/topic/${name}`))
}

const readLast = (text: string | undefined): number | null => {
  if (text === undefined || text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('bad_request', 'Last-Event-ID is a whole number.')
}

async function* reload(): AsyncGenerator<string> {
  yield 'event: reload\ndata: What was missed is not kept any more; read the records anew.\n\n'
}

const beatMs = 15_000

class EventStream implements Client, Sink {
  readonly request: Request
  readonly session = null
  caller: Caller
  onRenew: (caller: Caller) => void = () => {}
  onEnd: () => void = () => {}
  #waiting = ''
  #last = 0
  #ended = false
  #wake: () => void = () => {}

  constructor(request: Request, caller: Caller) {
    this.request = request
    this.caller = caller
  }

  deliver({ messages }: Bundle): void {
    for (const { sequence, body } of messages) {
      this.#waiting += `id: ${sequence}\ndata: ${body}\n\n`
      this.#last = sequence
    }
    if (this.#waiting.length > limits.bufferedBytes) this.end()
    this.#wake()
  }

  async ready(): Promise<void> {
    while (!this.#ended && this.#waiting.length > limits.bufferedBytes / 4)
      await new Promise(resolve => setTimeout(resolve, 10))
  }

  failed(error: unknown): void {
    if (error instanceof ReloadNeeded) this.#waiting += 'event: reload\ndata: reload\n\n'
    this.end()
  }

  renew(caller: Caller): void {
    this.caller = caller
    try {
      this.onRenew(caller)
    } catch {
      this.end()
    }
  }

  cut(): void {
    this.end()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.onEnd()
    this.#wake()
  }

  async *pieces(since: number): AsyncGenerator<string> {
    this.#last = since
    // The place in the order is given from the beginning, so that whoever is cut off before the first change misses none.
    yield `: welcome\nid: ${since}\n\n`
    try {
      for (;;) {
        const piece = this.#waiting
        this.#waiting = ''
        if (piece !== '') yield piece
        else if (this.#ended) return
        else if (!(await this.#news())) yield `: beat\nid: ${this.#last}\n\n`
      }
    } finally {
      this.end()
    }
  }

  /** False when nothing has come for a while. */
  #news(): Promise<boolean> {
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(false), beatMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
      if (this.#waiting !== '' || this.#ended) this.#wake()
    })
  }
}
