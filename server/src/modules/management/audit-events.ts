// The audit trail, newest last, narrowed by time, principal and type.

import { fault } from '../../core/fault.ts'
import type { Json } from '../../core/model/json.ts'
import { both, equals, type Filter, type Query } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import type { Viewing } from './guard.ts'

/** The newest ones; whoever wants older ones narrows the search. */
const most = 1000

export const listAuditEvents = async ({ service: { platform }, request }: Viewing): Promise<Json> => {
  const resource = platform.registry.resource('auditEvents')
  const { records } = await platform.store.find(resource, newest(resource, filterOf(resource, request.search)))
  const events = records.map(({ timestamp, principal, type, data }) => ({ timestamp, principal, type, data }))
  return { events: events.reverse() as Json }
}

const filterOf = (resource: Resource, search: string): Filter | null => {
  const given = new URLSearchParams(search)
  const narrowed = (name: 'principal' | 'type'): Filter | null => {
    const value = given.get(name)
    return value === null ? null : equals(memberOf(resource, name), value)
  }
  return both(both(afterOf(resource, given.get('after')), narrowed('principal')), narrowed('type'))
}

const afterOf = (resource: Resource, text: string | null): Filter | null => {
  if (text === null) return null
  // A plus sign that was not encoded reads as a blank.
  const after = new Date(text.replace(/ (\d\d:?\d\d)$/, '+$1'))
  if (Number.isNaN(after.getTime())) {
    throw new Problem('bad_parameter', { errors: [{ parameter: 'after', ...fault('timestamp') }] })
  }
  const path = { steps: [], member: memberOf(resource, 'timestamp') }
  return { op: 'ge', path, value: after.toISOString() }
}

const memberOf = (resource: Resource, name: string) => {
  const member = resource.members.get(name)
  if (!member) throw new Error(`audit events have no ${name}`)
  return member
}

const newest = (resource: Resource, filter: Filter | null): Query => ({
  filter,
  sort: ['timestamp', 'pk'].map(name => ({ path: { steps: [], member: memberOf(resource, name) }, descending: true })),
  window: { kind: 'offset', offset: 0, limit: most },
  total: 'none',
  guards: new Map(),
})
