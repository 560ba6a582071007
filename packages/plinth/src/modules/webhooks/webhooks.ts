// Webhooks: changes of records, sent to an address of the user's choice as far as the user may read them.

import type { Config } from '../../core/config/settings.ts'
import { defineFaults, type FaultReason, fault } from '../../core/fault.ts'
import { defineResource, variantOf } from '../../core/model/define.ts'
import { type ChangeOf, defineHooks } from '../../core/model/define-hooks.ts'
import { boolean, issued, ref, text, textList, timestamp } from '../../core/model/fields.ts'
import type { Hooks } from '../../core/model/hooks.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import type { Row } from '../../core/model/row.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import { defineAudit } from '../audit/index.ts'
import { hasSignedInRecently, recentMinutes } from '../auth/index.ts'
import { queueMail } from '../mail/index.ts'
import { mailRecipientOf } from '../people/index.ts'
import { liveParts } from './live-parts.ts'
import { webhookAddress } from './mails.ts'
import { createSecret } from './send.ts'
import { webhookSettings } from './settings.ts'

export const webhookAudit = defineAudit([
  'WEBHOOK_CREATED',
  'WEBHOOK_CHANGED',
  'WEBHOOK_DELETED',
  'WEBHOOK_DISABLED',
  'WEBHOOK_SECRET_ROTATED',
])

export const webhookFault = defineFaults({
  webhook_address: 'must be an https address without a user name, password or fragment',
  unknown_topic: "'{resource}' is not a resource that webhooks can be about",
  one_topic: 'works with exactly one resource',
})

const owns = "record.user == caller.pk || caller.has('ROLE_ADMIN')"

export const webhooks = defineResource('webhooks', {
  title: { de: 'Webhooks' },
  singularTitle: { de: 'Webhook' },
  about: {
    en: 'Addresses that changes of records are sent to, as far as their owner may read them.',
    de: 'Adressen, an die Änderungen von Datensätzen gesendet werden, soweit die Person sie lesen darf.',
  },
  label: 'name',
  inPerson: true,
  history: true,
  // A restored one would send again without the checks of a new one.
  trash: false,
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    url: text({
      required: true,
      max: 2000,
      format: 'uri',
      about: { en: 'Where messages are sent by POST.', de: 'Wohin Nachrichten per POST gesendet werden.' },
      title: { en: 'URL', de: 'URL' },
    }),
    user: ref('users', { serverOwned: true, onDelete: 'cascade', title: { de: 'Person' } }),
    resources: textList({
      required: true,
      maxItems: 50,
      max: 100,
      about: { en: 'Changes of these resources are sent.', de: 'Änderungen dieser Ressourcen werden gesendet.' },
      title: { de: 'Ressourcen' },
    }),
    condition: text({
      max: 4000,
      about: {
        en: 'Only records that match, in the filter language of searches; with one resource only.',
        de: 'Nur passende Datensätze, in der Filtersprache der Suche; nur mit einer Ressource.',
      },
      title: { de: 'Bedingung' },
    }),
    active: boolean({
      default: true,
      about: { en: 'Nothing is sent while it is off.', de: 'Ist er aus, wird nichts gesendet.' },
      title: { de: 'Aktiv' },
    }),
    failingSince: timestamp({
      serverOwned: true,
      activity: true,
      about: { en: 'Since when every delivery has failed.', de: 'Seit wann jede Zustellung gescheitert ist.' },
      title: { de: 'Gestört seit' },
    }),
    disabledReason: text({
      serverOwned: true,
      max: 200,
      about: { en: 'Why the service switched it off.', de: 'Warum der Dienst ihn abgeschaltet hat.' },
      title: { de: 'Grund der Abschaltung' },
    }),
    secret: issued(
      text({
        max: 100,
        about: {
          en: 'The key that signs messages, shown when the webhook is created and never again.',
          de: 'Der Schlüssel, der Nachrichten signiert. Er wird nur beim Anlegen angezeigt.',
        },
        title: { de: 'Geheimnis' },
      }),
    ),
  },
  access: { read: owns, create: 'caller.signedIn', update: owns, delete: owns },
})

export type Webhook = Row<typeof webhooks>

export const webhookSecrets = defineResource('webhookSecrets', {
  about: 'The sealed secrets of webhooks.',
  identifier: sharedWith('webhook'),
  internal: true,
  stamps: 'none',
  fields: {
    webhook: ref('webhooks', { required: true, onDelete: 'cascade' }),
    sealed: text({ required: true, max: 500 }),
    /** After a rotation: the old one, with which messages are signed until then, too. */
    previous: text({ max: 500 }),
    previousUntil: timestamp(),
  },
  access: {},
})

type WebhookChange = ChangeOf<typeof webhooks>

/** The resource for the settings of one service. Code asks for records by `webhooks`. */
export const createWebhooks = (config: Config): typeof webhooks =>
  variantOf(webhooks, { ...webhooks, hooks: hooksWith(config) })

const hooksWith = (config: Config): Hooks =>
  defineHooks(webhooks, {
    before: async (change, tx) => {
      if (change.kind === 'delete' || change.isService) return
      check(change, tx, config)
      const { kind, values, caller } = change
      if (kind === 'create' || values.url !== undefined) await mustBeRecent(change, tx)
      if (values.active === true) Object.assign(values, { failingSince: null, disabledReason: null })
      if (kind === 'update') return
      const max = config.get(webhookSettings).maxPerUser
      if ((await recordsIn(tx).count(webhooks, { where: { user: caller.pk } })) >= max)
        throw new Problem('conflict', `You have ${max} webhooks, which is the most that is allowed.`)
      // The owner is always the caller, whatever the body says.
      Object.assign(values, { user: caller.pk, secret: createSecret(), failingSince: null, disabledReason: null })
    },
    after: async (change, tx) => {
      if (change.kind === 'create') {
        const { seals } = liveParts(change.resource)
        const sealed = seals.seal(issuedSecret(change), 'webhook')
        await recordsIn(tx).create(webhookSecrets, { webhook: change.pk, sealed })
      }
      if (change.isService) return
      if (change.kind !== 'delete' && isNewAddress(change)) await notifyOwner(change, tx)
      await recordChange(change, tx)
    },
  })

const issuedSecret = ({ values }: WebhookChange): string =>
  'secret' in values && typeof values.secret === 'string' ? values.secret : ''

const faultAt = (member: string, reason: FaultReason): Fault => ({ pointer: `/${member}`, member, ...reason })

const check = (change: WebhookChange, tx: Transaction, config: Config): void => {
  const { values, before } = change
  const resources = values.resources ?? before?.resources ?? []
  const condition = values.condition === undefined ? (before?.condition ?? null) : values.condition
  const url = values.url ?? null
  const topics = faultsOfTopics(resources, tx)
  const faults = [
    ...(url === null || isAddress(url, config) ? [] : [faultAt('url', webhookFault('webhook_address'))]),
    ...topics,
    ...(topics.length > 0 || condition === null ? [] : faultsOfCondition(change, { resources, condition })),
  ]
  const [first] = faults
  if (first) throw new Problem('invalid', { detail: `${first.member} ${first.message}.`, errors: faults })
}

const isAddress = (text: string, config: Config): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && config.get(webhookSettings).allowHttp)
  return isWeb && url?.username === '' && url.password === '' && url.hash === ''
}

/** Not resources that API keys cannot use either: webhooks, keys, sessions and the like. */
const faultsOfTopics = (resources: readonly string[], tx: Transaction): Fault[] => {
  const isTopic = (name: string): boolean => {
    const resource = tx.published(name)
    return resource !== null && !resource.definition.inPerson
  }
  if (new Set(resources).size < resources.length) return [faultAt('resources', fault('duplicate_entry'))]
  const unknown = resources.length === 0 ? '' : resources.find(name => !isTopic(name))
  return unknown === undefined ? [] : [faultAt('resources', webhookFault('unknown_topic', { resource: unknown }))]
}

interface FilteredTopics {
  readonly resources: readonly string[]
  readonly condition: string
}

const faultsOfCondition = (
  change: WebhookChange,
  { resources: [name, second], condition }: FilteredTopics,
): Fault[] => {
  if (name === undefined || second !== undefined) return [faultAt('condition', webhookFault('one_topic'))]
  const { checkFilter } = liveParts(change.resource)
  return checkFilter(name, condition, change.caller).map(({ code, message, params }) =>
    faultAt('condition', { code, message, ...(params && { params }) }),
  )
}

/** A webhook outlives the session that creates it, so a browser that was left open is not enough to create one. */
export const mustBeRecent = async (
  { caller, now }: Pick<WebhookChange, 'caller' | 'now'>,
  tx: Transaction,
): Promise<void> => {
  if (await hasSignedInRecently(tx, caller, now)) return
  const detail = `The last sign-in was more than ${recentMinutes} minutes ago: sign in again or verify the password.`
  throw new Problem('forbidden', detail)
}

const isNewAddress = ({ values, before }: WebhookChange): boolean =>
  values.url !== undefined && values.url !== before?.url

/** By mail: someone else may have created the webhook. */
const notifyOwner = async ({ caller, before, values, now }: WebhookChange, tx: Transaction): Promise<void> => {
  const userPk = before ? before.user?.pk : caller.pk
  const owner = userPk ? await mailRecipientOf({ tx }, userPk) : null
  if (!owner) return
  const { recipient, locale, account } = owner
  const webhookName = values.name ?? before?.name ?? ''
  const content = { ...account, webhookName, host: hostIn(values.url ?? '') }
  await queueMail(recordsIn(tx).acting({ now }), webhookAddress, { recipient, locale, content })
}

const auditTypes = { create: 'WEBHOOK_CREATED', update: 'WEBHOOK_CHANGED', delete: 'WEBHOOK_DELETED' } as const

const recordChange = (change: WebhookChange, tx: Transaction): Promise<void> => {
  const { kind, pk, before, values } = change
  const name = values.name ?? before?.name ?? ''
  const host = hostIn(values.url ?? before?.url ?? '')
  return webhookAudit.recordChange(tx, change, { type: auditTypes[kind], data: { webhook: pk, name, host } })
}

/** The path may hold a token of the receiver. */
const hostIn = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')
