// Idempotency-Key: a repeated POST gets the first one's answer. The answer is stored in the transaction of the work itself,
// so that a crash leaves either both or neither.

import { createHash, createHmac, type Hash, type Hmac, randomUUID } from 'node:crypto'
import type { Request, Response } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import { assigned, defineResource } from '../model/define.ts'
import { takesIdempotencyKey } from '../model/description.ts'
import { integer, longText, map, text, textList, timestamp } from '../model/fields.ts'
import type { Row } from '../model/row.ts'
import { Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { recordsIn } from '../records/records.ts'
import { expires } from './jobs.ts'
import type { Context, Platform } from './platform.ts'

export const idempotencyKeys = defineResource('idempotencyKeys', {
  about: 'Responses stored for idempotency keys.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    fingerprint: text({ required: true }),
    /** What the caller's roles were, and the scopes of their credentials where those are limited. */
    roles: textList({ maxItems: 1000 }),
    scopes: textList({ maxItems: 1000, max: 120 }),
    /** Which request is at work on it, until when; there is no status yet. */
    holder: text({ required: true }),
    /** The process that the request runs in. */
    instance: text(),
    heldUntil: timestamp({ required: true }),
    status: integer(),
    headers: map(),
    body: longText({ max: 500_000_000 }),
    expires: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

/** What is known of a request with a key: its claim while it runs, then its response. */
type StoredKey = Row<typeof idempotencyKeys>
type AnsweredKey = StoredKey & { readonly status: number }

const isAnswered = (stored: StoredKey): stored is AnsweredKey => stored.status !== null

const hour = 3600_000
/** A claim ends with the process that holds it, and after this time where that cannot be seen. */
const heldFor = 60_000

export interface Repeatable {
  readonly request: Request
  /** Of a body that came as a stream: it stands for the body, whose bytes may differ where its content does not. */
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
  asked: Repeatable,
  prepare: () => Promise<Work>,
): Promise<Response> => {
  const { method, route, headers } = asked.request
  const key = headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(method, route)) return (await prepare())(context)
  return once(context, { ...asked, key: String(key) }, prepare)
}

interface Keyed extends Repeatable {
  readonly key: string
}

const once = async (context: Context, asked: Keyed, prepare: () => Promise<Work>): Promise<Response> => {
  if (!/^[\x21-\x7e]{1,255}$/.test(asked.key))
    throw new Problem('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  const claim = await newClaim(context, asked)
  const earlier = await claimKey(context, claim)
  if (earlier) {
    mustCover(context.caller, earlier)
    return storedResponse(earlier)
  }
  try {
    const work = await prepare()
    return await inTransaction(context, async inside => {
      const records = recordsIn(inside.tx)
      const held = await records.lock(idempotencyKeys, claim.pk)
      if (held?.holder !== claim.holder) throw new Problem('in_progress')
      const response = await work(inside)
      await records.update(idempotencyKeys, claim.pk, toStored(response))
      return response
    })
  } catch (error) {
    // Nothing was done, so nothing is stored: the caller may correct the request and try again. Should this fail too,
    // the claim expires; the caller gets the first error.
    await release(context, claim).catch(() => undefined)
    throw error
  }
}

interface Claim {
  readonly pk: string
  readonly fingerprint: string
  readonly holder: string
}

const newClaim = async ({ caller, platform }: Context, { key, request, digest }: Keyed): Promise<Claim> => {
  const { method, path, search, headers, body, remoteAddress } = request
  const asked = [method, path, search, digest ?? headers['content-type'] ?? '', headers.accept ?? '', body ?? '']
  return {
    pk: digestOf(createHash('sha256'), [caller.pk ?? `anonymous at ${remoteAddress}`, key]),
    // The request's own key counts as well: where the service's lies with the data, it may be the only secret of the two.
    fingerprint: toFingerprint(await platform.fingerprintKey(), [key, ...asked]),
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

/**
 * Not when another request has taken over the key, nor when there is a response: a connection that is lost during the
 * commit makes it look like a failure.
 */
const release = ({ platform }: Context, claim: Claim): Promise<void> =>
  platform.records.transaction(async records => {
    const held = await records.lock(idempotencyKeys, claim.pk)
    if (held?.holder === claim.holder && held.status === null) await records.remove(idempotencyKeys, claim.pk)
  })

/** Null when the key is ours now; otherwise the record of the first request, which has its response. */
const claimKey = (context: Context, claim: Claim): Promise<AnsweredKey | null> =>
  tryToClaim(context, claim).catch(error => {
    // Two came at once, and the other one's record was written first.
    throw error instanceof Problem && error.code === 'taken' ? stillRunning() : error
  })

const stillRunning = (): Problem => new Problem('in_progress', 'The first request with this key is still running.')

/** The first answer shows what its caller was allowed to see. A caller with fewer rights now does not get it again. */
const mustCover = ({ roles, scopes: reach }: Caller, { roles: former, scopes }: StoredKey): void => {
  const hasRoles = (former ?? []).every(role => roles.has(role))
  const hasReach = reach === undefined || scopes?.every(scope => reach.has(scope))
  if (!hasRoles || !hasReach)
    throw new Problem('forbidden', 'The first request with this key had permissions that this one does not have.')
}

const tryToClaim = ({ platform, caller }: Context, claim: Claim): Promise<AnsweredKey | null> =>
  platform.records.transaction(async records => {
    const now = platform.clock().getTime()
    const mine = {
      fingerprint: claim.fingerprint,
      roles: [...caller.roles],
      scopes: caller.scopes ? [...caller.scopes] : null,
      holder: claim.holder,
      instance: platform.store.instance,
      heldUntil: new Date(now + heldFor).toISOString(),
      expires: new Date(now + platform.limits.idempotencyHours * hour).toISOString(),
      status: null,
    }
    const first = await records.lock(idempotencyKeys, claim.pk)
    if (!first) {
      await records.create(idempotencyKeys, { pk: claim.pk, ...mine })
      return null
    }
    const isOver = (time: string) => Date.parse(time) <= now
    if (!isOver(first.expires)) {
      if (isOther(first.fingerprint, claim.fingerprint))
        throw new Problem('key_reused', 'The key was already used with another request.')
      if (isAnswered(first)) return first
      if (!isOver(first.heldUntil) && (await isHeld(platform, first))) throw stillRunning()
    }
    await records.update(idempotencyKeys, claim.pk, mine)
    return null
  })

/**
 * Is the process of the first request still there? To take a claim over is safe even if it is: the first request then finds
 * the claim gone, and does nothing.
 */
const isHeld = async ({ store }: Platform, { instance }: StoredKey): Promise<boolean> =>
  instance === null || store.isRunning(instance)

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

export const idempotencySweep = expires(idempotencyKeys, ({ now }) => ({ expires: { le: now } }))
