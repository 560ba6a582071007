// Registration codes, and the batches in which they are made.

import { defineResource, type Hooks, unguessable } from '../../../core/model/define.ts'
import { boolean, counted, integer, many, ref, text, timestamp } from '../../../core/model/fields.ts'

/** The pk is the code itself. */
export const userRegistrationCodes = defineResource('userRegistrationCodes', {
  title: { de: 'Registrierungscodes' },
  singularTitle: { de: 'Registrierungscode' },
  about: {
    en: 'Codes, each of which lets one person register.',
    de: 'Codes, mit denen sich je eine Person registrieren kann.',
  },
  identifier: unguessable(),
  fields: {
    available: boolean({
      serverOwned: true,
      default: true,
      about: { en: 'Is it still unused?', de: 'Noch unbenutzt?' },
      title: { de: 'Verfügbar' },
    }),
    batch: ref('registrationCodeBatches', { required: true, fixed: true, title: { de: 'Stapel' } }),
    credentials: ref('userCredentials', { serverOwned: true, onDelete: 'clear', title: { de: 'Zugangsdaten' } }),
  },
  access: { read: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

/** A batch is made with its codes, and takes with it those that nobody has used. */
const hooks: Hooks = {
  on: ['create', 'delete'],
  before: async ({ kind, pk, records }) => {
    if (kind === 'delete') await records.asService.removeWhere(userRegistrationCodes, { batch: pk, available: true })
  },
  after: async ({ kind, pk, values, records }) => {
    if (kind !== 'create') return
    const codes = Array.from({ length: Number(values.batchSize) }, () => ({ batch: pk }))
    await records.asService.createAll(userRegistrationCodes, codes)
  },
}

export const registrationCodeBatches = defineResource('registrationCodeBatches', {
  title: { de: 'Stapel von Registrierungscodes' },
  singularTitle: { de: 'Stapel von Registrierungscodes' },
  about: { en: 'Registration codes that were made together.', de: 'Registrierungscodes, die zusammen erzeugt wurden.' },
  singular: 'registrationCodeBatch',
  label: 'name',
  stamps: 'people',
  fields: {
    name: text({ required: true, max: 100, unique: true, fixed: true, title: { de: 'Name' } }),
    description: text({ max: 1000, title: { de: 'Beschreibung' } }),
    batchSize: integer({
      required: true,
      min: 1,
      max: 1000,
      fixed: true,
      about: { en: 'How many codes are made.', de: 'Wie viele Codes erzeugt werden.' },
      title: { de: 'Anzahl' },
    }),
    available: counted('codes', {
      where: { member: 'available', equals: true },
      about: { en: 'How many were not used yet.', de: 'Wie viele noch unbenutzt sind.' },
      title: { de: 'Verfügbar' },
    }),
    expirationDate: timestamp({
      about: { en: 'From then on the codes are refused.', de: 'Ab diesem Zeitpunkt gelten die Codes nicht mehr.' },
      title: { de: 'Läuft ab am' },
    }),
    codes: many('userRegistrationCodes', { by: 'batch', title: { en: 'Codes', de: 'Codes' } }),
  },
  hooks,
  access: {
    read: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
    write: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
  },
})
