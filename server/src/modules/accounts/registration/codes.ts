import { defineResource, unguessable } from '../../../core/model/define.ts'
import { boolean, ref } from '../../../core/model/fields.ts'
import { everything, where } from '../../../core/model/query.ts'
import type { Link } from '../../../core/model/record.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { accountFault } from '../faults.ts'

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
      about: { en: 'Has nobody used it yet?', de: 'Noch unbenutzt?' },
      title: { de: 'Verfügbar' },
    }),
    batch: ref('registrationCodeBatches', { required: true, fixed: true, title: { de: 'Stapel' } }),
    credentials: ref('userCredentials', { serverOwned: true, onDelete: 'clear', title: { de: 'Zugangsdaten' } }),
  },
  access: { read: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Used, unknown and expired codes are refused alike: a guesser learns nothing. */
const refused = (): Problem =>
  new Problem('unprocessable', {
    detail: 'The registration code is not good.',
    errors: [{ pointer: '/registrationCode', member: 'registrationCode', ...accountFault('wrong_code') }],
  })

/** Gives the code to a user who is being registered. Held until the transaction ends: of many at once, one gets it. */
export const spendCode = async (
  tx: Transaction,
  { code, user }: { readonly code: string; readonly user: string },
  now: Date,
): Promise<void> => {
  const codes = tx.resource(userRegistrationCodes.name)
  const pk = code.trim().toLowerCase()
  const held = uuid.test(pk) ? await tx.lock(codes, pk) : null
  if (!held?.available) throw refused()
  const batch = await tx.get(tx.resource('registrationCodeBatches'), (held.batch as Link).pk)
  if (batch?.expirationDate && Date.parse(String(batch.expirationDate)) <= now.getTime()) throw refused()
  await tx.update(codes, pk, { available: false, credentials: user, lastModifiedDate: now.toISOString() })
}

/** The registration came to nothing: its code can be used again. */
export const freeCode = async (tx: Transaction, user: string, now: Date): Promise<void> => {
  const codes = tx.resource(userRegistrationCodes.name)
  const { records } = await tx.find(codes, everything(codes, where(codes, { credentials: user })))
  for (const { pk } of records) {
    await tx.update(codes, pk, { available: true, credentials: null, lastModifiedDate: now.toISOString() })
  }
}
