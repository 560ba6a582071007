// What follows when contact details change.

import { fault } from '../../core/fault.ts'
import type { Change, Hooks } from '../../core/model/define.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
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

export const contactHooks: Hooks = {
  before: async (change, tx) => {
    await checkPostalCodes(change, tx)
    if (!change.isService) await checkEmail(change, tx)
  },
  after: async (change, tx) => {
    // Code that enters an address asks for its confirmation itself.
    if (!change.isService) await followEmail(change, tx)
  },
}
