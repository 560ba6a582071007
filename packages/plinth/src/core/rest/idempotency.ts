// Idempotency-Key: a repeated POST gets the first one's answer. The answer is stored in the transaction of the work itself,
// so that a crash leaves either both or neither.

import { createHash, createHmac, type Hash, type Hmac, randomUUID } from 'node:crypto'
import type { Request, Response } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import { takesIdempotencyKey } from '../model/description.ts'
import { Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { recordsWithin } from '../records/records.ts'
import type { Context } from './context.ts'
import { claimMs, idempotencyKeys, type KeyClaim, type StoredKey } from './idempotency-keys.ts'
import type { Platform } from './platform.ts'

type AnsweredKey = StoredKey & { readonly status: number }

const isAnswered = (stored: StoredKey): stored is AnsweredKey => stored.status !== null

const hour = 3600_000

export interface Repeatable {
  readonly request: Request
  /**
   * The digest of a body that came as a stream: it stands for the body, whose bytes may differ where its content does
   * not.
   */
  readonly digest?: string
}

/** What is done in the transaction of the context, if it has one. */
export type Work = (context: Context) => Promise<Response>

/**
 * Does what is asked, or gives what came of it when it was done before: by its Idempotency-Key, where it has one and keys
 * count. `prepare` runs outside the transaction, so that no other request waits for it; the work that it returns runs inside.
 */
export const unlessDone = async (
  context: Context,
  repeatable: Repeatable,
  prepare: () => Promise<Work>,
): Promise<Response> => {
  const { method, route, headers } = repeatable.request
  const key = headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(method, route)) return (await prepare())(context)
  return once(context, { ...repeatable, key: String(key) }, prepare)
}

interface Keyed extends Repeatable {
  readonly key: string
}

const once = async (context: Context, keyed: Keyed, prepare: () => Promise<Work>): Promise<Response> => {
  if (!/^[\x21-\x7e]{1,255}$/.test(keyed.key))
    throw new Problem('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  const claim = await newClaim(context, keyed)
  return context.platform.keyClaims.during(claim, () => underClaim(context, claim, prepare))
}

const underClaim = async (context: Context, claim: KeyClaim, prepare: () => Promise<Work>): Promise<Response> => {
  const earlier = await claimKey(context, claim)
  if (earlier) {
    mustCover(context.caller, earlier)
    return storedResponse(earlier)
  }
  const work = await prepare()
  return inTransaction(context, async transaction => {
    const records = recordsWithin(transaction).asService
    const stored = await records.lock(idempotencyKeys, claim.pk)
    if (stored?.holder !== claim.holder) throw stillRunning()
    const response = await work(transaction)
    await records.update(idempotencyKeys, claim.pk, toStored(response))
    return response
  })
}

const newClaim = async ({ caller, platform }: Context, { key, request, digest }: Keyed): Promise<KeyClaim> => {
  const { method, path, search, headers, body, remoteAddress } = request
  const parts = [method, path, search, digest ?? headers['content-type'] ?? '', headers.accept ?? '', body ?? '']
  return {
    pk: digestOf(createHash('sha256'), [caller.pk ?? `anonymous at ${remoteAddress}`, key]),
    // The request's own key counts as well: where the service's lies with the data, it may be the only secret of the two.
    fingerprint: toFingerprint(await platform.fingerprintKey(), [key, ...parts]),
    holder: randomUUID(),
  }
}

/** Changes whenever fingerprints are made in another way. */
const fingerprintVersion = 2

/**
 * A body may hold a password, which could be guessed quickly from a plain hash: hence the key. In front stands how the
 * fingerprint was made: by which version, with which key.
 */
const toFingerprint = (key: Buffer, parts: readonly (string | Buffer)[]): string => {
  const keyId = digestOf(createHmac('sha256', key), ['key']).slice(0, 8)
  return `${fingerprintVersion}.${keyId}.${digestOf(createHmac('sha256', key), parts)}`
}

/**
 * Were the two made of different requests? After an upgrade or with a new key this is unknown. Then the request counts as
 * the same: the key was used, and to do its work twice would be worse than to repeat the first answer.
 */
const isOther = (first: string, second: string): boolean => {
  const makingOf = (fingerprint: string) => fingerprint.slice(0, fingerprint.lastIndexOf('.') + 1)
  return makingOf(first) === makingOf(second) && first !== second
}

const digestOf = (hash: Hash | Hmac, parts: readonly (string | Buffer)[]): string => {
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/** Returns null when the key is ours now; otherwise the record of the first request, which has its response. */
const claimKey = (context: Context, claim: KeyClaim): Promise<AnsweredKey | null> =>
  tryToClaim(context, claim).catch(error => {
    // Two came at once, and the other one's record was written first.
    throw error instanceof Problem && error.code === 'taken' ? stillRunning() : error
  })

const stillRunning = (): Problem =>
  new Problem('in_progress', {
    detail: 'The first request with this key is still running.',
    headers: { 'Retry-After': '1' },
  })

/** The first answer shows what its caller was allowed to see. A caller with fewer rights now does not get it again. */
const mustCover = (caller: Caller, { roles: former, scopes, attributes }: StoredKey): void => {
  const { roles, scopes: reach } = caller
  const hasRoles = (former ?? []).every(role => roles.has(role))
  const hasReach = reach === undefined || scopes?.every(scope => reach.has(scope))
  if (!hasRoles || !hasReach || attributes !== attributesDigest(caller))
    throw new Problem('forbidden', 'The first request with this key had permissions that this one does not have.')
}

const attributesDigest = ({ attributes }: Caller): string | null =>
  attributes ? digestOf(createHash('sha256'), [JSON.stringify([...attributes])]) : null

const tryToClaim = ({ platform, caller }: Context, claim: KeyClaim): Promise<AnsweredKey | null> =>
  platform.records.transaction(async records => {
    const now = platform.clock().getTime()
    const mine = {
      fingerprint: claim.fingerprint,
      roles: [...caller.roles],
      attributes: attributesDigest(caller),
      scopes: caller.scopes ? [...caller.scopes] : null,
      holder: claim.holder,
      instance: platform.store.instance,
      heldUntil: new Date(now + claimMs).toISOString(),
      expires: new Date(now + platform.limits.idempotencyHours * hour).toISOString(),
      status: null,
    }
    const first = await records.lock(idempotencyKeys, claim.pk)
    if (!first) {
      platform.keyClaims.writes(claim)
      await records.create(idempotencyKeys, { pk: claim.pk, ...mine })
      return null
    }
    const isOver = (time: string) => Date.parse(time) <= now
    if (!isOver(first.expires)) {
      if (isOther(first.fingerprint, claim.fingerprint))
        throw new Problem('key_reused', 'The key was already used with another request.')
      if (isAnswered(first)) return first
      if (await isClaimed(platform, first)) throw stillRunning()
    }
    platform.keyClaims.writes(claim)
    await records.update(idempotencyKeys, claim.pk, mine)
    return null
  })

/**
 * Is the first request still running? To take a claim over is safe even if it is: the first request then finds the claim gone,
 * and does nothing.
 */
const isClaimed = async ({ store, keyClaims, clock }: Platform, first: StoredKey): Promise<boolean> => {
  if (first.instance === store.instance) return keyClaims.isRunning(first.holder)
  // A clock that was ahead may have left a claim for years.
  const leftMs = Date.parse(first.heldUntil) - clock().getTime()
  if (leftMs <= 0 || leftMs > 2 * claimMs) return false
  return first.instance === null || store.isRunning(first.instance)
}

const toStored = ({ status, headers, body, isSecret = false }: Response) => {
  if (body !== undefined && typeof body !== 'string') throw new Error('only text can be stored for repeated requests')
  // Cookies are credentials: they are sent once and never stored. Nor is a body that shows credentials.
  const left = new Set(['set-cookie', ...(isSecret ? ['content-type', 'etag'] : [])])
  const stored: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers ?? {}))
    if (typeof value === 'string' && !left.has(name.toLowerCase())) stored[name] = value
  return { status, headers: stored, body: isSecret ? null : (body ?? null) }
}

const storedResponse = ({ status, headers, body }: AnsweredKey): Response => ({
  status,
  headers: { ...headers, 'Idempotency-Replayed': 'true' },
  ...(body !== null && { body }),
})
