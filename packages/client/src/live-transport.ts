// How changes reach the client: what `LiveConnection` asks of a transport, and what a transport reports.

import type { SendOnce } from './request.ts'

export interface LiveTransport {
  /** Connects, and connects again when the connection is lost, until `close`. */
  open(): void
  close(): Promise<void>
  subscribe(destination: string): void
  unsubscribe(destination: string): void
}

export interface LiveReceiver {
  /** The connection is there; subscriptions are confirmed one by one. */
  connected(): void
  /** Changes of the destination arrive from here on. `isResumed`: including those that were missed. */
  confirmed(destination: string, isResumed: boolean): void
  received(destination: string, body: unknown): void
  refused(destination: string, reason: string): void
  /** The connection is lost, and with it these subscriptions; the transport tries to restore them. */
  lost(destinations: Iterable<string>): void
}

export interface LiveOptions {
  /**
   * `websocket`: STOMP over a WebSocket. `events`: server-sent events over `fetch`. Unless given, a WebSocket where it carries the
   * credentials: with cookies, with `createSocket` and on React Native.
   */
  readonly transport?: 'websocket' | 'events'
  /** Opens the socket, for runtimes without `WebSocket` and for credentials in headers, which browsers do not send. */
  readonly createSocket?: (address: string, protocols: string[], headers: Readonly<Record<string, string>>) => unknown
}

export interface LiveSource extends LiveOptions {
  /** The address of the service; empty: the origin of the page. */
  readonly url: string
  readonly transport: 'websocket' | 'events'
  /** Credentials of the handshake. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  /** Renews credentials that the service has refused. */
  readonly renew: () => Promise<unknown>
  /** Sends a request with credentials. */
  readonly send: SendOnce
}
