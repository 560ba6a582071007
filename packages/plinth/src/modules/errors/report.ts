// POST /api/rest/clientErrors: everyone can report errors, a limited number per minute from one address. Every way to create a
// record passes the hook of its resource, and so the limit.

import { networkOf } from '../../core/http/caller-address.ts'
import { type Caller, isAdmin, type Sender } from '../../core/model/caller.ts'
import { extendResource } from '../../core/model/extend.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import { Quota, retryAfter } from '../../core/quota.ts'
import { create } from '../../core/rest/create.ts'
import { bodyOf, defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import { defaultFormat } from '../../core/rest/routes.ts'
import type { Service } from '../../core/service.ts'
import { clientErrors, errorSettings } from './errors.ts'

/** Each running service has its own resources. */
const quotas = new WeakMap<Resource, Quota>()

const limitReports = (resource: Resource, { config, platform }: Service): void => {
  quotas.set(resource, new Quota(config.get(errorSettings).reportsPerMinute, platform.clock))
}

interface ErrorReport {
  readonly resource: Resource
  readonly caller: Caller
  readonly sender: Sender | null
}

const mustBeLeft = (act: 'look' | 'take', count: number, { resource, caller, sender }: ErrorReport): void => {
  const quota = quotas.get(resource)
  if (!quota || !sender || isAdmin(caller)) return
  const { waitMs } = quota[act](networkOf(sender.remoteAddress), count)
  if (waitMs === 0) return
  throw new Problem('too_many_requests', {
    detail: { en: 'Too many error reports from this address.', de: 'Zu viele Fehlermeldungen von dieser Adresse.' },
    headers: retryAfter(waitMs),
  })
}

/** Refuses early what would be refused anyway. */
const mustHaveRoomFor = (count: number, report: ErrorReport): void => mustBeLeft('look', count, report)

/** An extension, since the limit is counted here. */
export const limitedReports = extendResource(clientErrors, {
  hooks: { beforeCreate: context => mustBeLeft('take', 1, context) },
})

export const reportEndpoint = (service: Service) => {
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
