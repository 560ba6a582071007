// From what a provider vouches for to a user of ours.
//
// An identity that is known is its user. A new one joins the account whose own address is the verified address of the
// identity; an account that merely claims the address proves nothing, and is never joined: whoever made it might not be the
// owner of the mailbox. Registrations that wait for that proof are removed, since they cannot give it any more.

import type { Request } from '../../../core/http/exchange.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { recordAudit } from '../../audit/index.ts'
import { confirmAddress } from '../../contacts/index.ts'
import { isEmail } from '../../mail/index.ts'
import { createUser } from '../create-account.ts'
import { findSecrets, nameOf } from '../find-user.ts'
import { limitAddress } from '../registration/limits.ts'
import { inventName, localePattern } from '../registration/register.ts'
import { clearTheWay } from '../registration/turn-away.ts'
import { type Secrets, secrets } from '../secrets.ts'
import { users } from '../users.ts'
import { externalIdentities, identityPkOf } from './external-identities.ts'
import type { Claims } from './provider-client.ts'

export interface Arrival {
  readonly claims: Claims
  readonly provider: string
  readonly request: Request
  /** May strangers register without a code? */
  readonly isOpen: boolean
}

/** Why somebody whom the provider knows is not let in. */
export type Refusal = 'inactive' | 'email' | 'closed'

/** The row of `secrets` of the user, or why there is none. */
export const findOrRegister = async (platform: Platform, arrival: Arrival): Promise<Secrets | Refusal> => {
  const attempt = () => platform.store.transaction(tx => find(platform, tx, arrival))
  try {
    return await attempt()
  } catch (error) {
    // The same person came twice at once, and was registered meanwhile.
    if (error instanceof Problem && error.code === 'taken') return attempt()
    throw error
  }
}

const find = async (platform: Platform, tx: Transaction, arrival: Arrival): Promise<Secrets | Refusal> => {
  const { claims, isOpen } = arrival
  const now = platform.clock()
  const records = recordsIn(tx)
  const identity = await records.lock(externalIdentities, identityPkOf(claims))
  const email = claims.email !== null && isEmail(claims.email) ? claims.email : null
  if (identity) {
    await records.update(externalIdentities, identity.pk, { email, lastUsed: now.toISOString() })
    return activeOnly(await records.first(secrets, { pk: identity.user.pk }))
  }
  if (email === null) return 'email'
  const owner = await holdOwner(tx, email)
  if (owner && !owner.active) return 'inactive'
  if (!owner && !isOpen) return 'closed'
  const found = owner ?? (await register(platform, tx, { ...arrival, email }))
  await join(tx, { ...arrival, found, email }, now)
  return found
}

/** Until the identity is joined: whoever takes the address away meanwhile finds it, or has taken it away before. */
const holdOwner = async (tx: Transaction, email: string): Promise<Secrets | null> => {
  const found = await findSecrets(tx, email)
  if (!found) return null
  await recordsIn(tx).lock(users, found.pk)
  await recordsIn(tx).lock(secrets, found.pk)
  return findSecrets(tx, email)
}

const activeOnly = (found: Secrets | null): Secrets | Refusal => (found?.active ? found : 'inactive')

const join = async (
  tx: Transaction,
  { claims, provider, request, found, email }: Arrival & { readonly found: Secrets; readonly email: string },
  now: Date,
): Promise<void> => {
  const date = now.toISOString()
  await recordsIn(tx).create(externalIdentities, {
    pk: identityPkOf(claims),
    user: found.pk,
    issuer: claims.issuer,
    subject: claims.subject,
    email,
    created: date,
    lastUsed: date,
  })
  const data = { provider, address: request.remoteAddress }
  await recordAudit(tx, { type: 'IDENTITY_LINKED', principal: nameOf(found), data, now })
}

/** Without a password: the provider is the way in, until its owner asks for a new one by mail. */
const register = async (
  platform: Platform,
  tx: Transaction,
  { claims, email, provider, request }: Arrival & { readonly email: string },
): Promise<Secrets> => {
  await limitAddress({ platform, tx }, request.remoteAddress)
  const now = platform.clock()
  await clearTheWay(tx, { user: null, address: email, sender: request }, now)
  const { firstName, lastName, locale } = claims
  const username = inventName(email)
  const isLocale = locale !== null && locale.length <= 20 && localePattern.is.test(locale)
  const person = { username, email, firstName, lastName, ...(isLocale && { locale }) }
  const account = { ...person, passwordHash: null, roles: ['ROLE_USER'], active: true }
  const { pk } = await createUser(tx, account, now)
  await confirmAddress(tx, { user: pk, email }, now)
  await recordAudit(tx, {
    type: 'REGISTERED',
    principal: username,
    data: { provider, address: request.remoteAddress },
    now,
  })
  return recordsIn(tx).get(secrets, pk)
}
