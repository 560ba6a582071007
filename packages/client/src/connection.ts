// What every call rests on: the session, the requests, the connection for changes.

import { LiveConnection } from './live.ts'
import type { LiveOptions } from './live-transport.ts'
import {
  type ConfirmSignIn,
  createSendOnce,
  createTransport,
  type Transport,
  type TransportOptions,
  withConfirmation,
  withCredentials,
} from './request.ts'
import { isReactNative, runtime } from './runtime.ts'
import { SessionManager, type SessionMode, type UserSession } from './session.ts'
import type { TokenStorage } from './token-storage.ts'

export interface ServiceConnectionOptions extends Partial<TransportOptions> {
  /** How sessions are kept: `cookies` unless given. */
  readonly session?: SessionMode
  /** The place where tokens are kept; by default memory. */
  readonly storage?: TokenStorage
  /** An API key instead of a session, for programs. */
  readonly apiKey?: string
  /** How often a request is sent again that is safe or has a key; 3 unless given. */
  readonly retries?: number
  readonly live?: LiveOptions
  /**
   * Is called when an act needs a recent sign-in (problem `recent_sign_in_required`): it lets the user confirm who they are, and returns
   * whether they have. The request is sent again then.
   */
  readonly confirmSignIn?: ConfirmSignIn
}

export interface ServiceConnection {
  readonly session: UserSession
  /** Sends any request, with credentials, retries and problems. */
  readonly request: Transport
  /** The connection for changes, which `subscribe` and `liveQuery` open. */
  readonly live: LiveConnection
}

/**
 * A connection without typed resources, for clients that know no resource by name.
 *
 * @example const { request } = createConnection({ url: 'https://library.example', apiKey: key })
 */
export const createConnection = (options: ServiceConnectionOptions = {}): ServiceConnection => {
  const { session: mode = 'cookies', apiKey, storage } = options
  const url = (options.url ?? '').replace(/\/$/, '')
  const usesCookies = mode === 'cookies' && apiKey === undefined
  const send = createSendOnce({ ...options, url }, usesCookies ? 'include' : 'omit')
  const session = new SessionManager(send, { mode, apiKey, storage, name: url })
  const authorized = withCredentials(send, session)
  const live = new LiveConnection({
    url,
    transport: transportFor(options.live, usesCookies),
    headers: () => session.headers(),
    renew: () => session.load(),
    send: authorized,
    ...options.live,
  })
  const request = withConfirmation(createTransport(authorized, options.retries), options.confirmSignIn)
  return { session, live, request }
}

/** Browsers and Node send no headers with the handshake of a WebSocket, and the `fetch` of React Native reads no streams. */
const transportFor = ({ createSocket }: LiveOptions = {}, usesCookies: boolean): 'websocket' | 'events' =>
  createSocket || isReactNative() || (usesCookies && runtime.WebSocket) ? 'websocket' : 'events'
