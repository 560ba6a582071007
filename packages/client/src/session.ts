// Who is signed in, and how requests prove it: cookies, tokens that the application stores, or an API key.

import { ApiProblem, isProblem } from './problem.ts'
import { type Credentials, type RequestMark, type RequestOptions, type SendOnce, toApiResponse } from './request.ts'
import { lastRefresh, noteRefresh, withSessionLock } from './session-lock.ts'
import { memoryStorage, type SessionTokens, type TokenStorage } from './token-storage.ts'

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

export interface SignInRequest {
  readonly username?: string
  readonly email?: string
  readonly password: string
  /** The code of the second factor, or send it with `sendCode` after problem `second_factor_required`. */
  readonly code?: string
  /** Remember the device. Cookies only. */
  readonly rememberMe?: boolean
}

/** What a browser gives for the options of a passkey, with the `flow` that came with them. */
export interface PasskeyAnswer {
  readonly flow: string
  readonly credential: unknown
}

export interface SessionEvents {
  readonly signedIn: (user: SessionUser) => void
  /** `expired`: the session has ended on the service, or in another tab. */
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
  /** Signs in with a passkey, for options from `/api/auth/passkeys/signIn/options`. */
  signInWithPasskey(answer: PasskeyAnswer & Pick<SignInRequest, 'rememberMe'>): Promise<SessionUser>
  /** The second step of a sign-in, with a passkey in place of a code. */
  sendPasskey(answer: PasskeyAnswer): Promise<SessionUser>
  signOut(): Promise<void>
  /** Refreshes the session. Returns false when it has ended, or the service cannot be reached. */
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
  /** The tokens; undefined until they have been read from the storage. */
  #tokens: SessionTokens | null | undefined
  /** Counts the sessions of this client: what was asked for in one of them must not change the next. */
  #epoch = 0
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
    const mark = this.mark()
    const response = await this.#send('/api/auth/userDetails', { headers: await this.headers() })
    const isRenewed = response.status === 401 && (await this.renew(mark))
    const last = isRenewed ? await this.#send('/api/auth/userDetails', { headers: await this.headers() }) : response
    const user = last.status === 401 ? null : (await toApiResponse<SessionUser>(last)).body
    if (mark.epoch === this.#epoch) this.#user = user
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
    return this.#start('/api/auth/userDetails/secondFactor', this.#withPending({ code }))
  }

  async signInWithPasskey(answer: PasskeyAnswer): Promise<SessionUser> {
    return this.#start('/api/auth/passkeys/signIn', answer)
  }

  async sendPasskey(answer: PasskeyAnswer): Promise<SessionUser> {
    return this.#start('/api/auth/userDetails/secondFactor/passkey', this.#withPending(answer))
  }

  #withPending(body: object): object {
    return this.#pending === null ? body : { ...body, pending: this.#pending }
  }

  async signOut(): Promise<void> {
    const { epoch } = this.mark()
    // May refresh the session, which takes the lock.
    await this.headers()
    await this.#exclusively(async () => {
      if (epoch !== this.#epoch) return
      const options: RequestOptions = { method: 'DELETE', headers: this.#currentHeaders() }
      const response = await this.#send('/api/auth/userDetails', options)
      // A session that has ended already needs no end.
      if (response.status !== 401) await toApiResponse(response)
      await this.#end('signOut')
    })
  }

  on<E extends keyof SessionEvents>(event: E, listener: SessionEvents[E]): () => void {
    const listeners: Set<SessionEvents[E]> = this.#listeners[event]
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const { epoch } = this.mark()
    if (this.#usesTokens) {
      const known = await this.#readTokens()
      if (known && known.expiresAt - leadMs <= Date.now()) await this.refresh()
    }
    // A request of an earlier session is not sent in the next one.
    return epoch === this.#epoch ? this.#currentHeaders() : {}
  }

  mark(): RequestMark {
    return { sentAt: Date.now(), epoch: this.#epoch }
  }

  async renew(mark: RequestMark): Promise<boolean> {
    if (this.#usesTokens && !this.#tokens) return false
    return this.#refreshOnce(mark)
  }

  refresh(): Promise<boolean> {
    return this.#refreshOnce(this.mark())
  }

  get #usesTokens(): boolean {
    return this.#options.mode === 'tokens' && this.#options.apiKey === undefined
  }

  #currentHeaders(): Readonly<Record<string, string>> {
    const { apiKey } = this.#options
    if (apiKey !== undefined) return { 'X-API-Key': apiKey }
    return this.#tokens ? { Authorization: `Bearer ${this.#tokens.accessToken}` } : {}
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withSessionLock({ name: this.#options.name, storage: this.#storage }, work)
  }

  #start(path: string, body: object): Promise<SessionUser> {
    return this.#exclusively(async () => {
      const sent = this.#usesTokens ? { ...body, tokens: 'body' } : body
      const { body: answer } = await toApiResponse<SignedIn>(await this.#send(path, { method: 'POST', body: sent }))
      this.#pending = null
      this.#epoch++
      const user = await this.#accept(answer)
      for (const listener of this.#listeners.signedIn) listener(user)
      return user
    })
  }

  async #accept({ accessToken, refreshToken, expiresIn, ...user }: SignedIn): Promise<SessionUser> {
    this.#user = user
    if (accessToken !== undefined && refreshToken !== undefined)
      await this.#keep({ accessToken, refreshToken, expiresAt: Date.now() + (expiresIn ?? 0) * 1000, user: user.pk })
    return user
  }

  async #keep(tokens: SessionTokens | null): Promise<void> {
    this.#tokens = tokens
    await this.#storage.set(tokens)
  }

  async #readTokens(): Promise<SessionTokens | null> {
    if (this.#tokens) return this.#tokens
    const { epoch } = this.mark()
    const stored = await this.#storage.get()
    // A sign-in or sign-out may have come first.
    if (epoch === this.#epoch) this.#tokens ??= stored
    return this.#tokens ?? null
  }

  async #end(reason: 'signOut' | 'expired'): Promise<void> {
    this.#epoch++
    this.#user = null
    if (this.#usesTokens) await this.#keep(null)
    for (const listener of this.#listeners.signedOut) listener(reason)
  }

  /** Refreshes once for all requests of this client that wait, and one after the other for all tabs of the browser. */
  async #refreshOnce(mark: RequestMark): Promise<boolean> {
    // A request of an earlier session must not be sent again in this one.
    if (this.#options.apiKey !== undefined || mark.epoch !== this.#epoch) return false
    this.#refreshing ??= this.#exclusively(() => this.#refresh(mark)).finally(() => {
      this.#refreshing = null
    })
    return (await this.#refreshing) && mark.epoch === this.#epoch
  }

  async #refresh({ sentAt, epoch }: RequestMark): Promise<boolean> {
    if (epoch !== this.#epoch) return false
    const known = this.#usesTokens ? await this.#lookAtStorage() : lastRefresh(this.#options.name) >= sentAt
    if (known === 'ended') return false
    if (known === true || known === 'refreshed') return true
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

  /** Looks whether another tab has refreshed the tokens, signed out, or signed in as another user. */
  async #lookAtStorage(): Promise<'refreshed' | 'ended' | 'same'> {
    const stored = await this.#storage.get()
    const own = this.#tokens
    if (!own || (stored && stored.refreshToken === own.refreshToken)) return 'same'
    if (stored && stored.user === own.user) {
      this.#tokens = stored
      return 'refreshed'
    }
    // The storage belongs to the other session.
    this.#epoch++
    this.#user = null
    this.#tokens = null
    for (const listener of this.#listeners.signedOut) listener('expired')
    return 'ended'
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
