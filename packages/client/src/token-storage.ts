// Where applications keep the tokens of a session.

export interface SessionTokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** The time when the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number
  /** The pk of the user: tells the sessions of several users apart that share a storage. */
  readonly user?: string
}

/** The place where an application keeps its tokens; by default memory, so that a restart signs out. */
export interface TokenStorage {
  get(): SessionTokens | null | Promise<SessionTokens | null>
  set(tokens: SessionTokens | null): void | Promise<void>
}

export const memoryStorage = (): TokenStorage => {
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

/**
 * Keeps tokens in `localStorage`, `sessionStorage` or React Native's `AsyncStorage`.
 *
 * @example const stored = createClient({ session: 'tokens', storage: storeTokensIn(localStorage) })
 */
export const storeTokensIn = (storage: TextStorage, key = 'plinth.tokens'): TokenStorage => ({
  get: async () => readTokens(await storage.getItem(key)),
  set: async tokens => {
    await (tokens === null ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(tokens)))
  },
})

/** Reads tokens. Other code may write to the same storage: what are no tokens is no session. */
const readTokens = (text: string | null): SessionTokens | null => {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    return isTokens(stored) ? stored : null
  } catch {
    return null
  }
}

const isTokens = (stored: unknown): stored is SessionTokens =>
  typeof stored === 'object' &&
  stored !== null &&
  'accessToken' in stored &&
  typeof stored.accessToken === 'string' &&
  'refreshToken' in stored &&
  typeof stored.refreshToken === 'string' &&
  'expiresAt' in stored &&
  typeof stored.expiresAt === 'number'
