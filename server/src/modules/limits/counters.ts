// How often something may happen within a while. Counted in the database, so that all instances count together.

import { createHash } from 'node:crypto'
import { assigned, defineResource } from '../../core/model/define.ts'
import { integer, timestamp } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'

export const throttleCounters = defineResource('throttleCounters', {
  about: 'What happened of late, and how often.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    count: integer({ required: true }),
    until: timestamp({ required: true, indexed: true }),
  },
  access: {},
})

export interface Event {
  /** What is counted, and whose. */
  readonly key: string
  readonly by: number
}

export interface Raised {
  readonly count: number
  /** Milliseconds until counting begins anew. */
  readonly left: number
}

export const raise = async (
  tx: Transaction,
  { key, by }: Event,
  { window, now }: { readonly window: number; readonly now: Date },
): Promise<Raised> => {
  const counters = tx.resource(throttleCounters.name)
  const pk = createHash('sha256').update(key).digest('hex')
  const fresh = { count: 0, until: new Date(now.getTime() + window).toISOString() }
  await tx.ensure(counters, pk, fresh)
  const kept = await tx.lock(counters, pk)
  const { count, until } = kept && Date.parse(String(kept.until)) > now.getTime() ? kept : fresh
  await tx.update(counters, pk, { count: Number(count) + by, until })
  return { count: Number(count) + by, left: Date.parse(String(until)) - now.getTime() }
}

export const tooMany = (limit: number, milliseconds: number): Problem => {
  const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)))
  return new Problem('too_many_requests', {
    detail: `Too many attempts; try again in ${seconds} seconds.`,
    headers: {
      'Retry-After': seconds,
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': seconds,
    },
  })
}
