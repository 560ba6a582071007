// Webhooks that modules declare are kept as records of the service: created, changed and removed at each start.

import { ConfigError } from '../../core/config/load.ts'
import type { ConfigFault } from '../../core/config/sources.ts'
import { DefinitionError, type DefinitionFault } from '../../core/model/definition-error.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Setting } from '../../core/model/setting.ts'
import { createResolver } from '../../core/model/settings.ts'
import type { Module } from '../../core/module.ts'
import type { Service } from '../../core/service.ts'
import type { WebhookDefinition } from '../../core/webhook.ts'
import { authContextOf, type Seals } from '../auth/index.ts'
import { dispatcherStates } from './deliveries.ts'
import { administrators } from './fan-out.ts'
import { liveParts } from './live-parts.ts'
import { webhookSettings } from './settings.ts'
import { addressFault, webhookFault, webhookSecrets, webhooks } from './webhooks.ts'

interface Declared extends WebhookDefinition {
  readonly module: string
}

interface Target {
  readonly declared: Declared
  readonly pk: string
  /** Empty: the webhook is off. */
  readonly url: string
  readonly secret: string
}

/** Several instances may start at once: one after the other keeps them, and what is as it should be is not written. */
export const keepDeclared = async (service: Service, modules: readonly Module[]): Promise<void> => {
  const { records } = service.platform
  const all = modules.flatMap(({ name, webhooks = [] }) => webhooks.map(one => ({ ...one, module: name })))
  mustBeSound(service, all)
  const targets = all.map(one => targetOf(service, one))
  mustBeConfigured(service, targets)
  if (all.length === 0 && (await records.count(webhooks, { where: declaredOnes })) === 0) return
  const seals = await authContextOf(service).seals()
  await records.transaction(async own => {
    await own.ensure(dispatcherStates, { pk: turn, position: 0 })
    await own.lock(dispatcherStates, turn)
    const kept = await own.find(webhooks, { where: declaredOnes })
    const gone = kept.filter(({ pk }) => !targets.some(target => target.pk === pk))
    for (const { pk } of gone) await own.remove(webhooks, pk)
    for (const target of targets) await keep(own, target, seals)
  })
}

const declaredOnes = { declaredBy: { ne: null } } as const

const turn = 'declared'

const targetOf = ({ config }: Service, declared: Declared): Target => {
  const resolve = createResolver(config.get)
  return {
    declared,
    pk: `declared-${declared.name}`,
    url: resolve(declared.address) ?? '',
    secret: resolve(declared.secret) ?? '',
  }
}

const keep = async (own: TransactionRecords, { declared, pk, url, secret }: Target, seals: Seals): Promise<void> => {
  const known = await own.first(webhooks, { where: { pk } })
  if (url === '') {
    const disabledReason = `The setting ${nameOf(declared.address)} is empty.`
    if (known) await own.update(webhooks, pk, { active: false, disabledReason })
    return
  }
  const values = {
    ...{ name: declared.name, url, declaredBy: declared.module },
    resources: declared.resources.map(({ name }) => name),
    events: declared.events ?? null,
    condition: declared.condition ?? null,
    // A start is a new attempt after deliveries have failed for long.
    ...{ active: true, disabledReason: null },
  }
  if (known) {
    const isOff = known.active === false
    await own.update(webhooks, pk, { ...values, ...(isOff && { failingSince: null }) })
  } else await own.create(webhooks, { pk, ...values })
  await keepSecret(own, { pk, secret }, seals)
}

const hour = 3600_000

/** After a change messages are signed with the old one, too, for a day. */
const keepSecret = async (
  own: TransactionRecords,
  { pk, secret }: Pick<Target, 'pk' | 'secret'>,
  seals: Seals,
): Promise<void> => {
  const stored = await own.first(webhookSecrets, { where: { pk } })
  if (!stored) {
    await own.create(webhookSecrets, { webhook: pk, sealed: seals.seal(secret, 'webhook') })
    return
  }
  if (seals.open(stored.sealed, 'webhook') === secret) return
  await own.update(webhookSecrets, pk, {
    sealed: seals.seal(secret, 'webhook'),
    previous: stored.sealed,
    previousUntil: new Date(own.now.getTime() + 24 * hour).toISOString(),
  })
}

/** A setting as a person finds it. */
const nameOf = ({ group, field }: Setting<unknown>): string => `${'name' in group ? String(group.name) : ''}.${field}`

const mustBeSound = ({ platform: { registry } }: Service, all: readonly Declared[]): void => {
  const { checkFilter } = liveParts(registry.resource(webhooks))
  const faults = all.flatMap((declared): DefinitionFault[] => {
    const { name, module, resources, condition } = declared
    const at = (message: string): DefinitionFault => ({ module, message: `webhook '${name}': ${message}` })
    const unknown = resources.filter(one => {
      const resource = registry.published(one.name)
      return resource === null || resource.definition.inPerson
    })
    if (unknown.length > 0) return unknown.map(one => at(webhookFault('unknown_topic', { resource: one.name }).message))
    const [resource] = resources
    if (condition === undefined || !resource) return []
    return checkFilter(resource.name, condition, administrators).map(({ message }) => at(`the condition ${message}`))
  })
  if (faults.length > 0) throw new DefinitionError(faults)
}

/** By Standard Webhooks: from 24 to 64 bytes. */
const secretPattern = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/

const mustBeConfigured = ({ config }: Service, targets: readonly Target[]): void => {
  const at = (setting: Setting<unknown>, message: string): ConfigFault => {
    const name = nameOf(setting)
    return { name, where: config.all().find(one => one.name === name)?.where ?? 'default', message }
  }
  const faults = targets.flatMap(({ declared, url, secret }) => {
    if (url === '') return []
    const address = addressFault(url, config.get(webhookSettings))
    return [
      ...(address ? [at(declared.address, `${address.message}, for the webhook '${declared.name}'`)] : []),
      ...(secretPattern.test(secret)
        ? []
        : [
            at(
              declared.secret,
              `must be whsec_ and the base64 of 24 to 64 bytes, for the webhook '${declared.name}'; \`openssl rand -base64 32\` makes them`,
            ),
          ]),
    ]
  })
  if (faults.length > 0) throw new ConfigError(faults)
}
