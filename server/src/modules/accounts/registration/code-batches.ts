import { randomUUID } from 'node:crypto'
import { defineResource, type Hooks } from '../../../core/model/define.ts'
import { counted, integer, many, text, timestamp } from '../../../core/model/fields.ts'
import { where } from '../../../core/model/query.ts'

/** A batch is made with its codes, and takes with it those that nobody has used. */
const hooks: Hooks = {
  before: async ({ kind, pk }, tx) => {
    if (kind !== 'delete') return
    const codes = tx.resource('userRegistrationCodes')
    await tx.removeWhere(codes, where(codes, { batch: pk, available: true }))
  },
  after: async ({ kind, pk, values, now }, tx) => {
    if (kind !== 'create') return
    const codes = tx.resource('userRegistrationCodes')
    const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
    for (let made = 0; made < Number(values.batchSize); made += 1) {
      await tx.insert(codes, randomUUID(), { batch: pk, available: true, ...stamps })
    }
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
