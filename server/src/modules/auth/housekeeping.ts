// Deletes what has expired, hourly: sessions, API keys, known networks.

import type { Where } from '../../core/model/row.ts'
import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'
import { apiKeys } from './api-keys/api-keys.ts'
import { sessions } from './sessions/sessions.ts'
import { apiKeySettings } from './settings.ts'
import { knownNetworks } from './verification/known-networks.ts'

const pause = 3600_000
const day = 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'deleting expired credentials', pause, round: signal => tidy(service, signal) })

const tidy = async (service: Service, signal: AbortSignal): Promise<void> => {
  const { records, clock } = service.platform
  const now = clock().toISOString()
  await removeInBatches(records, sessions, { where: endedBy(now), signal })
  await removeInBatches(records, knownNetworks, { where: { until: { le: now } }, signal })
  await removeExpiredKeys(service, signal)
}

/** Their owners see for a while that they have expired. */
const removeExpiredKeys = async ({ platform, config }: Service, signal: AbortSignal): Promise<void> => {
  const { records, clock } = platform
  const days = config.get(apiKeySettings).keepDays
  if (days === 0) return
  const before = new Date(clock().getTime() - days * day).toISOString()
  await removeInBatches(records, apiKeys, { where: { expirationDate: { le: before } }, signal })
}

/** Past their end, or idle for too long and not remembered. */
const endedBy = (now: string): Where<typeof sessions> => ({
  or: [
    { until: { le: now } },
    { idleUntil: { le: now }, or: [{ rememberHash: null }, { rememberUntil: { le: now } }] },
  ],
})
