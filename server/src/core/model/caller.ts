import type { Reach } from './reach.ts'

/** Who asks. Made by the module that identifies callers; handlers never take the acting user from anywhere else. */
export interface Caller {
  /** The user's pk; null for nobody. */
  readonly pk: string | null
  readonly username: string | null
  readonly roles: ReadonlySet<string>
  /** The session that the credentials belong to, when they belong to one. */
  readonly session?: string | undefined
  /** What the credentials are good for, when that is less than what their user may do. */
  readonly reach?: Reach
  /** The API key that the caller was identified by. */
  readonly apiKey?: string
}

/** On whose behalf the database is asked. Neither is worked out before a read turns out to be slow. */
export interface Requester {
  /** A user, an API key or an address: what one of them asks for shares one place in the queue. */
  key(): string
  /** Aborted when the caller has left. */
  signal(): AbortSignal
}

/** Where a request came from. */
export interface Sender {
  readonly remoteAddress: string
  readonly userAgent: string | null
}

export const nobody: Caller = { pk: null, username: null, roles: new Set() }

export const isAdmin = (caller: Caller): boolean => caller.roles.has('ROLE_ADMIN')

/** Would the caller gain nothing by standing in for somebody with these roles? */
export const covers = (caller: Caller, roles: readonly string[]): boolean =>
  isAdmin(caller) || roles.every(role => role === 'ROLE_USER' || caller.roles.has(role))
