// A session: one sign-in on one device, and everything by which that device is recognised afterwards. Each request reads the
// row, so the end of a session takes effect on the next request, on every instance.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Config } from '../../../core/config/settings.ts'
import { sha256Of } from '../../../core/digest.ts'
import type { Request } from '../../../core/http/exchange.ts'
import { defineResource } from '../../../core/model/define.ts'
import { choice, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import type { Row } from '../../../core/model/row.ts'
import type { AuditEvent } from '../../audit/index.ts'
import { type Secrets, usernameOf } from '../../people/index.ts'
import type { AuthAuditType } from '../problems.ts'
import { authSettings, jwtSettings, sessionSettings } from '../settings.ts'

export const sessions = defineResource('sessions', {
  about: 'Sessions of users and their devices.',
  backup: 'encrypted',
  trash: false,
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    /** Copied from the user, and again whenever they change. */
    username: text({ required: true, max: 100 }),
    roles: textList({ maxItems: 1000 }),
    /** `mfa_pending`: the password was right, and the second factor is missing. Such a session opens nothing. */
    state: choice(['full', 'mfa_pending'], { required: true }),
    created: timestamp({ required: true }),
    lastUsed: timestamp({ required: true }),
    /**
     * The time when the user last entered a password or a code, or signed in at a provider; null after a sign-in
     * without any of them.
     */
    verified: timestamp(),
    /** The session ends then unless it is used before. */
    idleUntil: timestamp({ required: true }),
    /** The session ends then in any case. */
    until: timestamp({ required: true, indexed: true }),
    userAgent: text({ max: 500 }),
    address: text({ max: 60 }),
    /** The valid refresh token, the one before it, and when they were exchanged. */
    refreshId: text({ max: 40 }),
    formerRefreshId: text({ max: 40 }),
    rotated: timestamp(),
    /** SHA-256 of the secrets in the cookies `app-sso` and `remember-me`. */
    ssoHash: text({ max: 64 }),
    rememberHash: text({ max: 64 }),
    rememberUntil: timestamp(),
  },
  /** The field by which open connections are closed when their session ends. */
  eventFields: ['user'],
  access: {},
})

export type Session = Row<typeof sessions>

/** The lifetimes in milliseconds. */
export interface Lifetimes {
  readonly access: number
  readonly refresh: number
  readonly idle: number
  readonly session: number
  readonly remember: number
}

const minute = 60_000
const day = 24 * 60 * minute

export const lifetimesOf = (config: Config): Lifetimes => {
  const session = config.get(sessionSettings).maxMinutes * minute
  return {
    access: config.get(jwtSettings).accessTokenMinutes * minute,
    refresh: config.get(jwtSettings).refreshTokenMinutes * minute,
    idle: config.get(sessionSettings).idleMinutes * minute,
    session,
    // The limit on sessions also applies to remembered devices.
    remember: Math.min(session, config.get(authSettings).rememberDays * day),
  }
}

export const after = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString()

/** What carries a session: the cookies of its tokens, the cookie that stands for a Basic header, or tokens in bodies. */
export type SessionCarrier = 'tokens' | 'sso' | 'body'

export interface NewSession {
  /** The row of `secrets` of the verified user. */
  readonly secrets: Secrets
  readonly request: Request
  readonly state: Session['state']
  /** The time when the user was verified; null when that is not known; by default now. */
  readonly verified?: Date | null
  /** The secrets that the device gets besides its tokens. */
  readonly sso?: boolean
  readonly remember?: boolean
}

export interface CreatedSession {
  readonly session: Session
  /** The values of the cookies `app-sso` and `remember-me`; null for those that the device does not get. */
  readonly sso: string | null
  readonly remember: string | null
}

export const createSession = async (
  records: TransactionRecords,
  session: NewSession,
  { now, lifetimes }: { readonly now: Date; readonly lifetimes: Lifetimes },
): Promise<CreatedSession> => {
  const { secrets, request, state, verified = now, sso = false, remember = false } = session
  const [ssoSecret, rememberSecret] = [sso ? newSecret() : null, remember ? newSecret() : null]
  const date = now.toISOString()
  const created = await records.create(sessions, {
    user: secrets.pk,
    username: usernameOf(secrets),
    roles: secrets.roles,
    state,
    created: date,
    lastUsed: date,
    verified: verified?.toISOString() ?? null,
    idleUntil: after(now, lifetimes.idle),
    until: after(now, lifetimes.session),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    address: request.remoteAddress,
    refreshId: uuidv7(),
    rotated: date,
    ssoHash: ssoSecret && sha256Of(ssoSecret),
    rememberHash: rememberSecret && sha256Of(rememberSecret),
    rememberUntil: remember ? after(now, lifetimes.remember) : null,
  })
  return {
    session: created,
    sso: ssoSecret && `${created.pk}.${ssoSecret}`,
    remember: rememberSecret && `${created.pk}.${rememberSecret}`,
  }
}

/** 256 bits. */
const newSecret = (): string => randomBytes(32).toString('base64url')

export interface SessionSecret {
  /** The session's pk. */
  readonly sid: string
  readonly secret: string
}

const secretForm = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/

/** The value of a cookie `app-sso` or `remember-me`; null when it does not have our form. */
export const readSessionSecret = (value: string | null): SessionSecret | null => {
  const [, sid, secret] = secretForm.exec(value ?? '') ?? []
  return sid === undefined || secret === undefined ? null : { sid, secret }
}

export const isSecretOf = (hash: string | null, secret: string): boolean =>
  hash?.length === 64 && timingSafeEqual(Buffer.from(hash), Buffer.from(sha256Of(secret)))

/** How far the clocks of two instances may differ, in milliseconds. */
export const clockTolerance = 5 * minute

/** A session that began later began while the clock was ahead. It would last that much longer, so it counts as ended. */
export const latestStart = (now: Date): string => after(now, clockTolerance)

export const isEnded = ({ created, idleUntil, until }: Session, now: Date): boolean => {
  const date = now.toISOString()
  return idleUntil <= date || until <= date || created > latestStart(now)
}

/** Can the device sign in again by `remember-me`, however long the session was idle? */
export const isRemembered = ({ rememberHash, rememberUntil, created, until }: Session, now: Date): boolean => {
  const date = now.toISOString()
  return rememberHash !== null && (rememberUntil ?? '') > date && until > date && created <= latestStart(now)
}

export interface EndOptions {
  /** The session that stays. */
  readonly except?: string | undefined
}

/** Ends the user's sessions; answers how many. */
export const endSessions = (
  records: TransactionRecords,
  userPk: string,
  { except }: EndOptions = {},
): Promise<number> =>
  records.removeMany(sessions, { where: { user: userPk, ...(except !== undefined && { pk: { ne: except } }) } })

/** Copies the name and the roles of a user to all sessions. */
export const updateSessions = (
  records: TransactionRecords,
  userPk: string,
  rights: { readonly username: string; readonly roles: readonly string[] },
): Promise<number> => records.updateMany(sessions, { where: { user: userPk } }, rights)

/** Is a date at most so far away, in either direction? The clock may have been ahead when it was stored. */
export const isWithin = (milliseconds: number, date: string | null, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(date ?? '')) <= milliseconds

export interface SessionEvent {
  readonly type: AuthAuditType
  readonly session: Session
  readonly request: Request
}

export const toAuditEvent = ({ type, session, request }: SessionEvent, now: Date): AuditEvent<AuthAuditType> => ({
  type,
  principal: session.username,
  data: { address: request.remoteAddress, session: session.pk, path: request.path },
  now,
})

// A refresh token works once. Used again soon after, it gives the same tokens as before: the response may have been lost, or two
// tabs refreshed at the same time. Used again later, it was stolen, and the thief cannot be distinguished from the user: the session ends.

const graceMs = 20_000

export type Rotation =
  | { readonly outcome: 'rotated' | 'repeated'; readonly session: Session }
  /** The token was used before. */
  | { readonly outcome: 'reused'; readonly session: Session }
  | { readonly outcome: 'unknown' }

export interface RotationTime {
  readonly now: Date
  readonly lifetimes: Lifetimes
}

/** Exchanges the refresh token `jti` of a session. */
export const rotate = async (
  records: TransactionRecords,
  { sid, jti }: { readonly sid: string; readonly jti: string },
  time: RotationTime,
): Promise<Rotation> => {
  const session = await records.lock(sessions, sid)
  if (!session || isEnded(session, time.now)) return { outcome: 'unknown' }
  if (session.refreshId === jti) return { outcome: 'rotated', session: await advance(records, session, time) }
  if (session.formerRefreshId === jti && isRecent(session, time.now)) return { outcome: 'repeated', session }
  await records.remove(sessions, sid)
  return { outcome: 'reused', session }
}

/**
 * Makes new tokens for a session whose user is authenticated by other means; soon after a rotation, those of that
 * rotation.
 */
export const renewTokens = async (
  records: TransactionRecords,
  session: Session,
  time: RotationTime,
): Promise<Session> => {
  if (session.formerRefreshId !== null && isRecent(session, time.now)) return session
  return advance(records, session, time)
}

const isRecent = ({ rotated }: Session, now: Date): boolean => isWithin(graceMs, rotated, now)

const advance = (records: TransactionRecords, session: Session, { now, lifetimes }: RotationTime): Promise<Session> => {
  const date = now.toISOString()
  return records.update(sessions, session.pk, {
    refreshId: uuidv7(),
    formerRefreshId: session.refreshId,
    rotated: date,
    lastUsed: date,
    idleUntil: after(now, lifetimes.idle),
  })
}
