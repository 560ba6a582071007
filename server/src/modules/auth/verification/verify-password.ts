// Is this the right password? The one answer for every way of signing in: counted, timed alike for names that nobody has,
// and kept in the audit.

import type { Request } from '../../../core/http/exchange.ts'
import { networkOf } from '../../../core/http/network.ts'
import { limitConcurrencyByKey } from '../../../core/limit-concurrency.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { readerOf } from '../../../core/records/reader.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import type { Store } from '../../../core/store/store.ts'
import {
  canonicalLogin,
  findSecrets,
  findUnconfirmed,
  hashPassword,
  isOutdated,
  isUnconfirmed,
  recordFailure,
  recordSuccess,
  rehashPassword,
  type Secrets,
  secrets,
  userCredentials,
  verifyPassword,
} from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import { authProblem } from '../faults.ts'
import { rememberNetwork } from './known-networks.ts'
import type { NoteRefusal } from './refusal-log.ts'
import { holdProved } from './still-valid.ts'
import type { Attempt, Throttle } from './throttle.ts'

/** By which address, header or cookie the user was proved. */
export type Way = 'jwt' | 'basic' | 'userDetails' | 'verification' | 'header' | 'secondFactor' | 'oauth' | 'remembered'

export interface Try {
  readonly name: string
  readonly password: string
  readonly request: Request
  readonly way: Way
}

export interface Proof {
  readonly secrets: Secrets
  /** In the transaction of whatever follows: the success is written down, if the proof still holds; else 401. */
  readonly settle: (tx: Transaction) => Promise<Secrets>
}

export type Prove = (one: Try) => Promise<Proof>

export const createProve = (platform: Platform, throttle: Throttle, noteRefusal: NoteRefusal): Prove => {
  // A handful at a time from each address: what is counted as a failure until it succeeds stays small.
  const turns = limitConcurrencyByKey({ atOnce: 4, waiting: 2000 })
  return async one => {
    try {
      return await turns(networkOf(one.request.remoteAddress), () => prove(platform, throttle, one))
    } catch (error) {
      if (error instanceof Problem && error.code === 'too_many_requests') {
        const { name, request, way } = one
        await noteRefusal({ type: 'AUTHENTICATION_THROTTLED', principal: name, request, reason: way })
      }
      throw error
    }
  }
}

const prove = async ({ store, clock }: Platform, throttle: Throttle, one: Try): Promise<Proof> => {
  // Both are looked up every time: the time of an answer must not depend on what is found.
  const [known, newcomer] = await Promise.all([findSecrets(store, one.name), findUnconfirmed(store, one.name)])
  const found = known ?? newcomer
  // Apart from one another: names are chosen by strangers, who may know a pk.
  const account = found ? `user ${found.pk}` : `name ${canonicalLogin(one.name)}`
  const attempt: Attempt = { account, userPk: found?.pk ?? null, address: one.request.remoteAddress }
  await throttle.enter(attempt)
  const proved = await opened(store, found, one.password)
  if (!proved) {
    await store.transaction(tx => noteFailure(tx, { one, account: found, now: clock() }))
    throw new Problem('unauthorized')
  }
  // Of its own: the password was right, whatever becomes of the work for which it was asked.
  await store.transaction(tx => throttle.forgive(tx, attempt))
  if (!proved.active) {
    const data = { ...traceOf(one), reason: 'The e-mail address is not confirmed.' }
    await store.transaction(tx =>
      authAudit.record(tx, { type: 'AUTHENTICATION_FAILURE', principal: one.name, data, now: clock() }),
    )
    throw authProblem('email_unconfirmed', 'The e-mail address of the registration is not confirmed yet.')
  }
  return {
    secrets: proved,
    settle: async tx => {
      await noteSuccess(tx, { ...one, userPk: proved.pk, now: clock() })
      return holdProved(tx, proved)
    },
  }
}

/** The row that the password opens, or would open once its address is confirmed; null when it opens nothing. */
const opened = async (store: Store, known: Secrets | null, password: string): Promise<Secrets | null> => {
  const kept = known?.passwordHash ?? null
  const isRight = await verifyPassword(kept, password)
  if (!known || !isRight || kept === null) return null
  // An account that was closed is not told apart from a wrong password.
  const { pk, active } = known
  if (!active && !isUnconfirmed(await readerOf(store).first(userCredentials, { pk }))) return null
  if (!isOutdated(kept)) return known
  const better = await hashPassword(password)
  const renewed = await store.transaction(tx => rehashPassword(tx, known, better))
  // Another sign-in was faster, or the password is another by now: what is kept now decides.
  return renewed ?? opened(store, await readerOf(store).first(secrets, { pk }), password)
}

const traceOf = ({ request, way }: Pick<Try, 'request' | 'way'>): Record<string, string> => ({
  address: request.remoteAddress,
  way,
})

const noteFailure = async (
  tx: Transaction,
  { one, account, now }: { readonly one: Try; readonly account: Secrets | null; readonly now: Date },
): Promise<void> => {
  if (account) await recordFailure(tx, account.pk)
  await authAudit.record(tx, { type: 'AUTHENTICATION_FAILURE', principal: one.name, data: traceOf(one), now })
}

export interface Success extends Pick<Try, 'request' | 'way'> {
  readonly userPk: string
  readonly now: Date
}

export const noteSuccess = async (tx: Transaction, { userPk, now, ...one }: Success): Promise<void> => {
  const principal = await recordSuccess(tx, userPk, { visit: one.way !== 'verification', now })
  await rememberNetwork(tx, { userPk, address: one.request.remoteAddress }, now)
  await authAudit.record(tx, { type: 'AUTHENTICATION_SUCCESS', principal, data: traceOf(one), now })
}
