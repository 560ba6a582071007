// The audit trail, newest last, narrowed by time, principal and type.

import { fault } from '../../core/fault.ts'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { auditEvents } from '../audit/index.ts'
import type { Viewing } from './guard.ts'

/** The newest ones; whoever wants older ones narrows the search. */
const most = 1000

export const listAuditEvents = async ({ service: { platform }, request }: Viewing): Promise<Json> => {
  const given = new URLSearchParams(request.search)
  const [after, principal, type] = [readAfter(given.get('after')), given.get('principal'), given.get('type')]
  const newest = await platform.records.find(auditEvents, {
    where: {
      ...(after !== null && { timestamp: { ge: after } }),
      ...(principal !== null && { principal }),
      ...(type !== null && { type }),
    },
    sort: ['-timestamp', '-pk'],
    limit: most,
  })
  const events = newest.map(({ timestamp, principal, type, data }) => ({ timestamp, principal, type, data }))
  return { events: events.reverse() }
}

const readAfter = (text: string | null): string | null => {
  if (text === null) return null
  // A plus sign that was not encoded reads as a blank.
  const after = new Date(text.replace(/ (\d\d:?\d\d)$/, '+$1'))
  if (!Number.isNaN(after.getTime())) return after.toISOString()
  throw new Problem('bad_parameter', { errors: [{ parameter: 'after', ...fault('timestamp') }] })
}
