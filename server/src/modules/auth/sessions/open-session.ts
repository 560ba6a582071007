// A session begins: its row, and the secrets that only the device gets.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Request } from '../../../core/http/exchange.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { type Secrets, usernameOf } from '../../people/index.ts'
import { type SessionRow, sessions } from './sessions.ts'
import { after, type Terms } from './terms.ts'

export interface Opening {
  /** The row of `secrets` of a user who has been proved to be there. */
  readonly secrets: Secrets
  readonly request: Request
  readonly state: 'full' | 'mfa_pending'
  /** Which secrets the device gets besides its tokens. */
  readonly sso?: boolean
  readonly remember?: boolean
}

export interface Opened {
  readonly session: SessionRow
  /** The values of the cookies `app-sso` and `remember-me`; null where none is given. */
  readonly sso: string | null
  readonly remember: string | null
}

export const openSession = async (
  tx: Transaction,
  { secrets, request, state, sso = false, remember = false }: Opening,
  { now, terms }: { readonly now: Date; readonly terms: Terms },
): Promise<Opened> => {
  const [ssoSecret, rememberSecret] = [sso ? newSecret() : null, remember ? newSecret() : null]
  const date = now.toISOString()
  const session = await recordsIn(tx).create(sessions, {
    user: secrets.pk,
    username: usernameOf(secrets),
    roles: secrets.roles,
    state,
    created: date,
    lastUsed: date,
    idleUntil: after(now, terms.idle),
    until: after(now, terms.whole),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    address: request.remoteAddress,
    refreshId: uuidv7(),
    rotated: date,
    ssoHash: ssoSecret && hashOf(ssoSecret),
    rememberHash: rememberSecret && hashOf(rememberSecret),
    rememberUntil: remember ? after(now, terms.remember) : null,
  })
  return {
    session,
    sso: ssoSecret && `${session.pk}.${ssoSecret}`,
    remember: rememberSecret && `${session.pk}.${rememberSecret}`,
  }
}

/** 256 bits. */
const newSecret = (): string => randomBytes(32).toString('base64url')

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const sealed = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

/** The session and the secret that a cookie names; null when it has not our form. */
export const readSealed = (value: string | null): { readonly sid: string; readonly secret: string } | null => {
  const [, sid, secret] = sealed.exec(value ?? '') ?? []
  return sid === undefined || secret === undefined ? null : { sid, secret }
}

/** Is it the secret whose hash was kept? */
export const isSecret = (secret: string, kept: unknown): boolean =>
  typeof kept === 'string' && kept.length === 64 && timingSafeEqual(Buffer.from(kept), Buffer.from(hashOf(secret)))
