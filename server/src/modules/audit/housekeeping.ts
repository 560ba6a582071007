// Events that are older than they need to be are removed.

import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { auditEvents } from './audit-events.ts'
import { auditSettings } from './settings.ts'

const pause = 3600_000

export const startHousekeeping = async (service: Service): Promise<() => Promise<void>> =>
  repeatedly(service, { name: 'removing old audit events', pause, round: signal => forgetOld(service, signal) })

const forgetOld = async ({ platform: { records, clock }, config }: Service, signal: AbortSignal): Promise<void> => {
  const days = config.get(auditSettings).keepDays
  if (days === 0) return
  const before = new Date(clock().getTime() - days * 24 * 3600_000).toISOString()
  await removeInBatches(records, auditEvents, { where: { timestamp: { le: before } }, signal })
}
