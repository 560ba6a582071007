// POST /api/rest/webhooks/{pk}/test: sends a message to the receiver at once, and answers how it went.

import { randomUUID } from 'node:crypto'
import { boolean, integer, text } from '../../core/model/fields.ts'
import { defineShape } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { Quota, retryAfter } from '../../core/quota.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import { mayUse } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { sendTo } from './deliver.ts'
import { mustBeChangeable } from './must-be-changeable.ts'
import { webhookSettings } from './settings.ts'
import { webhooks } from './webhooks.ts'

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

export const testDelivery = (service: Service) => {
  const quota = new Quota(testsPerMinute, service.platform.clock)
  return defineEndpoint({
    method: 'POST',
    path: '/api/rest/webhooks/{pk}/test',
    id: 'testWebhook',
    summary: 'Send a test message to a webhook',
    description: 'Also when the webhook is not active. The topic of the message is `webhook.test`.',
    params: { pk: 'The webhook.' },
    access: mayUse(webhooks, 'patch'),
    button: { title: { en: 'Send a test message', de: 'Testnachricht senden' } },
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
