// Everybody who is connected, by whatever way. Their credentials were good at the handshake; whether they still are is
// asked again every few seconds, and at once when something about the user or the session changes.

import type { Request } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { ChangeEvent } from '../../core/model/event.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { apiKeys, sessions } from '../auth/index.ts'
import { userCredentials, users } from '../people/index.ts'
import { stompSessions } from './presence.ts'

export interface RealtimeClient {
  /** The handshake, with the credentials in it. */
  readonly request: Request
  caller: Caller
  /** The row of the connection, when it has one. */
  readonly session: string | null
  readonly subscriptionCount: number
  /** Replaces the rights of its callers. */
  renew(caller: Caller): void
  cut(reason: string): void
}

export interface Clients {
  add(client: RealtimeClient): void
  remove(client: RealtimeClient): void
  /** Notices changes that may concern one of them; settles when all whom they do have been looked at. */
  notice(events: readonly ChangeEvent[]): Promise<void>
  /** Asks for those whose turn it is. */
  recheck(): Promise<void>
  readonly all: ReadonlySet<RealtimeClient>
  /** Returns the clients of one user. */
  of(userPk: string): ReadonlySet<RealtimeClient>
}

const none: ReadonlySet<RealtimeClient> = new Set()

/** Each of them is asked about once in so many rounds. */
const rounds = 5

export const createClients = (service: Service): Clients => {
  const all = new Set<RealtimeClient>()
  const byUser = new Map<string, Set<RealtimeClient>>()
  let round = 0
  const turnOf = new WeakMap<RealtimeClient, number>()

  /** Checks clients again, those with the same credentials together. */
  const recheckAll = async (clients: readonly RealtimeClient[]): Promise<void> => {
    const callers = new Map<string, Promise<Caller | null>>()
    await Promise.all(
      clients.map(async client => {
        const key = credentialsOf(client)
        const asking = callers.get(key) ?? callerNow(service, client)
        callers.set(key, asking)
        const caller = await asking
        if (!all.has(client)) return
        if (!caller || caller.pk !== client.caller.pk) client.cut('The credentials are no longer valid.')
        else if (!sameRights(caller, client.caller)) client.renew(caller)
      }),
    )
  }

  return {
    all,
    add: client => {
      all.add(client)
      const pk = client.caller.pk ?? ''
      byUser.set(pk, (byUser.get(pk) ?? new Set()).add(client))
      turnOf.set(client, Math.floor(Math.random() * rounds))
    },
    remove: client => {
      all.delete(client)
      const pk = client.caller.pk ?? ''
      const ofUser = byUser.get(pk)
      ofUser?.delete(client)
      if (ofUser?.size === 0) byUser.delete(pk)
    },
    of: userPk => byUser.get(userPk) ?? none,
    notice: async events => {
      const touched = touchedBy(events)
      if (touched.size === 0) return
      const clients = [...all]
      for (const client of clients) {
        if (client.session !== null && touched.has(`connection ${client.session}`)) client.cut('The session has ended.')
      }
      await recheckAll(
        clients.filter(({ caller }) => touched.has(caller.pk ?? '') || touched.has(caller.session ?? '')),
      )
    },
    recheck: () => {
      round = (round + 1) % rounds
      return recheckAll([...all].filter(client => turnOf.get(client) === round))
    },
  }
}

const callerNow = async (service: Service, { caller, request }: RealtimeClient): Promise<Caller | null> => {
  try {
    return await service.reauthenticate(caller, request)
  } catch (error) {
    // A database that cannot answer says nothing about credentials.
    if (error instanceof Problem && error.status < 500) return null
    service.log.warn({ err: error }, 'credentials could not be checked again')
    return caller
  }
}

/** The session, or the headers of the handshake that can carry credentials. */
const credentialsOf = ({ caller: { pk, session }, request: { headers } }: RealtimeClient): string =>
  JSON.stringify(session ? [pk, session] : [pk, headers.authorization, headers['x-api-key'], headers.cookie])

/** Changes of these are changes of what a caller is or may do. */
const credentials: ReadonlySet<string> = new Set([users, userCredentials, sessions].map(({ name }) => name))

/** The users, sessions and connections that these changes concern. */
const touchedBy = (events: readonly ChangeEvent[]): ReadonlySet<string> => {
  const touched = new Set<string>()
  for (const { resource, type, pk, seen } of events) {
    if (credentials.has(resource)) touched.add(pk)
    if (resource === apiKeys.name && typeof seen?.user === 'string') touched.add(seen.user)
    if (resource === stompSessions.name && type === 'deleted') touched.add(`connection ${pk}`)
  }
  return touched
}

const sameRights = (left: Caller, right: Caller): boolean =>
  left.username === right.username &&
  sameSet(left.roles, right.roles) &&
  sameSet(left.scopes, right.scopes) &&
  sameAttributes(left.attributes, right.attributes)

const sameAttributes = (left: Caller['attributes'], right: Caller['attributes']): boolean =>
  JSON.stringify([...(left ?? [])]) === JSON.stringify([...(right ?? [])])

const sameSet = (left: ReadonlySet<string> = new Set(), right: ReadonlySet<string> = new Set()): boolean =>
  left.size === right.size && [...left].every(one => right.has(one))
