// The rows of open connections: made and removed by the instance that holds them, and by any other when it has died.

import { randomUUID } from 'node:crypto'
import type { Caller, Sender } from '../../core/model/caller.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { stompInstances, stompSessions } from './stomp-sessions.ts'

export interface Presence {
  /** Gives the pk of the new row. */
  arrive(caller: Caller, sender: Sender): Promise<string>
  leave(session: string): Promise<void>
  /** Says that this instance is alive, and clears up after those that are not. */
  beat(): Promise<void>
  /** All connections of this instance are over. */
  end(): Promise<void>
}

/** How long an instance is believed to be alive after it last said so. */
const aliveForMs = 30_000

export const createPresence = ({ records }: Platform): Presence => {
  const instance = randomUUID()
  return {
    arrive: async (caller, { userAgent, remoteAddress }) => {
      const session = await records.create(stompSessions, {
        user: caller.pk,
        userAgent: userAgent?.toWellFormed().replaceAll('\0', '').slice(0, 500) ?? null,
        remoteAddress,
        instance,
      })
      return session.pk
    },
    leave: async pk => {
      await records.removeWhere(stompSessions, { pk })
    },
    beat: () =>
      records.transaction(async own => {
        const until = new Date(own.now.getTime() + aliveForMs).toISOString()
        await own.put(stompInstances, { pk: instance, until })
        for (const dead of await own.find(stompInstances, { where: { until: { le: own.now.toISOString() } } })) {
          await own.removeWhere(stompSessions, { instance: dead.pk })
          await own.remove(stompInstances, dead.pk)
        }
      }),
    end: () =>
      records.transaction(async own => {
        await own.removeWhere(stompSessions, { instance })
        await own.removeWhere(stompInstances, { pk: instance })
      }),
  }
}
