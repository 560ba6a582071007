// Anybody may report errors, so many in a minute from one address. Whatever the way that a report takes into the
// database, it passes the hook of its resource, and so the limit.

import { isIPv6 } from 'node:net'
import { type Caller, isAdmin, type Sender } from '../../core/model/caller.ts'
import type { Hooks } from '../../core/model/define.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/rest/service.ts'
import { type Allowance, createAllowance } from './allowance.ts'

/** Each running service has its own resources. */
const allowances = new WeakMap<Resource, Allowance>()

export const limitReports = (resource: Resource, { config, platform }: Service): void => {
  allowances.set(resource, createAllowance(config.get('app.errors.reportsPerMinute'), platform.clock))
}

interface Reporting {
  readonly resource: Resource
  readonly caller: Caller
  readonly sender: Sender | null
}

const mustBeLeft = (asked: keyof Allowance, count: number, { resource, caller, sender }: Reporting): void => {
  const allowance = allowances.get(resource)
  if (!allowance || !sender || isAdmin(caller)) return
  const waitMs = allowance[asked](networkOf(sender.remoteAddress), count)
  if (waitMs === 0) return
  throw new Problem('too_many_requests', {
    detail: 'Too many errors were reported from this address.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  })
}

/** Spares the database what would be refused. */
export const mustHaveRoomFor = (count: number, reporting: Reporting): void => mustBeLeft('wait', count, reporting)

export const countReport: NonNullable<Hooks['before']> = change => mustBeLeft('take', 1, change)

/** A household has a whole /64 of IPv6 (RFC 6177): one allowance for all of it. */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...gap, ...right]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
