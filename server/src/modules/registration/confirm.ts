// The token of a mail comes back without a password: the address is confirmed, and a new user can sign in from now on.

import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { Proof } from '../auth/index.ts'
import { emailHashOf, endTokens, maskEmail, type TokenBinding, useToken } from '../mail/index.ts'
import {
  activateUser,
  confirmAddress,
  contactDetails,
  isUnconfirmed,
  mailboxOf,
  secrets,
  userCredentials,
  users,
} from '../people/index.ts'
import { registrationAudit } from './audit.ts'
import { registrationFault } from './faults.ts'
import { removeRivals } from './unconfirmed.ts'

/** Used, expired, unknown and misused tokens are refused alike. */
export const badToken = (): Problem =>
  new Problem('unprocessable', {
    detail: 'The token is not good, or not any more.',
    errors: [{ pointer: '/resetPasswordToken', member: 'resetPasswordToken', ...registrationFault('expired_link') }],
  })

/**
 * Whoever entered the address need not be the user: where there is a way in already, a password or a mailbox, the address
 * takes the password, too. So it does where somebody has come in before, by a service that opens the account no more.
 */
export const takesPassword = async (reader: Reader, { purpose, user }: TokenBinding): Promise<boolean> => {
  if (purpose !== 'addressChange') return false
  const records = readerOf(reader)
  const kept = await records.first(secrets, { pk: user })
  if (kept?.passwordHash !== null || (await mailboxOf(reader, user)) !== null) return true
  return (await records.first(userCredentials, { pk: user }))?.lastLogin !== null
}

interface Confirmation {
  readonly token: string
  /** Whose token it is: the user's pk. */
  readonly user: string
  /** Of the password, where the address takes it. */
  readonly proof: Proof | null
}

export const confirm = async (
  tx: Transaction,
  { token, user, proof }: Confirmation,
  context: Context,
): Promise<void> => {
  const now = context.platform.clock()
  // Before its tokens, as whoever turns the user away or enters another address: so nobody waits in a ring.
  const records = recordsIn(tx)
  const credentials = await records.lock(userCredentials, user)
  await records.lock(contactDetails, user)
  await proof?.settle(tx)
  const binding = await useToken(tx, token, now)
  if (!binding || binding.purpose === 'passwordReset') throw badToken()
  // A way in that has come since the token was read.
  if (!proof && (await takesPassword(tx, binding))) throw badToken()
  const { address, purpose } = binding
  if (purpose === 'confirmation') {
    if (!isUnconfirmed(credentials) || !(await isRegistered(tx, binding))) throw badToken()
    await removeRivals(tx, { user, address, sender: context.sender }, now)
    await activateUser(tx, user, now)
  } else {
    // Links to the former mailbox open nothing any more.
    await endTokens(tx, user, 'passwordReset')
  }
  const former = await mailboxOf(tx, user)
  await confirmAddress(tx, { user, email: address }, now)
  await record(tx, { ...binding, former }, context)
}

/** Was the registration made with this address? Any other would be somebody else's way in. */
const isRegistered = async (tx: Transaction, { user, address }: TokenBinding): Promise<boolean> =>
  (await recordsIn(tx).first(users, { pk: user }))?.emailHash === emailHashOf(address)

/** By whoever is signed in, or else by the user: the token came from the user's mailbox. */
const record = async (
  tx: Transaction,
  { user, address, purpose, former }: TokenBinding & { readonly former: string | null },
  { caller, sender, platform }: Context,
): Promise<void> => {
  const { username } = await recordsIn(tx).get(users, user)
  const isAnother = caller.pk !== null && caller.pk !== user
  const data = {
    ...(isAnother && { user: username }),
    ...(former !== null && { former: maskEmail(former) }),
    email: maskEmail(address),
  }
  const type = purpose === 'confirmation' ? 'REGISTRATION_CONFIRMED' : 'EMAIL_CHANGED'
  const by = isAnother ? caller : { ...caller, username }
  await registrationAudit.recordChange(tx, { caller: by, sender, now: platform.clock() }, { type, data })
}
