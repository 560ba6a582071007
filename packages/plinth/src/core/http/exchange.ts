// A request and a response as data: what handlers see, whatever the HTTP library.

import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Description } from '../model/description.ts'
import type { HeaderSet } from './security-headers.ts'

/** An HTTP request. */
export interface Request {
  readonly id: string
  readonly method: string
  /** The path as sent, without the query: for links and logs. Decisions look at the route, since a path can be spelled in many ways. */
  readonly path: string
  /** The path of the route that took it, as the route is written, with named parts in braces; null when none did. */
  readonly route: string | null
  /** The route promises what is no record, which not every format has a place for. */
  readonly promisesValue: boolean
  /** See the route. */
  readonly holdsSecrets: boolean
  /** See the route. */
  readonly isEssential: boolean
  /** See the route. */
  readonly keyScope: string | null
  /** The query as sent, without the question mark. */
  readonly search: string
  /** Named parts of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** The body as sent; null when there was none. */
  readonly body: Buffer | null
  /** The body as it arrives, on routes that take it so; null elsewhere. */
  readonly stream: Readable | null
  readonly remoteAddress: string
  /** The service's address as this caller reached it, without a slash at the end. */
  readonly base: string
  /** Is aborted when the caller is gone. */
  readonly signal: AbortSignal
  /** The pk of the caller, noted once it is known: for the log, never for a decision. */
  callerPk?: string | null
  /** What the query of the request costs by estimate, noted before it runs; absent for requests without one. */
  queryCost?: number
  /** The fields `RateLimit-Policy` and `RateLimit` of the answer, where a limit applies. */
  rateLimit?: HeaderSet
}

export interface Response {
  readonly status: number
  /** Names in lower case; those of the server (security, length, connection) need not be given. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** The body. With 304 it is not sent, but it decides which coding 200 would have, and with it the tag. */
  readonly body?: string | Buffer | AsyncIterable<string | Buffer>
  /** The body has a secret that is shown once, so it must not be cached. */
  readonly isSecret?: boolean
  /** Cuts the connection when it is aborted, whatever of the body is still on its way. */
  readonly cutBy?: AbortSignal
}

export type Handler = (request: Request) => Promise<Response> | Response

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** A method, a path and the handler that answers there. Use `defineEndpoint` wherever you can. */
export interface Route {
  readonly method: Method
  /** The path with named parts in braces: `/api/rest/films/{pk}`. HEAD follows from GET. */
  readonly path: string
  readonly handler: Handler
  /** The handler reads the body itself, as it arrives, and minds its size. */
  readonly streams?: boolean
  /** The handler reads multipart bodies itself, as they arrive, and minds their size. It gets all others whole. */
  readonly takesForms?: boolean
  /** Says that its answers may hold secrets beside what the caller sent, so they are never compressed. */
  readonly holdsSecrets?: boolean
  /**
   * Says that the route answers under overload and beyond rate limits, such as the health that balancers ask for, and
   * pages without data.
   */
  readonly isEssential?: boolean
  /** Says that the route answers whatever the Host header says: probes may use the address of a container. */
  readonly anyHost?: boolean
  /** API keys with the scope `<keyScope>:read` may use it, and no others. Without it, keys reach resources alone. */
  readonly keyScope?: string
  /** The roles that its rule names. */
  readonly roles?: readonly string[]
  /** A route of another module at the same address takes its place. */
  readonly givesWay?: true
  /** The description for callers. The generic endpoints have none: the model describes them. */
  readonly describe?: Description
}

/** A WebSocket after its handshake. */
export interface Socket {
  /** The sub-protocol agreed on; empty when there is none. */
  readonly protocol: string
  /** Bytes that wait for the other side to take them. */
  readonly buffered: number
  /** Sends a text message. */
  send(text: string): void
  /** A message that is a frame already, made by `toTextFrame` for many sockets. */
  sendFrame(frame: Buffer): void
  ping(): void
  close(code: number, reason: string): void
  /** Ends the connection without a closing frame. */
  terminate(): void
}

export interface SocketListener {
  message(data: Buffer): void
  closed(): void
  /** The other side has answered a ping. */
  alive?(): void
}

export type SocketOpening = (socket: Socket) => SocketListener

export interface SocketRoute {
  readonly path: string
  /** Sub-protocols, the preferred first. */
  readonly protocols: readonly string[]
  readonly maxMessageBytes: number
  /** Takes the handshake, or answers it like every other request. */
  readonly open: (request: Request) => Promise<SocketOpening | Response>
}

/** The place that took a request: a route, or a socket. */
export type Place = Pick<Route, 'path'>

/** An exchange that is over. */
export interface Observation {
  readonly request: Request
  /** Is null when no route took the request. */
  readonly route: Place | null
  readonly status: number
  readonly ms: number
  /** Is false when the caller left before the answer was whole. */
  readonly completed: boolean
}

export type Observe = (done: Observation) => void
