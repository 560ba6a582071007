// Events that are older than they need to be are removed.

import { upTo } from '../../core/model/query.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { auditEvents } from './audit-events.ts'

const pause = 3600_000

export const startHousekeeping = async (service: Service): Promise<() => Promise<void>> =>
  repeatedly(service, { name: 'removing old audit events', pause, round: () => forgetOld(service) })

const forgetOld = async ({ platform: { store, clock }, config }: Service): Promise<void> => {
  const days = config.get('app.audit.keepDays')
  if (days === 0) return
  const events = store.resource(auditEvents.name)
  const before = new Date(clock().getTime() - days * 24 * 3600_000).toISOString()
  await store.transaction(tx => tx.removeWhere(events, upTo(events, 'timestamp', before)))
}
