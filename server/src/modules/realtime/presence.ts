// The rows of open connections: made and removed by the instance that holds them, and by any other when it has died.

import { randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Caller, Sender } from '../../core/model/caller.ts'
import { everything, upTo, where } from '../../core/model/query.ts'
import type { Platform } from '../../core/rest/platform.ts'

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

export const createPresence = ({ store, clock }: Platform): Presence => {
  const instance = randomUUID()
  const isMine = { instance }
  return {
    arrive: async (caller, { userAgent, remoteAddress }) => {
      const pk = uuidv7()
      const now = clock().toISOString()
      await store.transaction(tx =>
        tx.insert(tx.resource('stompSessions'), pk, {
          user: caller.pk,
          connectedDate: now,
          userAgent: userAgent?.toWellFormed().replaceAll('\0', '').slice(0, 500) ?? null,
          remoteAddress,
          instance,
          createdDate: now,
          lastModifiedDate: now,
        }),
      )
      return pk
    },
    leave: async session => {
      await store.transaction(tx => tx.remove(tx.resource('stompSessions'), session))
    },
    beat: () =>
      store.transaction(async tx => {
        const [instances, sessions] = [tx.resource('stompInstances'), tx.resource('stompSessions')]
        const now = clock()
        const until = new Date(now.getTime() + aliveForMs).toISOString()
        if (!(await tx.ensure(instances, instance, { until }))) await tx.update(instances, instance, { until })
        const dead = await tx.find(instances, everything(instances, upTo(instances, 'until', now.toISOString())))
        for (const { pk } of dead.records) {
          await tx.removeWhere(sessions, where(sessions, { instance: pk }))
          await tx.remove(instances, pk)
        }
      }),
    end: () =>
      store.transaction(async tx => {
        const sessions = tx.resource('stompSessions')
        await tx.removeWhere(sessions, where(sessions, isMine))
        await tx.remove(tx.resource('stompInstances'), instance)
      }),
  }
}
