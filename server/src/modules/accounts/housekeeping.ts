// Deletes what has expired: sessions, known networks, unused links for the first administrator.

import { type Filter, upTo } from '../../core/model/query.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { repeatedly } from '../../core/rest/background.ts'
import type { Service } from '../../core/rest/service.ts'

const pause = 3600_000

export const startHousekeeping = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'removing what is over', pause, round: () => tidy(service) })

const tidy = async ({ platform }: Service): Promise<void> => {
  await platform.store.transaction(async tx => {
    const now = platform.clock().toISOString()
    await tx.removeWhere(tx.resource('sessions'), endedSessions(tx, now))
    const tokens = tx.resource('firstAdministratorTokens')
    await tx.removeWhere(tokens, upTo(tokens, 'expires', now))
    const networks = tx.resource('knownNetworks')
    await tx.removeWhere(networks, upTo(networks, 'until', now))
  })
}

/** Past their end, or idle for too long and not remembered. */
const endedSessions = (tx: Transaction, now: string): Filter => {
  const sessions = tx.resource('sessions')
  const remember = sessions.members.get('rememberHash')
  if (!remember) throw new Error('sessions have a rememberHash')
  const never: Filter = { op: 'null', path: { steps: [], member: remember }, isNull: true }
  const forgotten: Filter = { op: 'or', parts: [never, upTo(sessions, 'rememberUntil', now)] }
  const idle: Filter = { op: 'and', parts: [upTo(sessions, 'idleUntil', now), forgotten] }
  return { op: 'or', parts: [upTo(sessions, 'until', now), idle] }
}
