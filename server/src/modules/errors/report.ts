// POST /api/rest/clientErrors: open to everybody, so what is too much is refused before the database is asked.

import { defaultFormat } from '../../core/rest/default-format.ts'
import { bodyOf, defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { create } from '../../core/rest/item.ts'
import { mayUse } from '../../core/rest/permit.ts'
import type { Service } from '../../core/rest/service.ts'
import { clientErrors } from './errors.ts'
import { limitReports, mustHaveRoomFor } from './report-limit.ts'

export const reportEndpoint = (service: Service): Endpoint => {
  const resource = service.platform.registry.resource(clientErrors)
  limitReports(resource, service)
  return defineEndpoint({
    method: 'POST',
    path: '/api/rest/clientErrors',
    summary: 'Report an error',
    format: defaultFormat(clientErrors, 'create'),
    access: mayUse(clientErrors, 'create'),
    body: bodyOf(clientErrors, 'create'),
    prepare: async ({ context, request, body, format }) => {
      mustHaveRoomFor(countOf(body.json), { ...context, resource })
      return create(context, { request, body, format, resource })
    },
  })
}

const countOf = (json: unknown): number => (Array.isArray(json) ? Math.max(1, json.length) : 1)
