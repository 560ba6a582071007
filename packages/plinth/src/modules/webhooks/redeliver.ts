// POST /api/rest/webhookDeliveries/{pk}/redeliver: sends a message again, with the same identifier, so that a receiver that has it
// can recognise it.

import { Problem } from '../../core/problem.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import { webhookDeliveries } from './deliveries.ts'
import { mustBeChangeable } from './must-be-changeable.ts'
import { webhooks } from './webhooks.ts'

export const redeliver = defineEndpoint({
  method: 'POST',
  path: '/api/rest/webhookDeliveries/{pk}/redeliver',
  id: 'redeliverWebhook',
  summary: 'Send a message to a webhook again',
  description: 'The delivery waits for its first attempt again. The message shows the record as it is at that time.',
  params: { pk: 'The delivery.' },
  access: mayUse(webhookDeliveries, 'read'),
  button: { title: { en: 'Send again', de: 'Erneut senden' } },
  answers: { 200: webhookDeliveries },
  problems: [401, 403, 404, 409],
  run: async ({ params, records, context }) => {
    const { webhook: sentTo } = await records.get(webhookDeliveries, params.pk)
    if (sentTo) await mustBeChangeable(context, sentTo.pk)
    return records.transaction(async own => {
      const delivery = await own.get(webhookDeliveries, params.pk)
      const webhook = delivery.webhook && (await own.get(webhooks, delivery.webhook.pk))
      if (!webhook?.active)
        throw new Problem('conflict', { en: 'The webhook is not active.', de: 'Der Webhook ist nicht aktiv.' })
      if (delivery.state === 'waiting')
        throw new Problem('conflict', {
          en: 'The message has not been sent yet.',
          de: 'Die Nachricht wurde noch nicht gesendet.',
        })
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
