import { fault } from '../../core/fault.ts'
import { type Change, defineResource, type Hooks, sharedWith } from '../../core/model/define.ts'
import { ref } from '../../core/model/fields.ts'
import { listOf, structure } from '../../core/model/structures.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { ownOrManaged } from './access.ts'
import { addressParts, cellphoneParts, emailParts } from './parts.ts'
import { checkEmail, followEmail } from './primary-email.ts'

interface Address {
  readonly postCode: string | null
}

/** Parts of a structure are no columns, so that what they refer to exists is checked here. */
const checkPostalCodes = async ({ values }: Change, tx: Transaction): Promise<void> => {
  for (const member of ['primaryAddress', 'addresses']) {
    const given = values[member] ?? []
    for (const { postCode } of (Array.isArray(given) ? given : [given]) as readonly Address[]) {
      if (postCode === null || (await tx.get(tx.resource('postalCodes'), postCode))) continue
      const reason = fault('missing', { resource: 'postalCodes' })
      throw new Problem('unprocessable', { errors: [{ pointer: `/${member}`, member, ...reason }] })
    }
  }
}

const hooks: Hooks = {
  before: async (change, tx) => {
    await checkPostalCodes(change, tx)
    await checkEmail(change, tx)
  },
  after: followEmail,
}

export const contactDetails = defineResource('contactDetails', {
  about: 'How to reach a user.',
  singular: 'contactDetails',
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade' }),
    primaryEmail: structure(emailParts, {
      identity: 'value',
      title: 'E-mail',
      about:
        'Opens the account once it is confirmed. A confirmed one is replaced by confirming another; only administrators remove it, and only they change that of a registration that is not confirmed yet. For a user with a role that the caller lacks it is not to be written.',
    }),
    primaryCellphone: structure(cellphoneParts, { identity: 'value', title: 'Cellphone' }),
    primaryAddress: structure(addressParts, { identity: 'value', title: 'Address' }),
    emails: listOf(emailParts, { identity: 'value', title: 'Further e-mail addresses' }),
    cellphones: listOf(cellphoneParts, { identity: 'value', title: 'Further cellphones' }),
    addresses: listOf(addressParts, { identity: 'value', title: 'Further addresses' }),
  },
  hooks,
  access: ownOrManaged,
})
