// What a server is made of.

import type { Handler, Observe, Place, Request, Response, Route, SocketRoute } from './exchange.ts'
import type { HeaderSet } from './headers.ts'
import type { HostOptions } from './host.ts'
import type { StaticFiles } from './static-files.ts'

/** The part of the service's log that the server writes to; pino fits. Neither headers nor bodies go there. */
export interface ServerLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** In milliseconds. */
export interface Timeouts {
  /** To send the request line and all headers. */
  readonly headers: number
  /** To send the whole request. */
  readonly request: number
  /** Between two requests on a connection. */
  readonly keepAlive: number
  /** Without a byte in either direction while a request is under way. */
  readonly idle: number
  /** For requests under way to finish when the server closes. */
  readonly drain: number
}

/** `keepAlive` exceeds the minute after which balancers usually drop a connection, so that they do it first. */
export const defaultTimeouts: Timeouts = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 72_000,
  idle: 120_000,
  drain: 8_000,
}

/** As PEM. */
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
  readonly log: ServerLog
  readonly routes: readonly Route[]
  readonly sockets?: readonly SocketRoute[]
  readonly staticFiles?: readonly StaticFiles[]
  /** An answer ahead of every handler, such as to a preflight; null lets the request pass. */
  readonly onRequest?: (request: Request) => Response | null
  /** Headers to add to an answer; `vary` is joined to what the answer has. Not asked for static files. */
  readonly decorate?: (request: Request, response: Response) => HeaderSet
  /** For a path that no route has. */
  readonly notFound: Handler
  /**
   * For whatever was thrown: by a handler, or by the server itself as a Problem (method_not_allowed, bad_request,
   * too_large, unsupported_media_type). When the answer had already begun, its result is not sent.
   */
  readonly onFault: (request: Request, error: unknown) => Promise<Response> | Response
  readonly timeouts?: Partial<Timeouts>
  /** Told of every exchange when it is over. */
  readonly observe?: Observe
  /** Runs every exchange, so that what happens inside can be followed. */
  readonly around?: Around
}

export type Around = (request: Request, route: Place | null, exchange: () => Promise<void>) => Promise<void>

export interface HttpServer {
  readonly routes: readonly Route[]
  /** Gives the address listened on. */
  listen(): Promise<string>
  /** Takes no more connections, lets requests under way finish, and ends within the drain timeout. */
  close(): Promise<void>
}
