// The endpoints of webhooks beyond the generic ones.

// POST /api/rest/webhooks/{pk}/test: sends a message to the receiver at once, and answers how it went.

import { randomUUID } from 'node:crypto'
import { boolean, integer, text, timestamp } from '../../core/model/fields.ts'
import { toFilter } from '../../core/model/query.ts'
import { defineShape } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { Quota, retryAfter } from '../../core/quota.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import { mayUse } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { authContextOf } from '../auth/index.ts'
import { sendTo } from './deliver.ts'
import { webhookDeliveries } from './deliveries.ts'
import { createSecret } from './send.ts'
import { webhookSettings } from './settings.ts'
import { mustBeRecent, webhookAudit, webhookSecrets, webhooks } from './webhooks.ts'

/** Problem `forbidden` unless the caller may change this webhook: to read it is not enough. */
const mustBeChangeable = async ({ platform, caller }: Context, pk: string): Promise<void> => {
  const resource = platform.registry.resource(webhooks)
  const changeable = toFilter(platform.access.permit(resource, 'patch', caller))
  if (!(await platform.store.get(resource, pk, { visible: changeable }))) throw new Problem('forbidden')
}

const testResult = defineShape(
  'WebhookTest',
  {
    delivered: boolean({ required: true }),
    status: integer({ about: 'The HTTP status of the receiver; null without a response.' }),
    error: text({ about: 'Null when it was delivered.' }),
    durationMs: integer({ required: true }),
  },
  { about: 'How the test delivery went.' },
)

const testsPerMinute = 10

export const testDelivery = (service: Service): Endpoint => {
  const quota = new Quota(testsPerMinute, service.platform.clock)
  return defineEndpoint({
    method: 'POST',
    path: '/api/rest/webhooks/{pk}/test',
    id: 'testWebhook',
    summary: 'Send a test message to a webhook',
    description: 'Also when the webhook is not active. The topic of the message is `webhook.test`.',
    params: { pk: 'The webhook.' },
    access: mayUse(webhooks, 'patch'),
    answers: { 200: testResult },
    problems: [401, 403, 404, 409, 429],
    prepare: async ({ params, records, context, caller, now }) => {
      const webhook = await records.get(webhooks, params.pk)
      await mustBeChangeable(context, webhook.pk)
      if (!service.config.get(webhookSettings).enabled)
        throw new Problem('conflict', 'This service does not deliver webhooks.')
      const { waitMs } = quota.take(caller.pk ?? '', 1)
      if (waitMs > 0) throw new Problem('too_many_requests', { headers: retryAfter(waitMs) })
      const body = JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data: { webhook: webhook.pk } })
      const began = performance.now()
      const { status, error } = await sendTo(service, { webhook, id: `msg_${randomUUID()}`, body }, service.closing)
      const durationMs = Math.round(performance.now() - began)
      return async () => toValueAnswer(testResult, { delivered: error === null, status, error, durationMs })
    },
  })
}

// POST /api/rest/webhookDeliveries/{pk}/redeliver: sends a message again, with the same identifier, so that a receiver that has it
// can recognise it.

export const redeliver = defineEndpoint({
  method: 'POST',
  path: '/api/rest/webhookDeliveries/{pk}/redeliver',
  id: 'redeliverWebhook',
  summary: 'Send a message to a webhook again',
  description: 'The delivery waits for its first attempt again. The message shows the record as it is at that time.',
  params: { pk: 'The delivery.' },
  access: mayUse(webhookDeliveries, 'read'),
  answers: { 200: webhookDeliveries },
  problems: [401, 403, 404, 409],
  run: async ({ params, records, context }) => {
    const { webhook: sentTo } = await records.get(webhookDeliveries, params.pk)
    if (sentTo) await mustBeChangeable(context, sentTo.pk)
    return records.transaction(async own => {
      const delivery = await own.get(webhookDeliveries, params.pk)
      const webhook = delivery.webhook && (await own.get(webhooks, delivery.webhook.pk))
      if (!webhook?.active) throw new Problem('conflict', 'The webhook is not active.')
      if (delivery.state === 'waiting') throw new Problem('conflict', 'The message has not been sent yet.')
      const again = { state: 'waiting', attempts: 0, nextAttempt: own.now.toISOString(), lastError: null } as const
      await own.asService.update(webhookDeliveries, delivery.pk, {
        ...again,
        responseStatus: null,
        deliveredDate: null,
      })
      return own.get(webhookDeliveries, delivery.pk)
    })
  },
})

// POST /api/rest/webhooks/{pk}/rotateSecret: a new secret. For a while messages are signed with the old one, too, so that receivers
// can change over without losing any.

const rotatedSecret = defineShape(
  'RotatedSecret',
  {
    secret: text({ required: true, about: 'The new secret. It is shown in this response and never again.' }),
    previousUntil: timestamp({ required: true, about: 'Until then messages are signed with the old secret, too.' }),
  },
  { about: 'The new secret of a webhook.' },
)

const hour = 3600_000

export const rotateSecret = (service: Service): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: '/api/rest/webhooks/{pk}/rotateSecret',
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'Until `previousUntil`, messages have two signatures: one with each secret. With `keepHours` 0 the old secret ends at once.',
    params: { pk: 'The webhook.' },
    access: mayUse(webhooks, 'patch'),
    body: {
      keepHours: integer({ min: 0, max: 168, default: 24, about: 'How long the old secret is used, in hours.' }),
    },
    bodyIsOptional: true,
    holdsSecrets: true,
    answers: { 200: rotatedSecret },
    problems: [401, 403, 404],
    run: async ({ params, body, records, caller, context }) => {
      const { sender } = context
      await records.get(webhooks, params.pk)
      await mustBeChangeable(context, params.pk)
      const seals = await authContextOf(service).seals()
      const secret = createSecret()
      return records.transaction(async own => {
        const webhook = await own.get(webhooks, params.pk)
        await mustBeRecent({ caller, now: own.now }, own.tx)
        const previousUntil = new Date(own.now.getTime() + (body.keepHours ?? 24) * hour).toISOString()
        const stored = await own.asService.get(webhookSecrets, webhook.pk)
        await own.asService.update(webhookSecrets, webhook.pk, {
          sealed: seals.seal(secret, 'webhook'),
          previous: stored.sealed,
          previousUntil,
        })
        const data = { webhook: webhook.pk, name: webhook.name, previousUntil }
        await webhookAudit.recordChange(
          own.tx,
          { caller, sender, now: own.now },
          { type: 'WEBHOOK_SECRET_ROTATED', data },
        )
        return { secret, previousUntil }
      })
    },
  })
