// From the claims of a provider to a user.
//
// A known identity belongs to its user. A new one is linked to the account whose confirmed address is the verified address of
// the identity. An account with an unconfirmed address is never linked: its user might not own the mailbox.

import type { Request } from '../../../core/http/exchange.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { Problem } from '../../../core/problem.ts'
import { isEmail } from '../../mail/index.ts'
import { findSecrets, type Secrets, secrets, usernameOf, users } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { authAudit } from '../problems.ts'
import { externalIdentities, identityPkOf } from './identities.ts'
import type { ProviderClaims } from './provider-client.ts'

/** Someone whom a provider has authenticated. */
export interface SocialArrival {
  readonly claims: ProviderClaims
  readonly provider: string
  readonly request: Request
}

/** Someone whom the provider knows, and this service does not. */
export interface Newcomer extends SocialArrival {
  /** The provider has verified it. */
  readonly email: string
}

/** Creates the account; null when strangers cannot register. The module `registration` stands above and provides it. */
export type RegisterNewcomer = (
  auth: AuthContext,
  records: TransactionRecords,
  newcomer: Newcomer,
) => Promise<Secrets | null>

/** Why someone whom the provider knows is refused. */
export type LinkRefusal = 'inactive' | 'email' | 'closed'

/** The row of `secrets` of the user, or why there is none. */
export const findOrRegister = async (
  auth: AuthContext,
  arrival: SocialArrival,
  register: RegisterNewcomer,
): Promise<Secrets | LinkRefusal> => {
  const attempt = () => auth.platform.records.transaction(records => find(auth, records, { ...arrival, register }))
  try {
    return await attempt()
  } catch (error) {
    // The same person came twice at the same time, and is registered by now.
    if (error instanceof Problem && error.code === 'taken') return attempt()
    throw error
  }
}

const find = async (
  auth: AuthContext,
  records: TransactionRecords,
  { register, ...arrival }: SocialArrival & { readonly register: RegisterNewcomer },
): Promise<Secrets | LinkRefusal> => {
  const { claims } = arrival
  const now = auth.platform.clock()
  const identity = await records.lock(externalIdentities, identityPkOf(claims))
  const email = claims.email !== null && isEmail(claims.email) ? claims.email : null
  if (identity) {
    await records.update(externalIdentities, identity.pk, { email, lastUsed: now.toISOString() })
    return activeOnly(await records.first(secrets, { where: { pk: identity.user.pk } }))
  }
  if (email === null) return 'email'
  const owner = await lockOwner(records, email)
  if (owner && !owner.active) return 'inactive'
  const found = owner ?? (await register(auth, records, { ...arrival, email }))
  if (!found) return 'closed'
  await link(records, { ...arrival, found, email }, now)
  return found
}

/** Locked until the identity is linked, so that the address cannot be removed from the account in between. */
const lockOwner = async (records: TransactionRecords, email: string): Promise<Secrets | null> => {
  const found = await findSecrets(records, email)
  if (!found) return null
  await records.lock(users, found.pk)
  await records.lock(secrets, found.pk)
  return findSecrets(records, email)
}

const activeOnly = (found: Secrets | null): Secrets | LinkRefusal => (found?.active ? found : 'inactive')

const link = async (
  records: TransactionRecords,
  { claims, provider, request, found, email }: Newcomer & { readonly found: Secrets },
  now: Date,
): Promise<void> => {
  const date = now.toISOString()
  await records.create(externalIdentities, {
    pk: identityPkOf(claims),
    user: found.pk,
    issuer: claims.issuer,
    subject: claims.subject,
    email,
    created: date,
    lastUsed: date,
  })
  const data = { provider, address: request.remoteAddress }
  await authAudit.record(records, { type: 'IDENTITY_LINKED', principal: usernameOf(found), data, now })
}
