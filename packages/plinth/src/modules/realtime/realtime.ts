// The parts of realtime that one running service shares between its connections.

import { every, guarded } from '../../core/guarded.ts'
import type { Service } from '../../core/service.ts'
import { type Clients, createClients, type RealtimeClient } from './clients.ts'
import { Hub } from './hub.ts'
import { createUserLimits, type UserLimits } from './limits.ts'
import { createPresence, type Presence } from './presence.ts'
import { createTopics, type ReadTopic } from './topics.ts'

export interface BeatingClient extends RealtimeClient {
  /**
   * Runs once a second: sends a heart-beat when one is due, and ends the connection when the other side has sent none.
   */
  tick(): void
}

export interface Realtime {
  readonly hub: Hub
  readonly clients: Clients
  readonly userLimits: UserLimits
  readonly presence: Presence
  readonly readTopic: ReadTopic
  /** The connections that have heart-beats. */
  readonly connections: Set<BeatingClient>
  /** A connection is over. */
  left(connection: BeatingClient): void
  /** Removes the row of a connection. */
  forget(session: string): void
  start(): Promise<() => Promise<void>>
}

const tickMs = 1000
const beatMs = 10_000

export const createRealtime = (service: Service): Realtime => {
  const { platform, log } = service
  const hub = new Hub(platform.changes)
  const clients = createClients(service)
  const presence = createPresence(platform)
  const connections = new Set<BeatingClient>()
  const leaving = new Set<Promise<void>>()
  hub.watch(events => clients.notice(events))

  const forget = (session: string): void => {
    const done = presence
      .leave(session)
      .catch(error => log.warn({ err: error, session }, 'the record of a connection could not be removed'))
      .finally(() => leaving.delete(done))
    leaving.add(done)
  }
  const lifeSign = { name: 'the sign of life of this instance', log }

  return {
    hub,
    clients,
    userLimits: createUserLimits(service.config, clients),
    presence,
    connections,
    readTopic: createTopics(platform),
    left: connection => {
      connections.delete(connection)
      clients.remove(connection)
      if (connection.session !== null) forget(connection.session)
    },
    forget,
    start: async () => {
      await guarded(lifeSign, presence.beat)()
      const stops = [
        every(beatMs, lifeSign, presence.beat),
        every(tickMs, { name: 'the heart-beats of connections', log }, () => {
          for (const connection of [...connections]) connection.tick()
        }),
        every(tickMs, { name: 'the check of credentials', log }, () => clients.recheck()),
      ]
      return async () => {
        await Promise.all(stops.map(stop => stop()))
        for (const client of [...clients.all]) client.cut('The service is shutting down.')
        await Promise.all(leaving)
        await presence.end().catch(error => log.warn({ err: error }, 'the records of connections are left behind'))
      }
    },
  }
}
