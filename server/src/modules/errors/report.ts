// POST /api/rest/clientErrors: open to everybody, so what is too much is refused before the database is asked.

import type { Route } from '../../core/http/exchange.ts'
import { create } from '../../core/rest/item.ts'
import { defaultFormat } from '../../core/rest/matrix.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { clientErrors } from './errors.ts'
import { limitReports, mustHaveRoomFor } from './report-limit.ts'

export const reportRoutes = (service: Service): readonly Route[] => {
  const resource = service.platform.registry.resource(clientErrors)
  limitReports(resource, service)
  return [
    {
      method: 'POST',
      path: '/api/rest/clientErrors',
      handler: respond(service, {
        resource,
        format: defaultFormat(resource.name, 'C'),
        takesBody: true,
        prepare: (context, task) => {
          mustHaveRoomFor(countOf(task.body.json), { ...context, resource })
          return create(context, { ...task, resource })
        },
      }),
    },
  ]
}

const countOf = (json: unknown): number => (Array.isArray(json) ? Math.max(1, json.length) : 1)
