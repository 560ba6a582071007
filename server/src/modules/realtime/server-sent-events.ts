// GET /api/rest/events?topic=…: the same topics as server-sent events (HTML Living Standard, 9.2).

import type { FaultReason } from '../../core/fault.ts'
import { formatsByName } from '../../core/formats/index.ts'
import { accepts } from '../../core/formats/negotiate.ts'
import type { Handler, Request, Response, Route } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'
import { readParameters } from '../../core/query/parameters.ts'
import { withCors } from '../../core/rest/cross-origin.ts'
import { contextFor } from '../../core/rest/platform.ts'
import { toProblemResponse } from '../../core/rest/problem-response.ts'
import type { Service } from '../../core/rest/service.ts'
import { describeEvents } from './describe.ts'
import { EventStream } from './event-stream.ts'
import { ReloadNeeded } from './hub.ts'
import type { Realtime } from './realtime.ts'
import type { Topic } from './topic.ts'
import { joined, realtimeFault } from './topics.ts'

export const eventsRoute = (service: Service, realtime: Realtime): Route => {
  const handler: Handler = async request => {
    const response = await open(service, realtime, request).catch(error =>
      toProblemResponse(error, request, { format: formatsByName.json, report: service.reportFailure }),
    )
    return request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }
  return { method: 'GET', path: '/api/rest/events', handler, describe: describeEvents }
}

const eventType = 'text/event-stream'

const headers = {
  'Content-Type': eventType,
  'Cache-Control': 'no-store',
  Vary: 'Origin, Authorization, Cookie',
  // Proxies that gather answers before they pass them on would hold everything back.
  'X-Accel-Buffering': 'no',
}

const open = async (service: Service, realtime: Realtime, request: Request): Promise<Response> => {
  const caller = await service.identify(request)
  if (caller.pk === null) throw new Problem('unauthorized')
  if (!accepts(request.headers.accept, eventType)) throw new Problem('not_acceptable', `Accept ${eventType}.`)
  const listening = readListening(request, realtime)
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

interface Wanted {
  readonly topic: Topic
  readonly topicCount: number
  readonly wantsRecord: boolean
  readonly last: number | null
}

const readListening = ({ search, headers: { 'last-event-id': lastId } }: Request, realtime: Realtime): Wanted => {
  const parameters = readParameters(search)
  const topics = readTopics(parameters.get('topic') ?? [], realtime)
  return {
    topic: joined(topics),
    topicCount: topics.length,
    wantsRecord: parameters.get('record')?.[0] === 'true',
    last: readLast(lastId?.toString() ?? parameters.get('lastEventId')?.[0]),
  }
}

interface Surroundings {
  readonly service: Service
  readonly realtime: Realtime
}

const begin = async (
  { service, realtime }: Surroundings,
  stream: EventStream,
  { topic, wantsRecord, last }: Wanted,
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

const maxTopics = 20

const readTopics = (names: readonly string[], { readTopic }: Realtime) => {
  if (names.length === 0 || names.length > maxTopics) throw badTopic(realtimeFault('topics', { max: maxTopics }))
  const destinations = names.map(name => (name.startsWith('/') ? name : `/topic/${name}`))
  const duplicate = destinations.find((destination, at) => destinations.indexOf(destination) < at)
  if (duplicate !== undefined) throw badTopic(realtimeFault('repeated_topic', { topic: duplicate }))
  return destinations.map(readTopic)
}

const badTopic = (reason: FaultReason): Problem =>
  new Problem('bad_parameter', { detail: reason.message, errors: [{ parameter: 'topic', ...reason }] })

const readLast = (text: string | undefined): number | null => {
  if (text === undefined || text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('bad_request', 'Last-Event-ID is a whole number.')
}

async function* reload(): AsyncGenerator<string> {
  yield 'event: reload\ndata: What was missed is not kept any more; read the records anew.\n\n'
}
