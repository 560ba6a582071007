// Anybody may report errors, so many in a minute from one address. Whatever the way that a report takes into the
// database, it passes the hook of its resource, and so the limit.

import { networkOf } from '../../core/http/caller-address.ts'
import { type Caller, isAdmin, type Sender } from '../../core/model/caller.ts'
import type { Hooks } from '../../core/model/define.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import { Quota } from '../../core/quota.ts'
import type { Service } from '../../core/rest/service.ts'
import { errorSettings } from './settings.ts'

/** Each running service has its own resources. */
const quotas = new WeakMap<Resource, Quota>()

export const limitReports = (resource: Resource, { config, platform }: Service): void => {
  quotas.set(resource, new Quota(config.get(errorSettings).reportsPerMinute, platform.clock))
}

interface Reporting {
  readonly resource: Resource
  readonly caller: Caller
  readonly sender: Sender | null
}

const mustBeLeft = (asked: 'look' | 'take', count: number, { resource, caller, sender }: Reporting): void => {
  const quota = quotas.get(resource)
  if (!quota || !sender || isAdmin(caller)) return
  const { waitMs } = quota[asked](networkOf(sender.remoteAddress), count)
  if (waitMs === 0) return
  throw new Problem('too_many_requests', {
    detail: 'Too many errors were reported from this address.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  })
}

/** Spares the database what would be refused. */
export const mustHaveRoomFor = (count: number, reporting: Reporting): void => mustBeLeft('look', count, reporting)

export const countReport: NonNullable<Hooks['before']> = change => mustBeLeft('take', 1, change)
