// Webhooks that modules declare: which changes are sent, and the settings that say where to and with which secret.

import type { ResourceDefinition } from './model/define.ts'
import { type DefinitionFault, didYouMean } from './model/definition-error.ts'
import type { ChangeType } from './model/event.ts'
import type { OptionNames } from './model/field-options.ts'
import type { Setting } from './model/setting.ts'

/** A webhook that a module declares. Made by `defineWebhook`. */
export interface WebhookDefinition {
  /** Unique in the application. */
  readonly name: string
  /** Changes of their records are sent, with the records as administrators see them. */
  readonly resources: readonly ResourceDefinition[]
  /** The kinds of changes: all of them unless given. */
  readonly events?: readonly ChangeType[]
  /** Only records that match, in the filter language of searches; with one resource only. */
  readonly condition?: string
  /** The address that messages are sent to. The webhook is off while the setting is empty. */
  readonly address: Setting<string | null>
  /** The key that signs messages: `whsec_` and the base64 of at least 24 bytes. */
  readonly secret: Setting<string | null>
}

/**
 * Declares a webhook. List it in `webhooks` of your module.
 *
 * @example
 * export const overdueLoans = defineWebhook({
 *   name: 'overdueLoans',
 *   resources: [loans],
 *   condition: 'overdue==true',
 *   address: setting(librarySettings, 'webhookAddress'),
 *   secret: setting(librarySettings, 'webhookSecret'),
 * })
 */
export const defineWebhook = (webhook: WebhookDefinition): WebhookDefinition => webhook

/** A module, as far as its webhooks are concerned. */
interface WebhookOwner {
  readonly name: string
  readonly webhooks?: readonly WebhookDefinition[]
}

const options: OptionNames<WebhookDefinition> = {
  name: true,
  resources: true,
  events: true,
  condition: true,
  address: true,
  secret: true,
}

const changes: readonly ChangeType[] = ['created', 'updated', 'deleted']

/** What is wrong with the webhooks of these modules. */
export const webhookFaults = (modules: readonly WebhookOwner[]): readonly DefinitionFault[] => {
  const names = modules.flatMap(({ webhooks = [] }) => webhooks.map(({ name }) => name))
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) < at))
  return [
    ...[...repeated].map(name => ({ message: `several webhooks have the name '${name}'; rename all but one` })),
    ...modules.flatMap(module =>
      (module.webhooks ?? []).flatMap(webhook =>
        faultsOf(webhook).map(message => ({
          module: module.name,
          message: `webhook '${webhook.name}': ${message}`,
          definition: module,
        })),
      ),
    ),
  ]
}

const faultsOf = (webhook: WebhookDefinition): readonly string[] => {
  const { name, resources = [], events = [], condition } = webhook
  const known = Object.keys(options)
  return [
    ...Object.keys(webhook)
      .filter(option => !known.includes(option))
      .map(option => `unknown option '${option}'${didYouMean(known, option)}`),
    ...(/^[a-z][A-Za-z0-9-]*$/.test(name) ? [] : ["names are letters, digits and '-', such as 'overdueLoans'"]),
    ...(resources.length > 0 ? [] : ["needs 'resources': the resources whose changes are sent"]),
    ...events
      .filter(event => !changes.includes(event))
      .map(
        event => `unknown event '${event}'${didYouMean(changes, event) || `; the events are ${changes.join(', ')}`}`,
      ),
    ...(condition === undefined || resources.length === 1 ? [] : ['a condition works with exactly one resource']),
    ...(['address', 'secret'] as const)
      .filter(option => webhook[option]?.kind !== 'setting')
      .map(
        option =>
          `needs '${option}': a setting, such as setting(librarySettings, 'webhook${option === 'address' ? 'Address' : 'Secret'}')`,
      ),
  ]
}
