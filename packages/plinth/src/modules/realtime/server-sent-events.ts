// GET /api/rest/events?topic=…: the same topics as server-sent events (HTML Living Standard, 9.2).

import type { FaultReason } from '../../core/fault.ts'
import type { Request, Response } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import { boolean, text } from '../../core/model/fields.ts'
import { type InputOf, list } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { contextFor } from '../../core/rest/context.ts'
import { type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Service } from '../../core/service.ts'
import { EventStream } from './event-stream.ts'
import { ReloadNeeded } from './hub.ts'
import type { Realtime } from './realtime.ts'
import type { Topic } from './topic.ts'
import { joined, realtimeFault } from './topics.ts'

const eventType = 'text/event-stream'

const headers = {
  'Content-Type': eventType,
  'Cache-Control': 'no-store',
  Vary: 'Origin, Authorization, Cookie',
  // Proxies that gather answers before they pass them on would hold everything back.
  'X-Accel-Buffering': 'no',
}

const maxTopics = 20

const eventQuery = {
  topic: list(text({ max: 1000 }), {
    required: true,
    maxItems: maxTopics,
    about: 'A resource, `films` or `films/{pk}`, or a destination such as `/user/queue/friendships`; may be repeated.',
  }),
  record: boolean({ default: false, about: 'Also send the current record.' }),
  lastEventId: text({ about: 'Replaces the header `Last-Event-ID` for clients that cannot send it.' }),
}

export const eventsEndpoint = (service: Service, realtime: Realtime) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest/events',
    id: 'listenToEvents',
    summary: 'Subscribe to changes with server-sent events',
    description:
      'One event for each change that the caller may see: `{sequence, type, resource, pk, record?}`, with the sequence as ' +
      'its identifier. Clients that reconnect with `Last-Event-ID` get the events that they missed. If those have expired, ' +
      'the only event is `reload`.',
    tag: 'realtime',
    access: 'caller.signedIn',
    query: eventQuery,
    headers: { 'Last-Event-ID': { says: 'The last event identifier received.' } },
    answers: { 200: { about: 'The stream of changes.', content: { [eventType]: { type: 'string' } } } },
    problems: [400, 401, 403, 404, 406, 429],
    answer: async call => ({ kind: 'response', response: await open({ service, realtime }, call) }),
  })

const open = async (
  { service, realtime }: EventStreamContext,
  { request, caller, query }: Call<string, typeof eventQuery>,
): Promise<Response> => {
  if (caller.pk === null) throw new Problem('unauthorized')
  const listening = readListening(request, query, realtime)
  realtime.userLimits.mustHaveRoom(caller.pk, listening.topicCount)
  if (request.method === 'HEAD') return { status: 200, headers }
  const stream = new EventStream(request, caller, listening.topicCount)
  // From here on it counts, and its rights are watched.
  realtime.clients.add(stream)
  try {
    return { status: 200, headers, body: await begin({ service, realtime }, stream, listening), cutBy: stream.cutBy }
  } catch (error) {
    stream.end()
    if (error instanceof ReloadNeeded) return { status: 200, headers, body: reload() }
    throw error
  }
}

interface Listening {
  readonly topic: Topic
  readonly topicCount: number
  readonly wantsRecord: boolean
  readonly last: number | null
}

const readListening = (
  { headers: { 'last-event-id': lastId } }: Request,
  { topic, record, lastEventId }: InputOf<typeof eventQuery>,
  realtime: Realtime,
): Listening => {
  const topics = readTopics(topic, realtime)
  return {
    topic: joined(topics),
    topicCount: topics.length,
    wantsRecord: record,
    last: readLast(lastId?.toString() ?? lastEventId),
  }
}

interface EventStreamContext {
  readonly service: Service
  readonly realtime: Realtime
}

const begin = async (
  { service, realtime }: EventStreamContext,
  stream: EventStream,
  { topic, wantsRecord, last }: Listening,
) => {
  const { clients, hub } = realtime
  const { request, caller } = stream
  const contextOf = (renewed: Caller) => contextFor(service.platform, renewed, request)
  stream.onEnd = () => clients.remove(stream)
  const leave = await hub.join()
  stream.onEnd = () => {
    clients.remove(stream)
    leave()
  }
  const listener = { context: contextOf(caller), base: request.base, wantsRecord }
  const subscription = await hub.subscribe({ topic, listener, sink: stream }, last)
  stream.onRenew = renewed => subscription.renew(contextOf(renewed))
  const end = () => stream.end()
  stream.onEnd = () => {
    subscription.end()
    clients.remove(stream)
    leave()
    service.closing.removeEventListener('abort', end)
  }
  if (stream.caller !== caller) stream.onRenew(stream.caller)
  request.signal.addEventListener('abort', end)
  // Removed by hand: with the option `signal`, Node would keep the listener, and with it the whole stream, for good.
  service.closing.addEventListener('abort', end)
  if (service.closing.aborted) stream.end()
  return stream.pieces(subscription.since)
}

const readTopics = (names: readonly string[], { readTopic }: Realtime) => {
  const destinations = names.map(name => (name.startsWith('/') ? name : `/topic/${name}`))
  const duplicate = destinations.find((destination, at) => destinations.indexOf(destination) < at)
  if (duplicate !== undefined) throw badTopic(realtimeFault('repeated_topic', { topic: duplicate }))
  return destinations.map(readTopic)
}

const badTopic = (reason: FaultReason): Problem =>
  new Problem('bad_parameter', { detail: reason.message, errors: [{ parameter: 'topic', ...reason }] })

const readLast = (sent: string | null): number | null => {
  if (sent === null || sent === '') return null
  if (/^\d{1,15}$/.test(sent)) return Number(sent)
  throw new Problem('bad_request', 'Last-Event-ID must be a whole number.')
}

async function* reload(): AsyncGenerator<string> {
  yield 'event: reload\ndata: The missed events have expired; read the records again.\n\n'
}
