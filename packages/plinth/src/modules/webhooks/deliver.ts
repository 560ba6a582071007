// One attempt of a delivery, and what follows from it: the next attempt, the end of the delivery, or the end of the webhook.

import { reportFailed } from '../../core/guarded.ts'
import { isUnavailable, Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { authContextOf } from '../auth/index.ts'
import { readVisibleRecord } from '../realtime/index.ts'
import { type WebhookDelivery, webhookDeliveries } from './deliveries.ts'
import { disable } from './disable.ts'
import { ownerContext } from './fan-out.ts'
import { DeliveryRefused, failureOf, sendMessage } from './send.ts'
import { webhookSettings } from './settings.ts'
import { hostIn, type Webhook, webhookSecrets, webhooks } from './webhooks.ts'

const firstDelay = 5000
export const longestDelay = 6 * 3600_000
/** The most attempts: about a day with the delays between them. */
const maxAttempts = 10

export interface AttemptResult {
  /** Is null without a response. */
  readonly status: number | null
  /** Is null when it was delivered. */
  readonly error: string | null
  /** Settings do not allow the address: nothing was sent. */
  readonly isRefused?: boolean
}

/** Sends one message; never throws for what a receiver does. */
export const sendTo = async (
  service: Service,
  { webhook, id, body }: { readonly webhook: Webhook; readonly id: string; readonly body: string },
  stop: AbortSignal,
): Promise<AttemptResult> => {
  const { records, clock } = service.platform
  const { allowHttp, allowPrivateAddresses, timeoutSeconds } = service.config.get(webhookSettings)
  const stored = await records.first(webhookSecrets, { where: { pk: webhook.pk } })
  const seals = await authContextOf(service).seals()
  const now = clock()
  const isOldUsed = stored?.previousUntil != null && stored.previousUntil > now.toISOString()
  const sealed = [stored?.sealed, isOldUsed ? stored.previous : null]
  const secrets = sealed.flatMap(one => (one ? (seals.open(one, 'webhook') ?? []) : []))
  if (secrets.length === 0)
    return { status: null, error: 'The secret cannot be read; delete the webhook and create another.' }
  const receiver = {
    url: webhook.url,
    secrets,
    timeoutMs: timeoutSeconds * 1000,
    allowHttp,
    allowPrivate: allowPrivateAddresses,
  }
  try {
    const status = await sendMessage(receiver, { id, body, sentAt: now }, stop)
    return { status, error: status >= 200 && status < 300 ? null : `The receiver responded with ${status}.` }
  } catch (error) {
    stop.throwIfAborted()
    return { status: null, error: failureOf(error), isRefused: error instanceof DeliveryRefused }
  }
}

/** Returns false when the attempt failed. Throws when the database is away or `stop` aborts. */
export const attempt = async (service: Service, delivery: WebhookDelivery, stop: AbortSignal): Promise<boolean> => {
  const { records } = service.platform
  const webhook = delivery.webhook && (await records.first(webhooks, { where: { pk: delivery.webhook.pk } }))
  if (!webhook?.active) return giveUp(service, delivery, 'The webhook is not active.')
  const result = await resultOf(service, { webhook, delivery }, stop)
  if (result === null) return giveUp(service, delivery, 'The owner may not read the record.')
  // Only administrators can change settings, and they may not see the deliveries of others. Once for each series of failures.
  if (result.isRefused && webhook.failingSince === null)
    service.log.warn({ webhook: webhook.pk, host: hostIn(webhook.url) }, `webhook not delivered: ${result.error}`)
  const isDelivered = result.error === null
  await (isDelivered ? recordSuccess : recordFailure)(service, { delivery, webhook, result })
  return isDelivered
}

/** Returns null when the owner may not read the record. */
const resultOf = async (
  service: Service,
  { webhook, delivery }: Omit<Attempted, 'result'>,
  stop: AbortSignal,
): Promise<AttemptResult | null> => {
  try {
    const body = await bodyFor(service, webhook, delivery)
    return body === null ? null : await sendTo(service, { webhook, id: `msg_${delivery.pk}`, body }, stop)
  } catch (error) {
    stop.throwIfAborted()
    if (isUnavailable(error)) throw error
    reportFailed({ name: 'delivering webhooks', log: service.log }, error)
    return { status: null, error: 'The message could not be created.' }
  }
}

/** The record as its owner sees it now; without it when it is gone, or not to be seen any more. */
const bodyFor = async (service: Service, webhook: Webhook, delivery: WebhookDelivery): Promise<string | null> => {
  const { platform } = service
  const context = await ownerContext(platform, webhook)
  const resource = platform.registry.published(delivery.resource ?? '')
  if (!context || !resource) return null
  const { sequence, change: type, resource: name, record: pk } = delivery
  const data = JSON.stringify({ sequence, type, resource: name, pk })
  const isGone = type === 'deleted' || pk === null
  const record = isGone ? null : await readIfAllowed({ resource, pk, context, base: service.address() })
  const withRecord = record === null ? data : `${data.slice(0, -1)},"record":${record}}`
  const head = JSON.stringify({ type: delivery.topic, timestamp: delivery.occurred })
  return `${head.slice(0, -1)},"data":${withRecord}}`
}

const readIfAllowed = async (visible: Parameters<typeof readVisibleRecord>[0]): Promise<string | null> => {
  try {
    return await readVisibleRecord(visible)
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return null
    throw error
  }
}

/** Gives up a delivery. That is no failure of the receiver: the deliveries that follow are attempted. */
const giveUp = async (
  { platform: { records } }: Service,
  { pk }: WebhookDelivery,
  lastError: string,
): Promise<true> => {
  await records.updateMany(webhookDeliveries, { where: { pk } }, { state: 'failed', nextAttempt: null, lastError })
  return true
}

interface Attempted {
  readonly delivery: WebhookDelivery
  readonly webhook: Webhook
  readonly result: AttemptResult
}

const recordSuccess = async ({ platform }: Service, { delivery, webhook, result }: Attempted): Promise<void> => {
  await platform.records.transaction(async records => {
    await records.updateMany(
      webhookDeliveries,
      { where: { pk: delivery.pk } },
      {
        ...{ state: 'delivered', attempts: delivery.attempts + 1, nextAttempt: null, lastError: null },
        ...{ responseStatus: result.status, deliveredDate: records.now.toISOString() },
      },
    )
    if (webhook.failingSince !== null)
      await records.updateMany(webhooks, { where: { pk: webhook.pk } }, { failingSince: null })
  })
}

/** RFC 9110, 15.5.11: the receiver is gone for good. */
const gone = 410

const recordFailure = async (service: Service, { delivery, webhook, result }: Attempted): Promise<void> => {
  const { disableAfterHours } = service.config.get(webhookSettings)
  await service.platform.records.transaction(async records => {
    const { now } = records
    const attempts = delivery.attempts + 1
    const isOver = attempts >= maxAttempts || result.status === gone
    const next = new Date(now.getTime() + delayAfter(attempts)).toISOString()
    await records.updateMany(
      webhookDeliveries,
      { where: { pk: delivery.pk } },
      {
        ...{ state: isOver ? 'failed' : 'waiting', attempts, nextAttempt: isOver ? null : next },
        ...{ responseStatus: result.status, lastError: result.error },
      },
    )
    const since = webhook.failingSince ?? now.toISOString()
    const isLasting = now.getTime() - Date.parse(since) >= disableAfterHours * 3600_000
    if (result.status !== gone && !isLasting) {
      await records.updateMany(webhooks, { where: { pk: webhook.pk } }, { failingSince: since })
      return
    }
    const disabledReason = isLasting
      ? `Every delivery has failed since ${since}.`
      : `The receiver responded with ${gone}.`
    await records.updateMany(webhooks, { where: { pk: webhook.pk } }, { failingSince: since })
    await disable(records.asService, webhook, { reason: disabledReason, principal: null, now })
  })
}

/** Exponential back-off with jitter, so that a receiver that comes back is not flooded. */
const delayAfter = (attempts: number): number =>
  Math.min(longestDelay, firstDelay * 4 ** (attempts - 1)) * (0.5 + Math.random() / 2)
