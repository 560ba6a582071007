// Deletes what has expired, hourly: sessions, API keys, known networks, unused links for the first administrator.

import { type Filter, upTo } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { removeInBatches, repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'

const pause = 3600_000
const day = 24 * 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'deleting expired credentials', pause, round: signal => tidy(service, signal) })

const tidy = async (service: Service, signal: AbortSignal): Promise<void> => {
  const { store, clock } = service.platform
  const now = clock().toISOString()
  const [sessions, tokens] = [store.resource('sessions'), store.resource('firstAdministratorTokens')]
  const networks = store.resource('knownNetworks')
  await removeInBatches(store, { resource: sessions, filter: endedSessions(sessions, now), signal })
  await removeInBatches(store, { resource: tokens, filter: upTo(tokens, 'expires', now), signal })
  await removeInBatches(store, { resource: networks, filter: upTo(networks, 'until', now), signal })
  await removeExpiredKeys(service, signal)
}

/** Their owners see for a while that they have expired. */
const removeExpiredKeys = async ({ platform, config }: Service, signal: AbortSignal): Promise<void> => {
  const { store, clock } = platform
  const days = config.get('app.auth.apiKeys.keepDays')
  if (days === 0) return
  const before = new Date(clock().getTime() - days * day).toISOString()
  const keys = store.resource('apiKeys')
  await removeInBatches(store, { resource: keys, filter: upTo(keys, 'expirationDate', before), signal })
}

/** Past their end, or idle for too long and not remembered. */
const endedSessions = (sessions: Resource, now: string): Filter => {
  const remember = sessions.members.get('rememberHash')
  if (!remember) throw new Error('sessions have a rememberHash')
  const never: Filter = { op: 'null', path: { steps: [], member: remember }, isNull: true }
  const forgotten: Filter = { op: 'or', parts: [never, upTo(sessions, 'rememberUntil', now)] }
  const idle: Filter = { op: 'and', parts: [upTo(sessions, 'idleUntil', now), forgotten] }
  return { op: 'or', parts: [upTo(sessions, 'until', now), idle] }
}
