// Deliveries: one for each change and webhook, waiting, delivered or failed. They hold no content of records.

import { expires } from '../../core/jobs/sweep.ts'
import { defineResource } from '../../core/model/define.ts'
import { choice, integer, ref, text, timestamp } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { Row } from '../../core/model/row.ts'
import { webhookSettings } from './settings.ts'

const serverOwned = { serverOwned: true } as const

export const webhookDeliveries = defineResource('webhookDeliveries', {
  title: { de: 'Webhook-Zustellungen' },
  singularTitle: { de: 'Webhook-Zustellung' },
  singular: 'webhookDelivery',
  about: {
    en: 'What was sent to webhooks, and how it went.',
    de: 'Was an Webhooks gesendet wurde und mit welchem Ergebnis.',
  },
  label: 'topic',
  inPerson: true,
  trash: false,
  fields: {
    webhook: ref('webhooks', { ...serverOwned, onDelete: 'cascade', title: { de: 'Webhook' } }),
    user: ref('users', { ...serverOwned, onDelete: 'cascade', title: { de: 'Person' } }),
    topic: text({
      ...serverOwned,
      max: 120,
      about: { en: 'Such as `films.updated`.', de: 'Zum Beispiel `films.updated`.' },
      title: { de: 'Thema' },
    }),
    resource: text({ ...serverOwned, max: 100, title: { de: 'Ressource' } }),
    record: text({
      ...serverOwned,
      max: 255,
      about: { en: 'The pk of the record.', de: 'Der pk des Datensatzes.' },
      title: { de: 'Datensatz' },
    }),
    change: choice(['created', 'updated', 'deleted'], {
      ...serverOwned,
      title: { de: 'Art' },
      labels: { created: { de: 'angelegt' }, updated: { de: 'geändert' }, deleted: { de: 'gelöscht' } },
    }),
    sequence: integer({
      ...serverOwned,
      about: { en: 'The place in the order of changes.', de: 'Der Platz in der Reihenfolge der Änderungen.' },
      title: { de: 'Folgenummer' },
    }),
    occurred: timestamp({ ...serverOwned, title: { de: 'Geschehen am' } }),
    state: choice(['waiting', 'delivered', 'failed'], {
      ...serverOwned,
      default: 'waiting',
      labels: { waiting: { de: 'wartet' }, delivered: { de: 'zugestellt' }, failed: { de: 'aufgegeben' } },
      title: { de: 'Zustand' },
    }),
    attempts: integer({ ...serverOwned, default: 0, title: { de: 'Versuche' } }),
    nextAttempt: timestamp({ ...serverOwned, title: { de: 'Nächster Versuch' } }),
    responseStatus: integer({
      ...serverOwned,
      about: { en: 'The last HTTP status of the receiver.', de: 'Der letzte HTTP-Status des Empfängers.' },
      title: { de: 'Antwortstatus' },
    }),
    lastError: text({ ...serverOwned, max: 200, title: { de: 'Letzter Fehler' } }),
    deliveredDate: timestamp({ ...serverOwned, title: { de: 'Zugestellt am' } }),
  },
  indexes: [['state', 'nextAttempt'], ['createdDate']],
  access: { read: "caller.signedIn && (record.user == caller.pk || caller.has('ROLE_ADMIN'))", write: 'false' },
})

export type WebhookDelivery = Row<typeof webhookDeliveries>

export const dispatcherStates = defineResource('webhookDispatchers', {
  about: 'Which instance delivers webhooks, and up to which change deliveries exist.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    position: integer({ required: true }),
    instance: text(),
    heldUntil: timestamp(),
  },
  access: {},
})

export const deliverySweep = expires(webhookDeliveries, ({ config, daysAgo }) => ({
  createdDate: { le: daysAgo(config.get(webhookSettings).keepDays) },
}))
