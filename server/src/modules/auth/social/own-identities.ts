// The services at which a user signs in, for that user to look at and to take away.

import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import { maskEmail } from '../../mail/index.ts'
import { secrets } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import { type ExternalIdentity, externalIdentities, identitiesOf } from './external-identities.ts'
import type { Provider } from './providers.ts'

/** By the issuer, since the names of providers are the configuration's. None: nobody comes in by it at present. */
const providerOf = (providers: readonly Provider[], { issuer }: ExternalIdentity): Provider | null => {
  const { href } = new URL(issuer)
  return providers.find(provider => provider.issuer.href === href) ?? null
}

export const listIdentities =
  (providers: readonly Provider[]) =>
  async ({ caller, platform }: Context): Promise<Answer> => {
    if (caller.pk === null) throw new Problem('unauthorized')
    const entries = (await identitiesOf(platform.store, caller.pk)).map(identity => toShown(identity, providers))
    return { kind: 'list', names: { list: 'identities', entry: 'identity' }, entries }
  }

const toShown = (identity: ExternalIdentity, providers: readonly Provider[]) => {
  const provider = providerOf(providers, identity)
  return {
    id: identity.pk,
    provider: provider?.name ?? null,
    label: provider?.label ?? new URL(identity.issuer).host,
    email: identity.email,
    created: identity.created,
    lastUsed: identity.lastUsed,
  }
}

export const removeIdentity =
  (providers: readonly Provider[]) =>
  async ({ caller, platform }: Context, { request }: Task): Promise<Answer> => {
    const { pk: userPk, username } = caller
    if (userPk === null) throw new Problem('unauthorized')
    await platform.store.transaction(async tx => {
      // Held: of two that are removed at once, the second is found to be the last.
      const kept = await recordsIn(tx).lock(secrets, userPk)
      const own = await identitiesOf(tx, userPk)
      const identity = own.find(({ pk }) => pk === request.params.id)
      if (!identity) throw new Problem('not_found')
      const isWayIn = (other: ExternalIdentity) => other !== identity && providerOf(providers, other) !== null
      if (!kept?.passwordHash && !own.some(isWayIn))
        throw new Problem('conflict', 'It is the only way into the account: choose a password first.')
      await recordsIn(tx).remove(externalIdentities, identity.pk)
      const { email } = identity
      const data = {
        provider: providerOf(providers, identity)?.name ?? identity.issuer,
        ...(email !== null && { email: maskEmail(email) }),
        address: request.remoteAddress,
      }
      await authAudit.record(tx, { type: 'IDENTITY_REMOVED', principal: username, data, now: platform.clock() })
    })
    return { kind: 'nothing', status: 204 }
  }
