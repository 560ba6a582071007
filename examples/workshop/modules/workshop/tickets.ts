// Tickets: a device that is to be repaired. The state machine and the number are declarations; no hook keeps them.

import { choice, date, defineResource, duration, image, longText, many, money, ref, sequence, setting } from 'plinth'
import { devices } from './devices.ts'
import { workshopSettings } from './settings.ts'
import { inShop, shops } from './shops.ts'

export const tickets = defineResource('tickets', {
  title: { de: 'Aufträge' },
  singularTitle: { de: 'Auftrag' },
  about: { en: 'Repairs, from the counter and back to it.', de: 'Reparaturen, von der Theke bis zur Theke.' },
  label: 'number',
  history: true,
  fields: {
    shop: ref(shops, { required: true, fixed: true, title: { de: 'Filiale' } }),
    number: sequence({ per: 'shop', format: '{yyyy}-{0000}', title: { de: 'Nummer' } }),
    device: ref(devices, { required: true, fixed: true, title: { de: 'Gerät' } }),
    damage: longText({ required: true, max: 4000, title: { de: 'Schaden' } }),
    state: choice(['received', 'repairing', 'ready', 'rejected', 'collected'], {
      transitions: {
        received: ['repairing', 'rejected'],
        repairing: ['ready', 'rejected'],
        ready: ['collected'],
        rejected: ['collected'],
      },
      labels: {
        received: { en: 'Received', de: 'Angenommen' },
        repairing: { en: 'In repair', de: 'In Arbeit' },
        ready: { en: 'Ready', de: 'Fertig' },
        rejected: { en: 'Not repaired', de: 'Nicht repariert' },
        collected: { en: 'Collected', de: 'Abgeholt' },
      },
      title: { en: 'State', de: 'Stand' },
    }),
    technician: ref('users', { title: { de: 'Techniker' } }),
    broughtOn: date({ required: true, title: { de: 'Gebracht am' } }),
    promisedFor: date({ title: { de: 'Versprochen für' } }),
    work: duration({ min: 'PT0S', max: 'PT100H', default: 'PT0S', title: { de: 'Arbeitszeit' } }),
    estimate: money({ min: 0, currency: setting(workshopSettings, 'currency'), title: { de: 'Kostenvoranschlag' } }),
    photos: image({ several: true, most: 10, title: { en: 'Photos', de: 'Fotos' } }),
    parts: many('partUses', { by: 'ticket', title: { de: 'Teile' } }),
  },
  checks: {
    dates: {
      rule: 'record.promisedFor == null || record.broughtOn <= record.promisedFor',
      message: {
        en: 'must not be before the device is brought',
        de: 'Das liegt vor dem Tag, an dem das Gerät gebracht wurde.',
      },
    },
  },
  access: inShop,
})
