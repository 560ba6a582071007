// Who is signed in, and how requests prove it: cookies, tokens that the application stores, or an API key.

import { ApiProblem, isProblem } from './problem.ts'
import { type Credentials, type RequestOptions, type SendOnce, toApiResponse } from './request.ts'
import { runtime } from './runtime.ts'

export interface SessionUser {
  readonly pk: string
  readonly username: string
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly avatarUrl: string | null
  readonly emailHash: string | null
  readonly locale: string | null
  readonly lastPassWordChangeDate: string | null
  readonly roles: readonly { readonly authority: string }[]
}

export interface SessionTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Where an application keeps its tokens: in memory unless given, so that a restart signs out. */
export interface TokenStorage {
  get(): SessionTokens | null | Promise<SessionTokens | null>
  set(tokens: SessionTokens | null): void | Promise<void>
}

export interface SignInRequest {
  readonly username?: string
  readonly email?: string
  readonly password: string
  /** The code of the second factor, or send it with `sendCode` after problem `second_factor_required`. */
  readonly code?: string
  /** Remember the device. Cookies only. */
  readonly rememberMe?: boolean
}

export interface SessionEvents {
  readonly signedIn: (user: SessionUser) => void
  /** `expired`: the session has ended on the service. */
  readonly signedOut: (reason: 'signOut' | 'expired') => void
  readonly refreshed: () => void
}

export interface UserSession {
  /** The user whom the last sign-in, refresh or `load` returned. */
  readonly user: SessionUser | null
  /** Reads the current user; null when not signed in. */
  load(): Promise<SessionUser | null>
  /** Rejects with problem `second_factor_required` if a code is needed. */
  signIn(request: SignInRequest): Promise<SessionUser>
  /** The second step of a sign-in. */
  sendCode(code: string): Promise<SessionUser>
  signOut(): Promise<void>
  /** False: the session has ended, or the service cannot be reached. */
  refresh(): Promise<boolean>
  /** Calls the listener until the returned function is called. */
  on<E extends keyof SessionEvents>(event: E, listener: SessionEvents[E]): () => void
}

/** `cookies`: for pages of the same site. `tokens`: for mobile apps and pages of other sites. */
export type SessionMode = 'cookies' | 'tokens'

export interface SessionOptions {
  readonly mode: SessionMode
  readonly apiKey?: string | undefined
  readonly storage?: TokenStorage | undefined
  /** Clients of one browser with the same name refresh together. */
  readonly name: string
}

type SignedIn = SessionUser & { accessToken?: string; refreshToken?: string; expiresIn?: number }

/** An access token is refreshed this long before it expires. */
const leadMs = 30_000

export class SessionManager implements UserSession, Credentials {
  readonly #send: SendOnce
  readonly #options: SessionOptions
  readonly #storage: TokenStorage
  readonly #listeners: { [E in keyof SessionEvents]: Set<SessionEvents[E]> } = {
    signedIn: new Set(),
    signedOut: new Set(),
    refreshed: new Set(),
  }
  #user: SessionUser | null = null
  /** Undefined until they have been read from the storage. */
  #tokens: SessionTokens | null | undefined
  /** Names a sign-in that waits for its code. */
  #pending: string | null = null
  #refreshing: Promise<boolean> | null = null

  constructor(send: SendOnce, options: SessionOptions) {
    this.#send = send
    this.#options = options
    this.#storage = options.storage ?? memoryStorage()
  }

  get user(): SessionUser | null {
    return this.#user
  }

  async load(): Promise<SessionUser | null> {
    if (this.#usesTokens && (await this.#readTokens()) === null) return null
    const options = { headers: await this.headers() }
    const sentAt = Date.now()
    const response = await this.#send('/api/auth/userDetails', options)
    const isExpired = response.status === 401 && (await this.renew(sentAt))
    const last = isExpired ? await this.#send('/api/auth/userDetails', { headers: await this.headers() }) : response
    if (last.status === 401) {
      this.#user = null
      return null
    }
    this.#user = (await toApiResponse<SessionUser>(last)).body
    return this.#user
  }

  async signIn(request: SignInRequest): Promise<SessionUser> {
    try {
      return await this.#start('/api/auth/userDetails', { ...request })
    } catch (error) {
      const pending = isProblem(error, 'second_factor_required') ? error.document.pending : null
      this.#pending = typeof pending === 'string' ? pending : null
      throw error
    }
  }

  async sendCode(code: string): Promise<SessionUser> {
    const pending = this.#pending
    return this.#start('/api/auth/userDetails/secondFactor', { code, ...(pending !== null && { pending }) })
  }

  async signOut(): Promise<void> {
    const options: RequestOptions = { method: 'DELETE', headers: await this.headers() }
    const response = await this.#send('/api/auth/userDetails', options)
    // A session that has ended already needs no end.
    if (response.status !== 401) await toApiResponse(response)
    await this.#end('signOut')
  }

  on<E extends keyof SessionEvents>(event: E, listener: SessionEvents[E]): () => void {
    const listeners: Set<SessionEvents[E]> = this.#listeners[event]
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const { apiKey } = this.#options
    if (apiKey !== undefined) return { 'X-API-Key': apiKey }
    if (!this.#usesTokens) return {}
    const known = await this.#readTokens()
    if (known && known.expiresAt - leadMs <= Date.now()) await this.refresh()
    return this.#tokens ? { Authorization: `Bearer ${this.#tokens.accessToken}` } : {}
  }

  async renew(sentAt: number): Promise<boolean> {
    if (this.#options.apiKey !== undefined) return false
    if (this.#usesTokens && !this.#tokens) return false
    return this.#refreshOnce(sentAt)
  }

  refresh(): Promise<boolean> {
    return this.#refreshOnce(Date.now())
  }

  get #usesTokens(): boolean {
    return this.#options.mode === 'tokens' && this.#options.apiKey === undefined
  }

  async #start(path: string, body: object): Promise<SessionUser> {
    const sent = this.#usesTokens ? { ...body, tokens: 'body' } : body
    const { body: answer } = await toApiResponse<SignedIn>(await this.#send(path, { method: 'POST', body: sent }))
    this.#pending = null
    const user = await this.#accept(answer)
    for (const listener of this.#listeners.signedIn) listener(user)
    return user
  }

  async #accept({ accessToken, refreshToken, expiresIn, ...user }: SignedIn): Promise<SessionUser> {
    if (accessToken !== undefined && refreshToken !== undefined)
      await this.#keep({ accessToken, refreshToken, expiresAt: Date.now() + (expiresIn ?? 0) * 1000 })
    this.#user = user
    return user
  }

  async #keep(tokens: SessionTokens | null): Promise<void> {
    this.#tokens = tokens
    await this.#storage.set(tokens)
  }

  async #readTokens(): Promise<SessionTokens | null> {
    this.#tokens ??= await this.#storage.get()
    return this.#tokens
  }

  async #end(reason: 'signOut' | 'expired'): Promise<void> {
    this.#user = null
    if (this.#usesTokens) await this.#keep(null)
    for (const listener of this.#listeners.signedOut) listener(reason)
  }

  /** Once for all requests of this client that wait, and one after the other for all tabs of the browser. */
  #refreshOnce(sentAt: number): Promise<boolean> {
    this.#refreshing ??= inTurn(this.#options.name, () => this.#refresh(sentAt)).finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #refresh(sentAt: number): Promise<boolean> {
    const isRefreshed = this.#usesTokens ? await this.#adopt() : lastRefresh(this.#options.name) >= sentAt
    if (isRefreshed) return true
    try {
      await this.#accept(await this.#exchange())
    } catch (error) {
      // A service that cannot be reached, or has no time, ends no session.
      if (error instanceof ApiProblem && [401, 403].includes(error.status)) await this.#end('expired')
      return false
    }
    if (!this.#usesTokens) noteRefresh(this.#options.name)
    for (const listener of this.#listeners.refreshed) listener()
    return true
  }

  /** Takes over the tokens that another tab has stored. */
  async #adopt(): Promise<boolean> {
    const stored = await this.#storage.get()
    const isNewer = stored !== null && stored.refreshToken !== this.#tokens?.refreshToken
    if (isNewer) this.#tokens = stored
    return isNewer
  }

  async #exchange(): Promise<SignedIn> {
    const path = '/api/auth/jwt/refresh'
    if (this.#usesTokens) {
      const headers = { Authorization: `Bearer ${this.#tokens?.refreshToken ?? ''}` }
      const response = await this.#send(path, { method: 'POST', headers, body: { tokens: 'body' } })
      return (await toApiResponse<SignedIn>(response)).body
    }
    const response = await this.#send(path, { method: 'POST' })
    // A remembered device signs in again by reading the current user.
    const last = response.status === 401 ? await this.#send('/api/auth/userDetails', {}) : response
    return (await toApiResponse<SignedIn>(last)).body
  }
}

const memoryStorage = (): TokenStorage => {
  let kept: SessionTokens | null = null
  return {
    get: () => kept,
    set: tokens => {
      kept = tokens
    },
  }
}

interface TextStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/** Keeps tokens in `localStorage`, `sessionStorage` or React Native's `AsyncStorage`. */
export const storeTokensIn = (storage: TextStorage, key = 'plinth.tokens'): TokenStorage => ({
  get: async () => {
    const text = await storage.getItem(key)
    return text === null ? null : (JSON.parse(text) as SessionTokens)
  },
  set: async tokens => {
    await (tokens === null ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(tokens)))
  },
})

/** Web Locks are shared by all tabs of an origin; other runtimes have no tabs. */
const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const locks = runtime.navigator?.locks
  return locks ? locks.request(`plinth.refresh ${name}`, work) : work()
}

/** When a tab of this browser last refreshed the cookies, which no page can read. */
const stampKey = (name: string): string => `plinth.refreshed ${name}`

const lastRefresh = (name: string): number => {
  try {
    return Number(runtime.localStorage?.getItem(stampKey(name)) ?? 0)
  } catch {
    return 0
  }
}

const noteRefresh = (name: string): void => {
  try {
    runtime.localStorage?.setItem(stampKey(name), String(Date.now()))
  } catch {
    // A page may be denied its storage: then each tab refreshes by itself.
  }
}
