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
  about: 'Registration codes that were made together.',
  singular: 'registrationCodeBatch',
  label: 'name',
  stamps: 'people',
  fields: {
    name: text({ required: true, max: 100, unique: true, fixed: true }),
    description: text({ max: 1000 }),
    batchSize: integer({ required: true, min: 1, max: 1000, fixed: true, about: 'How many codes are made.' }),
    available: counted('codes', { where: { member: 'available', equals: true }, about: 'How many were not used yet.' }),
    expirationDate: timestamp({ about: 'From then on the codes are refused.' }),
    codes: many('userRegistrationCodes', { by: 'batch', title: 'Codes' }),
  },
  hooks,
  access: {
    read: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
    write: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
  },
})
