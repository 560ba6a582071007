// What expires: sessions, API keys, known networks.

import type { Where } from '../../core/model/row.ts'
import { expires } from '../../core/rest/jobs.ts'
import { apiKeys } from './api-keys/api-keys.ts'
import { sessions } from './sessions/session.ts'
import { apiKeySettings } from './settings.ts'
import { knownNetworks } from './verification/verify-password.ts'

export const authSweeps = [
  expires(sessions, ({ now }) => endedBy(now)),
  expires(knownNetworks, ({ now }) => ({ until: { le: now } })),
  // Some days after their expiry: until then their owners see that they have expired.
  expires(apiKeys, ({ config, daysAgo }) => {
    const { keepDays } = config.get(apiKeySettings)
    return keepDays === 0 ? null : { expirationDate: { le: daysAgo(keepDays) } }
  }),
]

/** Past their end, or idle for too long and not remembered. */
const endedBy = (now: string): Where<typeof sessions> => ({
  or: [
    { until: { le: now } },
    { idleUntil: { le: now }, or: [{ rememberHash: null }, { rememberUntil: { le: now } }] },
  ],
})
