// Rows of open connections: created and deleted by the instance that holds them, and deleted by any other when it has died.

import { randomUUID } from 'node:crypto'
import type { Caller, Sender } from '../../core/model/caller.ts'
import { defineResource } from '../../core/model/define.ts'
import { ref, text, timestamp } from '../../core/model/fields.ts'
import type { Platform } from '../../core/rest/platform.ts'

export const stompSessions = defineResource('stompSessions', {
  title: { de: 'Echtzeitverbindungen' },
  singularTitle: { de: 'Echtzeitverbindung' },
  about: {
    en: 'Open realtime connections. Delete a record to disconnect it.',
    de: 'Offene Echtzeitverbindungen. Löschen trennt die Verbindung.',
  },
  trash: false,
  fields: {
    user: ref('users', { serverOwned: true, onDelete: 'cascade', title: { de: 'Person' } }),
    connectedDate: timestamp({ title: { de: 'Verbunden seit' } }),
    userAgent: text({ max: 500, title: { de: 'User-Agent' } }),
    remoteAddress: text({ max: 100, title: { de: 'Adresse' } }),
    instance: text({
      max: 40,
      serverOwned: true,
      indexed: true,
      about: {
        en: 'The instance of the service that has the connection.',
        de: 'Die Instanz des Dienstes, die die Verbindung hält.',
      },
      title: { de: 'Instanz' },
    }),
  },
  eventFields: ['user'],
  hooks: {
    // A record that an administrator makes by hand stands for no connection; it is their own.
    beforeCreate: ({ values, caller, now }) => {
      values.user ??= caller.pk
      values.connectedDate ??= now.toISOString()
    },
  },
  families: { find: 'jsonApi', patch: 'jsonApi', relationship: 'jsonApi' },
  access: {
    read: "record.user.pk == caller.pk || caller.has('ROLE_SITE_OPERATOR')",
    delete: 'record.user.pk == caller.pk',
    write: "caller.has('ROLE_ADMIN')",
  },
})

/** Instances that hold connections; one whose time is over has died. */
export const stompInstances = defineResource('stompInstances', {
  about: 'Instances of the service that hold realtime connections.',
  internal: true,
  stamps: 'none',
  fields: { until: timestamp({ required: true, indexed: true }) },
  access: {},
})

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
      await records.removeMany(stompSessions, { where: { pk } })
    },
    beat: () =>
      records.transaction(async own => {
        const until = new Date(own.now.getTime() + aliveForMs).toISOString()
        await own.upsert(stompInstances, { pk: instance, until })
        for (const dead of await own.find(stompInstances, { where: { until: { le: own.now.toISOString() } } })) {
          await own.removeMany(stompSessions, { where: { instance: dead.pk } })
          await own.remove(stompInstances, dead.pk)
        }
      }),
    end: () =>
      records.transaction(async own => {
        await own.removeMany(stompSessions, { where: { instance } })
        await own.removeMany(stompInstances, { where: { pk: instance } })
      }),
  }
}
