// The audit trail, newest last, narrowed by time, principal and type.

import { text, timestamp } from '../../core/model/fields.ts'
import type { Json } from '../../core/model/json.ts'
import { auditEvents } from '../audit/index.ts'
import type { Viewing } from './management-endpoint.ts'

/** The newest ones; to see older ones, narrow the search. */
const most = 1000

export const auditQuery = {
  after: timestamp({ about: 'Only events from this time on.' }),
  principal: text({ max: 10_000, about: 'Only events of this user.' }),
  type: text({ max: 10_000, about: 'Only events of this type.' }),
}

export const listAuditEvents = async ({
  service: { platform },
  query: { after, principal, type },
}: Viewing<typeof auditQuery>): Promise<Json> => {
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
