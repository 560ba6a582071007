// Who a user is, for the ways of asking that have no session: a password or an API key with each request.

import type { Caller } from '../../../core/model/caller.ts'
import { createRevalidatingCache, type RevalidatingCache } from '../../../core/store/revalidating-cache.ts'
import type { Store } from '../../../core/store/store.ts'
import { type Secrets, secrets } from '../../people/index.ts'

export interface Person {
  readonly caller: Caller
  readonly active: boolean
  readonly passwordHash: string | null
  /** A password alone is not enough. */
  readonly mfa: boolean
}

export type ReadPerson = RevalidatingCache<Person>['read']

export const createPersonReader = (store: Store): ReadPerson =>
  createRevalidatingCache(store, store.resource(secrets), row => toPerson(row as Secrets)).read

/** The label is the username, and whatever changes that changes the login name beside it. */
const toPerson = ({ user: { pk, label }, roles, active, passwordHash, mfa }: Secrets): Person => ({
  caller: { pk, username: label, roles: new Set(roles) },
  active,
  passwordHash,
  mfa,
})
