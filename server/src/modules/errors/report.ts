// POST /api/rest/clientErrors: open to everybody, so it is limited by address before the database is asked.

import { isIPv6 } from 'node:net'
import type { Route } from '../../core/http/exchange.ts'
import { isAdmin } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'
import { create } from '../../core/rest/item.ts'
import { defaultFormat } from '../../core/rest/matrix.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { createAllowance } from './allowance.ts'

export const reportRoutes = (service: Service): readonly Route[] => {
  const resource = service.platform.registry.resource('clientErrors')
  const take = createAllowance(service.config.get('app.errors.reportsPerMinute'), service.platform.clock)
  return [
    {
      method: 'POST',
      path: '/api/rest/clientErrors',
      handler: respond(service, {
        resource,
        format: defaultFormat(resource.name, 'C'),
        takesBody: true,
        run: (context, task) => {
          const waitMs = isAdmin(context.caller)
            ? 0
            : take(networkOf(task.request.remoteAddress), countOf(task.body.json))
          if (waitMs > 0) throw tooMany(waitMs)
          return create(context, { ...task, resource })
        },
      }),
    },
  ]
}

const tooMany = (waitMs: number): Problem =>
  new Problem('too_many_requests', {
    detail: 'Too many errors were reported from this address.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  })

const countOf = (json: unknown): number => (Array.isArray(json) ? Math.max(1, json.length) : 1)

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
