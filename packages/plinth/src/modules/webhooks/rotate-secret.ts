// POST /api/rest/webhooks/{pk}/rotateSecret: a new secret. For a while messages are signed with the old one, too, so that receivers
// can change over without losing any.

import { integer, text, timestamp } from '../../core/model/fields.ts'
import { defineShape } from '../../core/model/shape.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { authContextOf } from '../auth/index.ts'
import { mustBeChangeable } from './must-be-changeable.ts'
import { createSecret } from './send.ts'
import { mustBelongToUser, webhookAudit, webhookSecrets, webhooks } from './webhooks.ts'

const rotatedSecret = defineShape(
  'RotatedSecret',
  {
    secret: text({ required: true, about: 'The new secret. It is shown in this response and never again.' }),
    previousUntil: timestamp({ required: true, about: 'Until then messages are signed with the old secret, too.' }),
  },
  { about: 'The new secret of a webhook.' },
)

const hour = 3600_000

export const rotateSecret = (service: Service) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/rest/webhooks/{pk}/rotateSecret',
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'Until `previousUntil`, messages have two signatures: one with each secret. With `keepHours` 0 the old secret ends at once.',
    params: { pk: 'The webhook.' },
    access: mayUse(webhooks, 'patch'),
    requires: 'recentSignIn',
    button: { title: { en: 'Replace the secret', de: 'Geheimnis ersetzen' } },
    body: {
      keepHours: integer({ min: 0, max: 168, default: 24, about: 'How long the old secret is used, in hours.' }),
    },
    bodyIsOptional: true,
    holdsSecrets: true,
    answers: { 200: rotatedSecret },
    problems: [401, 403, 404, 409],
    run: async ({ params, body, records, caller, context }) => {
      const { sender } = context
      await records.get(webhooks, params.pk)
      await mustBeChangeable(context, params.pk)
      const seals = await authContextOf(service).seals()
      const secret = createSecret()
      return records.transaction(async own => {
        const webhook = await own.get(webhooks, params.pk)
        mustBelongToUser(webhook)
        const previousUntil = new Date(own.now.getTime() + (body.keepHours ?? 24) * hour).toISOString()
        const stored = await own.asService.get(webhookSecrets, webhook.pk)
        await own.asService.update(webhookSecrets, webhook.pk, {
          sealed: seals.seal(secret, 'webhook'),
          previous: stored.sealed,
          previousUntil,
        })
        const data = { webhook: webhook.pk, name: webhook.name, previousUntil }
        await webhookAudit.recordChange(
          own.asService,
          { caller, sender, now: own.now },
          { type: 'WEBHOOK_SECRET_ROTATED', data },
        )
        return { secret, previousUntil }
      })
    },
  })
