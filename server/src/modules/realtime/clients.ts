// Everybody who is connected, by whatever way. Their credentials were good at the handshake; whether they still are is
// asked again every few seconds, and at once when something about the user or the session changes.

import type { Request } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { ChangeEvent } from '../../core/model/event.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/rest/service.ts'

export interface Client {
  /** The handshake, with the credentials in it. */
  readonly request: Request
  caller: Caller
  /** The row of the connection, when it has one. */
  readonly session: string | null
  /** Their rights are other ones now. */
  renew(caller: Caller): void
  cut(reason: string): void
}

export interface Clients {
  add(client: Client): void
  remove(client: Client): void
  /** Something has changed that may concern one of them. */
  notice(events: readonly ChangeEvent[]): void
  /** Asks for those whose turn it is. */
  recheck(): Promise<void>
  readonly all: ReadonlySet<Client>
  countOf(userPk: string): number
}

/** Each of them is asked about once in so many rounds. */
const rounds = 5

export const createClients = (service: Service): Clients => {
  const all = new Set<Client>()
  let round = 0
  const turnOf = new WeakMap<Client, number>()

  const recheck = async (client: Client): Promise<void> => {
    const caller = await service.recheck(client.caller, client.request).catch(error => {
      // A database that cannot answer says nothing about credentials.
      if (error instanceof Problem && error.status < 500) return null
      service.log.warn({ err: error }, 'credentials could not be checked again')
      return client.caller
    })
    if (!all.has(client)) return
    if (!caller || caller.pk !== client.caller.pk) client.cut('The credentials are no longer good.')
    else if (!sameRights(caller, client.caller)) client.renew(caller)
  }

  return {
    all,
    add: client => {
      all.add(client)
      turnOf.set(client, Math.floor(Math.random() * rounds))
    },
    remove: client => void all.delete(client),
    countOf: userPk => [...all].filter(client => client.caller.pk === userPk).length,
    notice: events => {
      const touched = new Set<string>()
      for (const { resource, type, pk } of events) {
        if (resource === 'users' || resource === 'userCredentials') touched.add(pk)
        if (resource === 'sessions') touched.add(pk)
        if (resource === 'stompSessions' && type === 'deleted') touched.add(`connection ${pk}`)
      }
      if (touched.size === 0) return
      for (const client of [...all]) {
        const { caller, session } = client
        if (session !== null && touched.has(`connection ${session}`)) client.cut('The session has been ended.')
        else if (touched.has(caller.pk ?? '') || touched.has(caller.session ?? '')) void recheck(client)
      }
    },
    recheck: async () => {
      round = (round + 1) % rounds
      for (const client of [...all]) if (turnOf.get(client) === round && all.has(client)) await recheck(client)
    },
  }
}

const sameRights = (left: Caller, right: Caller): boolean =>
  left.username === right.username &&
  left.roles.size === right.roles.size &&
  [...left.roles].every(role => right.roles.has(role))
