// Who asks, and what the credentials of a caller are good for.

import type { Json } from './json.ts'

/**
 * The user or client that sends a request. Made by the module that identifies callers; handlers take the acting user
 * from nowhere else.
 */
export interface Caller {
  /** The user's pk; null for anonymous callers. */
  readonly pk: string | null
  readonly username: string | null
  readonly roles: ReadonlySet<string>
  /** What rules look at in the user's own record, by path such as `shop` or `shop.region`; in JSON form. Absent where no rule does. */
  readonly attributes?: CallerAttributes
  /** The session that the credentials belong to, when they belong to one. */
  readonly session?: string | undefined
  /** What the credentials are good for, when that is less than what their user may do. */
  readonly scopes?: CredentialScopes
  /** The API key that the caller was identified by. */
  readonly apiKey?: string
}

/** Values of the user's own record and of those that it refers to, by the paths that rules name after `caller.user`. */
export type CallerAttributes = ReadonlyMap<string, Json>

/** The user on whose behalf the database is read. Nothing is worked out before a read turns out to be slow. */
export interface Requester {
  /** A user, an API key or an address: what one of them asks for shares one place in the queue. */
  key(): string
  /** Returns a signal that is aborted when the caller has left. */
  signal(): AbortSignal
}

/** The origin of a request. */
export interface Sender {
  readonly remoteAddress: string
  readonly userAgent: string | null
  readonly requestId: string
}

/** The caller without credentials. */
export const anonymous: Caller = { pk: null, username: null, roles: new Set() }

/**
 * Is the caller an administrator?
 *
 * @example isAdmin(caller)
 */
export const isAdmin = (caller: Caller): boolean => caller.roles.has('ROLE_ADMIN')

/** Would the caller gain nothing by acting as a user with these roles? */
export const covers = (caller: Caller, roles: readonly string[]): boolean =>
  isAdmin(caller) || roles.every(role => role === 'ROLE_USER' || caller.roles.has(role))

// Some credentials are good for less than their user is: they read, or they write too, everywhere or in some resources.

type ScopeKind = 'read' | 'write'

/** `read` and `write` for everything, `films:read` and `films:write` for one resource. Writing includes reading. */
export type CredentialScopes = ReadonlySet<string>

/**
 * Says whether the scopes allow it. Null stands for what belongs to no resource: only scopes for everything allow it.
 */
export const scopesAllow = (scopes: CredentialScopes, resource: string | null, kind: ScopeKind): boolean =>
  (kind === 'read' ? (['read', 'write'] as const) : (['write'] as const)).some(
    known => scopes.has(known) || (resource !== null && scopes.has(`${resource}:${known}`)),
  )

/**
 * Says whether the caller is authenticated without limits, and not by credentials of limited scope such as an API key.
 */
export const isInPerson = ({ scopes }: Caller): boolean => scopes === undefined
