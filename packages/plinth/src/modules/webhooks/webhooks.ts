// Webhooks: changes of records, sent to an address of the user's choice as far as the user may read them.

import { defineFaults, type FaultReason, fault } from '../../core/fault.ts'
import { defineResource } from '../../core/model/define.ts'
import { boolean, issued, ref, text, textList, timestamp } from '../../core/model/fields.ts'
import type { HookName } from '../../core/model/hook-set.ts'
import type { HookContext } from '../../core/model/hooks.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { HookContextOf } from '../../core/model/typed-hooks.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { defineAudit } from '../audit/index.ts'
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
  webhook_address: {
    en: 'must be an https address without a user name, password or fragment',
    de: 'Geben Sie eine https-Adresse ohne Benutzername, Passwort und Fragment ein.',
  },
  webhook_http: {
    en: 'must be an https address; the setting app.webhooks.allowHttp allows http as well',
    de: 'Geben Sie eine https-Adresse ein; die Einstellung app.webhooks.allowHttp erlaubt auch http.',
  },
  unknown_topic: {
    en: "'{resource}' is not a resource that webhooks can be about",
    de: 'Für „{resource}“ gibt es keine Webhooks.',
  },
  one_topic: { en: 'works with exactly one resource', de: 'Eine Bedingung ist nur mit genau einer Ressource möglich.' },
})

// Those that code declares have no user, and anonymous callers have no pk.
const owns = "caller.signedIn && (record.user == caller.pk || caller.has('ROLE_ADMIN'))"

export const webhooks = defineResource('webhooks', {
  title: { de: 'Webhooks' },
  singularTitle: { de: 'Webhook' },
  about: {
    en: 'Addresses that changes of records are sent to, as far as their owner may read them.',
    de: 'Adressen, an die Änderungen von Datensätzen gesendet werden, soweit die Person sie lesen darf.',
  },
  label: 'name',
  inPerson: true,
  // A webhook outlives the session that creates it.
  requires: { recentSignIn: { create: true, update: ['url'] } },
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
    events: textList({
      maxItems: 3,
      max: 10,
      pattern: {
        is: /^(created|updated|deleted)$/,
        says: fault('choice', { choices: ['created', 'updated', 'deleted'] }),
      },
      about: {
        en: 'Only these kinds of changes: `created`, `updated`, `deleted`. All of them if empty.',
        de: 'Nur diese Arten von Änderungen: `created`, `updated`, `deleted`. Leer: alle.',
      },
      title: { en: 'Kinds of changes', de: 'Arten von Änderungen' },
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
    declaredBy: text({
      serverOwned: true,
      max: 100,
      indexed: true,
      about: {
        en: 'The module that declares it in its code. Such a webhook is changed there, and has no owner.',
        de: 'Das Modul, das ihn in seinem Code deklariert. Ein solcher Webhook wird dort geändert und hat keine Besitzerin.',
      },
      title: { en: 'Declared by', de: 'Deklariert von' },
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
  hooks: {
    beforeCreate: async context => {
      if (!context.isService) await prepareNew(context)
    },
    afterCreate: async context => {
      await followNew(context)
    },
    beforeUpdate: async context => {
      if (context.isService) return
      mustBelongToUser(context.before)
      await prepareChange(context)
    },
    beforeDelete: ({ isService, before }) => {
      if (!isService) mustBelongToUser(before)
    },
    afterUpdate: async context => {
      if (!context.isService) await followChange(context)
    },
    afterDelete: async context => {
      if (!context.isService) await recordChange(context, 'WEBHOOK_DELETED', context.before)
    },
  },
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
    /** The old secret after a rotation, with which messages are signed until then, too. */
    previous: text({ max: 500 }),
    previousUntil: timestamp(),
  },
  access: {},
})

type WebhookContext<Name extends HookName> = HookContextOf<typeof webhooks, Name>

type Writing = WebhookContext<'beforeCreate' | 'beforeUpdate'>

const prepareNew = async (context: WebhookContext<'beforeCreate'>): Promise<void> => {
  const { values, caller, records, settings } = context
  check(context)
  const max = settings(webhookSettings).maxPerUser
  if ((await records.asService.count(webhooks, { where: { user: caller.pk } })) >= max)
    throw new Problem('conflict', {
      en: `You have ${max} webhooks, which is the most that is allowed.`,
      de: `Sie haben ${max} Webhooks; mehr sind nicht erlaubt.`,
    })
  // The owner is always the caller, whatever the body says.
  Object.assign(values, { user: caller.pk, secret: createSecret(), failingSince: null, disabledReason: null })
}

const prepareChange = async (context: WebhookContext<'beforeUpdate'>): Promise<void> => {
  const { values } = context
  check(context)
  if (values.active === true) Object.assign(values, { failingSince: null, disabledReason: null })
}

/** Problem `conflict` for one that code declares. */
export const mustBelongToUser = ({ declaredBy }: Pick<Webhook, 'declaredBy'>): void => {
  if (declaredBy !== null)
    throw new Problem('conflict', `The module ${declaredBy} declares this webhook in its code; change it there.`)
}

const followNew = async (context: WebhookContext<'afterCreate'>): Promise<void> => {
  if (context.record.declaredBy !== null) return
  const { seals } = liveParts(context.resource)
  const sealed = seals.seal(issuedSecret(context), 'webhook')
  await context.records.asService.create(webhookSecrets, { webhook: context.pk, sealed })
  if (context.isService) return
  await notifyOwner(context)
  await recordChange(context, 'WEBHOOK_CREATED', context.record)
}

const followChange = async (context: WebhookContext<'afterUpdate'>): Promise<void> => {
  const { values, before, record } = context
  if (values.url !== undefined && values.url !== before.url) await notifyOwner(context)
  await recordChange(context, 'WEBHOOK_CHANGED', record)
}

const issuedSecret = ({ values }: WebhookContext<'afterCreate'>): string =>
  'secret' in values && typeof values.secret === 'string' ? values.secret : ''

const faultAt = (field: string, reason: FaultReason): Fault => ({ pointer: `/${field}`, member: field, ...reason })

const check = (change: Writing): void => {
  const { values, before, records, settings } = change
  const resources = values.resources ?? before?.resources ?? []
  const condition = values.condition === undefined ? (before?.condition ?? null) : values.condition
  const url = values.url ?? null
  const topics = faultsOfTopics(resources, records.asService)
  const address = url === null ? null : addressFault(url, settings(webhookSettings))
  const faults = [
    ...(address ? [faultAt('url', address)] : []),
    ...topics,
    ...(topics.length > 0 || condition === null ? [] : faultsOfCondition(change, { resources, condition })),
  ]
  const [first] = faults
  if (first) throw new Problem('invalid', { detail: `${first.member} ${first.message}.`, errors: faults })
}

/** What is wrong with the address; null when nothing is. */
export const addressFault = (text: string, { allowHttp }: { readonly allowHttp: boolean }): FaultReason | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || url.username !== '' || url.password !== '' || url.hash !== '')
    return webhookFault('webhook_address')
  return url.protocol === 'http:' && !allowHttp ? webhookFault('webhook_http') : null
}

/** Returns the faults of topics. Those that API keys cannot use are refused: webhooks, keys, sessions and the like. */
const faultsOfTopics = (resources: readonly string[], records: TransactionRecords): Fault[] => {
  const isTopic = (name: string): boolean => {
    const resource = records.tx.published(name)
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

const faultsOfCondition = (change: Writing, { resources: [name, second], condition }: FilteredTopics): Fault[] => {
  if (name === undefined || second !== undefined) return [faultAt('condition', webhookFault('one_topic'))]
  const { checkFilter } = liveParts(change.resource)
  return checkFilter(name, condition, change.caller).map(({ code, message, params }) =>
    faultAt('condition', { code, message, ...(params && { params }) }),
  )
}

/** Notifies the owner by mail: someone else may have created the webhook. */
const notifyOwner = async ({
  record,
  now,
  records: { asService: records },
}: WebhookContext<'afterCreate' | 'afterUpdate'>): Promise<void> => {
  const userPk = record.user?.pk
  const owner = userPk ? await mailRecipientOf(records, userPk) : null
  if (!owner) return
  const { recipient, locale, account } = owner
  const content = { ...account, webhookName: record.name, host: hostIn(record.url) }
  await queueMail(records.acting({ now }), webhookAddress, { recipient, locale, content })
}

const recordChange = (
  context: HookContext,
  type: 'WEBHOOK_CREATED' | 'WEBHOOK_CHANGED' | 'WEBHOOK_DELETED',
  { pk, name, url }: Webhook,
): Promise<void> =>
  webhookAudit.recordChange(context.records, context, {
    type,
    data: { webhook: pk, name, host: hostIn(url) },
  })

/** The path may hold a token of the receiver. */
export const hostIn = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')
