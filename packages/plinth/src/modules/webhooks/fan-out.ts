// Changes → deliveries: each change for each webhook whose owner may read the record, judged as for realtime subscribers.

import { oneByOne } from '../../core/jobs/sweep.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { ChangeEvent, ChangeType } from '../../core/model/event.ts'
import { fieldsJudged } from '../../core/model/event-fields.ts'
import type { Filter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { NewRow } from '../../core/model/row.ts'
import { Problem } from '../../core/problem.ts'
import { readFilter } from '../../core/query/filter.ts'
import { createScope } from '../../core/query/scope.ts'
import { type Context, contextFor } from '../../core/rest/context.ts'
import type { Platform } from '../../core/rest/platform.ts'
import type { Service } from '../../core/service.ts'
import { userAsCaller } from '../auth/index.ts'
import { users } from '../people/index.ts'
import { createChangeTopic, EventBatch, type Topic } from '../realtime/index.ts'
import type { webhookDeliveries } from './deliveries.ts'
import { type Webhook, webhooks } from './webhooks.ts'

type NewDelivery = NewRow<typeof webhookDeliveries>

interface Receivers {
  readonly active: readonly Webhook[]
  /** The sequences by webhook: it receives the changes after this one. */
  readonly firsts: ReadonlyMap<string, number>
}

export const deliveriesOf = async (
  service: Service,
  { active, firsts }: Receivers,
  events: readonly ChangeEvent[],
): Promise<readonly NewDelivery[]> => {
  const batch = new EventBatch(events)
  const times = new Map(events.map(({ sequence, time }) => [sequence, time]))
  const all: NewDelivery[] = []
  await oneByOne(service, { name: 'selecting changes for a webhook', all: active }, async webhook => {
    const context = await ownerContext(service.platform, webhook)
    if (!context) return
    const changes = await visibleChanges(service, { webhook, context, batch })
    const first = firsts.get(webhook.pk) ?? 0
    const isSent = ({ sequence, type }: VisibleChange): boolean =>
      sequence > first && (!webhook.events?.length || webhook.events.includes(type))
    for (const change of changes.filter(isSent))
      all.push(
        toDelivery(webhook, change, { occurred: times.get(change.sequence) ?? null, now: service.platform.clock() }),
      )
  })
  return all
}

interface VisibleChange {
  readonly sequence: number
  readonly type: ChangeType
  readonly resource: string
  readonly pk: string
}

/**
 * Events of this process have the fields that conditions look at, so that it can be seen which records begin and cease to match.
 * Those of webhooks that another instance has just created count after the next call.
 */
export const createConditionWatch = ({ platform }: Service): (() => Promise<void>) => {
  const conditional = { active: true, condition: { ne: null } }
  /** The versions of the webhooks whose conditions are known. */
  const versions = new Map<string, number>()
  return async () => {
    for (const webhook of await platform.records.find(webhooks, { where: conditional })) {
      if (versions.get(webhook.pk) === webhook.version) continue
      const context = await ownerContext(platform, webhook)
      if (!context) continue
      for (const { resource, filter } of conditionsOf(webhook, context))
        if (filter) platform.store.announce(resource, fieldsJudged(resource, filter))
      versions.set(webhook.pk, webhook.version)
    }
  }
}

const toDelivery = (
  { pk, user }: Webhook,
  { sequence, type, resource, pk: record }: VisibleChange,
  { occurred, now }: { readonly occurred: string | null; readonly now: Date },
): NewDelivery => ({
  ...{ webhook: pk, user: user?.pk ?? null, topic: `${resource}.${type}` },
  ...{ resource, record, change: type, sequence, occurred },
  nextAttempt: now.toISOString(),
})

interface Judged {
  readonly webhook: Webhook
  readonly context: Context
  readonly batch: EventBatch
}

const visibleChanges = async (
  service: Service,
  { webhook, context, batch }: Judged,
): Promise<readonly VisibleChange[]> => {
  const listener = { context, base: service.address(), wantsRecord: false }
  const found: VisibleChange[] = []
  for (const topic of topicsOf(webhook, context)) {
    try {
      const messages = await topic.messages(batch, topic.audienceFor(listener))
      found.push(...messages.map(({ body }): VisibleChange => JSON.parse(body)))
    } catch (error) {
      // The owner may not read the resource any more.
      if (!(error instanceof Problem && error.status < 500)) throw error
    }
  }
  return found.sort((one, other) => one.sequence - other.sequence)
}

/** Resources that are gone since the webhook was created are left out. */
const topicsOf = (webhook: Webhook, context: Context): readonly Topic[] =>
  resourcesOf(webhook, context).map(resource =>
    createChangeTopic(resource.name, { resource, filterFor: own => filterOf(webhook, resource, own) }),
  )

const resourcesOf = ({ resources }: Webhook, { platform: { registry } }: Context): readonly Resource[] =>
  [...new Set(resources)].flatMap(name => registry.published(name) ?? [])

const filterOf = ({ condition }: Webhook, resource: Resource, { visibility }: Context): Filter | null =>
  condition === null ? null : readFilter(condition, resource, createScope(visibility))

interface Condition {
  readonly resource: Resource
  readonly filter: Filter | null
}

/** None when the owner may not use the fields of the condition any more. */
const conditionsOf = (webhook: Webhook, context: Context): readonly Condition[] => {
  try {
    return resourcesOf(webhook, context).map(resource => ({ resource, filter: filterOf(webhook, resource, context) }))
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return []
    throw error
  }
}

// The owner of a webhook as a caller: what they may read now is what they receive.

/** The caller as whom webhooks that code declares read records. */
export const administrators: Caller = { pk: null, username: null, roles: new Set(['ROLE_ADMIN']) }

/** Returns null when the account is not active. */
export const ownerContext = async (
  platform: Platform,
  { user, declaredBy }: Pick<Webhook, 'user' | 'declaredBy'>,
): Promise<Context | null> => {
  if (declaredBy !== null) return contextFor(platform, administrators)
  const owner = user && (await platform.records.first(users, { where: { pk: user.pk } }))
  if (!owner?.active) return null
  return contextFor(platform, await userAsCaller(platform, owner))
}
