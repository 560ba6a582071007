// What a server is made of.

import { serverSettings } from '../config/service-settings.ts'
import type { Config } from '../config/settings.ts'
import type { Handler, Observe, Place, Request, Response, Route, SocketRoute } from './exchange.ts'
import type { HostOptions } from './host-check.ts'
import type { StaticFiles } from './static-folder.ts'

/** The part of the service's log that the server writes to; pino fits. Neither headers nor bodies go there. */
export interface ServerLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** The time limits, in milliseconds. */
export interface Timeouts {
  /** The time to send the request line and all headers. */
  readonly headers: number
  /** The time to send the whole request. */
  readonly request: number
  /** The time between two requests on a connection. */
  readonly keepAlive: number
  /** The time without a byte in either direction while a request is under way. */
  readonly idle: number
  /** The time for requests under way to finish when the server closes. */
  readonly drain: number
}

/** `keepAlive` exceeds the minute after which balancers usually drop a connection, so that they do it first. */
export const defaultTimeouts: Timeouts = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 72_000,
  idle: 120_000,
  drain: 7_000,
}

/** How much callers may take of the server's places and memory. */
export interface ConnectionLimits {
  /** The number of open connections. Further ones are answered with 503. */
  readonly connections: number
  /**
   * The number of open connections from one address, or one /64 of IPv6. Further ones get 429. Trusted proxies are
   * exempt.
   */
  readonly connectionsPerAddress: number
  /** Requests of one connection that are handled at a time. Further ones wait, and nothing more is read until then. */
  readonly requestsPerConnection: number
  /** Bytes of responses that one connection has not read. Beyond, its next requests wait. */
  readonly responseBytesPerConnection: number
  /** Bytes of responses that all connections have not read. Beyond, the connections that hold the most are closed. */
  readonly responseBytes: number
  /** Bytes of request bodies in memory. Beyond, bodies that are still arriving are refused with 503, the oldest first. */
  readonly bodyBytes: number
  /** Bytes that a caller must send of a body, or take of a response, in each second, on average over `stallMs`. */
  readonly bytesPerSecond: number
  /** Milliseconds after which a caller who is slower is cut off. */
  readonly stallMs: number
}

export const readLimits = (config: Config): ConnectionLimits => ({
  connections: config.get(serverSettings).maxConnections,
  connectionsPerAddress: config.get(serverSettings).maxConnectionsPerAddress,
  requestsPerConnection: config.get(serverSettings).maxPipelinedRequests,
  responseBytesPerConnection: config.get(serverSettings).maxResponseBytesPerConnection,
  responseBytes: config.get(serverSettings).maxResponseBytes,
  bodyBytes: config.get(serverSettings).maxRequestBytes,
  bytesPerSecond: config.get(serverSettings).minBytesPerSecond,
  stallMs: config.get(serverSettings).stallTimeout * 1000,
})

/** What connections take at the moment, and what was refused since the start. */
export interface Traffic {
  readonly connections: number
  readonly waitingRequests: number
  /** Responses that are not read yet, and requests that wait. */
  readonly responseBytes: number
  readonly bodyBytes: number
  readonly refusedConnections: number
  /** The number of connections closed because all together held too much. */
  readonly closedConnections: number
}

/** The key and certificates as PEM. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

export interface ServerOptions extends HostOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The address that callers use, when it is not the one that this process sees. */
  readonly baseUrl?: string
  /** Proxies whose `X-Forwarded-For` is believed: addresses, or networks such as `10.0.0.0/8`. */
  readonly trustedProxies?: readonly string[]
  /** Answers over TLS, by this certificate and its key. */
  readonly tls?: Tls
  readonly maxBodyBytes: number
  /** The processor time that requests in hand may need together before others are refused, in milliseconds; 0 never refuses. */
  readonly maxEventLoopLag?: number
  readonly log: ServerLog
  readonly routes: readonly Route[]
  readonly sockets?: readonly SocketRoute[]
  readonly staticFiles?: readonly StaticFiles[]
  /** An answer ahead of every handler, such as to a preflight; null lets the request pass. */
  readonly onRequest?: (request: Request) => Response | null
  /** The handler of paths that no route has. */
  readonly notFound: Handler
  /**
   * For whatever was thrown: by a handler, or by the server itself as a Problem (method_not_allowed, bad_request,
   * too_large, unsupported_media_type). When the answer had already begun, its result is not sent.
   */
  readonly onFault: (request: Request, error: unknown) => Promise<Response> | Response
  readonly timeouts?: Partial<Timeouts>
  readonly limits: ConnectionLimits
  /** Is called with every exchange when it is over. */
  readonly observe?: Observe
  /** Runs every exchange, so that what happens inside can be followed. */
  readonly around?: Around
}

export type Around = (request: Request, route: Place | null, exchange: () => Promise<void>) => Promise<void>

export interface HttpServer {
  readonly routes: readonly Route[]
  /** Gives the address listened on. */
  listen(): Promise<string>
  traffic(): Traffic
  /** Takes no more connections, lets requests under way finish, and ends within the drain timeout. */
  close(): Promise<void>
}
