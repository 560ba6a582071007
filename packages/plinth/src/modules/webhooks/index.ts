import { switchedBy } from '../../core/config/features.ts'
import { startPolling } from '../../core/jobs/poll.ts'
import { defineModule } from '../../core/module.ts'
import type { Service } from '../../core/service.ts'
import { keepDeclared } from './declared.ts'
import { deliverySweep, dispatcherStates, webhookDeliveries } from './deliveries.ts'
import { Dispatcher } from './dispatcher.ts'
import { createConditionWatch } from './fan-out.ts'
import { prepareLiveParts } from './live-parts.ts'
import { webhookAddress } from './mails.ts'
import { redeliver } from './redeliver.ts'
import { rotateSecret } from './rotate-secret.ts'
import { webhookSettings } from './settings.ts'
import { testDelivery } from './test-delivery.ts'
import { webhookAudit, webhookFault, webhookSecrets, webhooks } from './webhooks.ts'

export { disableWebhooks } from './disable.ts'
export { webhookAddress } from './mails.ts'

export const webhooksModule = defineModule({
  name: 'webhooks',
  title: { de: 'Webhooks' },
  about: {
    en: 'Changes of records, sent to addresses that users choose.',
    de: 'Änderungen von Datensätzen, gesendet an Adressen nach Wahl.',
  },
  faults: webhookFault.table,
  settings: [webhookSettings],
  features: [switchedBy('webhooks', webhookSettings, 'enabled')],
  auditTypes: webhookAudit.types,
  mails: [webhookAddress],
  resources: [webhooks, webhookSecrets, webhookDeliveries, dispatcherStates],
  endpoints: service => [testDelivery(service), rotateSecret(service), redeliver],
  configure: (_, modules) => ({
    check: async service => {
      await prepareLiveParts(service, service.platform.registry.resource(webhooks))
      await keepDeclared(service, modules)
      if (service.config.get(webhookSettings).enabled) await createConditionWatch(service)()
    },
  }),
  sweeps: [deliverySweep],
  start: async service => (service.config.get(webhookSettings).enabled ? startDelivering(service) : async () => {}),
})

const everyMs = 500
/** How long it takes at most until changes that this instance writes can be judged by the conditions of new webhooks of others. */
const conditionsMs = 5000

const startDelivering = (service: Service): (() => Promise<void>) => {
  const dispatcher = new Dispatcher(service)
  const watchConditions = createConditionWatch(service)
  const stops = [
    startPolling(service, { name: 'delivering webhooks', everyMs, run: (_, signal) => dispatcher.run(signal) }),
    startPolling(service, {
      name: 'reading the conditions of webhooks',
      everyMs: conditionsMs,
      run: watchConditions,
    }),
  ]
  return async () => {
    for (const stop of stops) await stop()
    await dispatcher.idle()
  }
}
