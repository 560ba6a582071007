// The one way into every management endpoint, whatever its spelling: who asks, what may be seen, in which media type, and that
// it was read.

import { formatsByName } from '../../core/formats/index.ts'
import { chooseMediaType } from '../../core/formats/negotiate.ts'
import type { Handler, Request, Response } from '../../core/http/exchange.ts'
import { createScrub } from '../../core/log/secrets.ts'
import { type Caller, isAdmin } from '../../core/model/caller.ts'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { withCors } from '../../core/rest/cross-origin.ts'
import { retryAfterSeconds, toProblemResponse } from '../../core/rest/problem-response.ts'
import { watched } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { defineAudit } from '../audit/index.ts'

export const managementAudit = defineAudit(['MANAGEMENT_READ', 'LOG_LEVEL_CHANGED', 'HEAP_DUMPED'])

export type ManagementAuditType = (typeof managementAudit.types)[number]

export const actuatorType = 'application/vnd.app.actuator.v1+json'
export const jsonType = 'application/json'
export const halType = formatsByName.hal.mediaType

export interface Viewing {
  readonly service: Service
  readonly request: Request
  readonly caller: Caller
  /** False only where others are shown a part. */
  readonly seesAll: boolean
  /** What the answer will be in. */
  readonly mediaType: string
}

/** A value to be shown as JSON without secrets, or an answer in a form of its own. */
export type Shown = { readonly status?: number; readonly value: Json } | { readonly response: Response }

export interface Window {
  /** In order of preference. */
  readonly mediaTypes: readonly string[]
  /** Others than administrators are shown a part. */
  readonly open: boolean
  /** Programs ask again and again: what the same caller repeats within a minute is written down once. */
  readonly polled: boolean
  readonly audit: ManagementAuditType
  readonly run: (viewing: Viewing) => Promise<Shown> | Shown
}

export const guarded = (service: Service, window: Window): Handler => {
  const note = createNote(service, window)
  const scrub = createScrub(service.config.secrets)
  const view = async (request: Request): Promise<Response> => {
    const caller = await service.identify(request)
    return watched(service, { request, caller }, async () => {
      const seesAll = isAdmin(caller)
      if (!seesAll && !window.open) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
      const mediaType = chooseMediaType(request.headers.accept, inOrder(window.mediaTypes, request))
      if (mediaType === null) throw new Problem('not_acceptable', `Accept ${window.mediaTypes.join(' or ')}.`)
      if (seesAll) await note(request, caller)
      const shown = await window.run({ service, request, caller, seesAll, mediaType })
      if ('response' in shown) return shown.response
      const { status = 200 } = shown
      const headers = {
        'Content-Type': mediaType,
        'Cache-Control': 'no-store',
        Vary: varies,
        ...(status === 503 && { 'Retry-After': retryAfterSeconds }),
      }
      const value = mediaType === halType ? toHal(shown.value, request) : shown.value
      return { status, headers, body: scrub(JSON.stringify(value)) }
    })
  }
  return async request => {
    const response = await view(request).catch((error: unknown) =>
      toProblemResponse(error, request, { format: formatsByName.json, report: service.reportFailure }),
    )
    return request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }
}

/** A HAL document is an object with its own address; lists are embedded under the name of their endpoint. */
const toHal = (value: Json, { base, path }: Request): Json => {
  const self = { self: { href: base + path } }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
    return { _links: self, _embedded: { [name]: value } }
  }
  return '_links' in value ? value : { ...value, _links: self }
}

/** The ending of the path names plain JSON; `Accept` can still say otherwise. */
const inOrder = (mediaTypes: readonly string[], { path }: Request): readonly string[] =>
  path.endsWith('.json') && mediaTypes.includes(jsonType) ? [jsonType, ...mediaTypes] : mediaTypes

const varies = 'Accept, Origin, Authorization, Cookie'

const pollingMs = 60_000

/** What cannot be written down is not shown, except where the answer is how well the service is. */
const createNote = (service: Service, { open, polled, audit }: Window) => {
  const last = new Map<string | null, number>()
  return async (request: Request, caller: Caller): Promise<void> => {
    const now = service.platform.clock()
    if (polled && now.getTime() - (last.get(caller.pk) ?? Number.NEGATIVE_INFINITY) < pollingMs) return
    last.set(caller.pk, now.getTime())
    const data = { address: request.remoteAddress, method: request.method, path: request.path }
    try {
      await service.platform.store.transaction(tx =>
        managementAudit.record(tx, { type: audit, principal: caller.username, data, now }),
      )
    } catch (error) {
      if (!open) throw error
      service.logs.named('management').warn({ err: error, requestId: request.id }, 'a read could not be written down')
    }
  }
}
