// Identities of users at other services. Issuer and subject together identify a person for good; an e-mail address does not
// (OpenID Connect Core 1.0, section 5.7).

import { sha256Of } from '../../../core/digest.ts'
import { defineResource } from '../../../core/model/define.ts'
import { ref, text, timestamp } from '../../../core/model/fields.ts'
import { assigned } from '../../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../../core/model/records.ts'
import type { Row } from '../../../core/model/row.ts'
import { defineShape, manyOf } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { isSameMailbox, maskEmail } from '../../mail/index.ts'
import { secrets } from '../../people/index.ts'
import { authAudit } from '../problems.ts'
import type { Revocation } from '../revocation.ts'
import type { ProviderClaims } from './provider-client.ts'
import type { Provider } from './providers.ts'

/** The pk is a hash of issuer and subject: of two concurrent first sign-ins, one creates the row. */
export const externalIdentities = defineResource('externalIdentities', {
  about: 'Identities of users at other services.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    issuer: text({ required: true, max: 1000 }),
    subject: text({ required: true, max: 1000 }),
    /** The address that the provider had verified at the last sign-in. */
    email: text({ max: 254 }),
    created: timestamp({ required: true }),
    lastUsed: timestamp({ required: true }),
  },
  access: {},
})

export const identityPkOf = ({ issuer, subject }: Pick<ProviderClaims, 'issuer' | 'subject'>): string =>
  sha256Of(JSON.stringify([issuer, subject]))

export type ExternalIdentity = Row<typeof externalIdentities>

export const identitiesOf = (records: RecordReader, userPk: string): Promise<readonly ExternalIdentity[]> =>
  records.find(externalIdentities, { where: { user: userPk } })

export const revokeIdentities = async (
  records: TransactionRecords,
  { userPk, mailbox, principal, data, now }: Revocation,
): Promise<void> => {
  const isOwn = ({ email }: ExternalIdentity): boolean =>
    email !== null && mailbox !== undefined && isSameMailbox(email, mailbox)
  const revoked = (await identitiesOf(records, userPk)).filter(identity => !isOwn(identity))
  if (revoked.length === 0) return
  await records.removeMany(externalIdentities, { where: { pk: { in: revoked.map(({ pk }) => pk) } } })
  await authAudit.record(records, {
    type: 'IDENTITY_REMOVED',
    principal,
    data: { ...data, count: revoked.length },
    now,
  })
}

/**
 * Finds the provider by the issuer, since names of providers are part of the configuration. Null for one that is not
 * configured.
 */
const providerOf = (providers: readonly Provider[], { issuer }: ExternalIdentity): Provider | null => {
  const { href } = new URL(issuer)
  return providers.find(provider => provider.issuer.href === href) ?? null
}

const must = { required: true } as const

const identityShape = defineShape(
  'ExternalIdentity',
  {
    id: text(must),
    provider: text({ about: 'Null for a provider that is no longer configured.' }),
    label: text(must),
    email: text({ about: 'The verified address at the last sign-in.' }),
    created: timestamp(must),
    lastUsed: timestamp(must),
  },
  { element: 'identity' },
)

export const listIdentities = (providers: readonly Provider[]) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/auth/identities',
    id: 'listIdentities',
    summary: 'List your identities at providers',
    access: 'caller.signedIn',
    holdsSecrets: true,
    answers: { 200: { about: 'The identities.', value: manyOf(identityShape, 'identities') } },
    problems: [401, 406, 503],
    run: async ({ context: { platform }, caller }) =>
      (await identitiesOf(platform.records, caller.pk ?? '')).map(identity => toEntry(identity, providers)),
  })

const toEntry = (identity: ExternalIdentity, providers: readonly Provider[]) => {
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

export const removeIdentity = (providers: readonly Provider[]) =>
  defineEndpoint({
    method: 'DELETE',
    path: '/api/auth/identities/{id}',
    id: 'removeIdentity',
    summary: 'Remove one of your identities',
    description: 'Refused for the last way to sign in: the account needs a password or another identity.',
    params: { id: 'The identity.' },
    access: 'caller.signedIn',
    requires: 'recentSignIn',
    holdsSecrets: true,
    answers: { 204: 'The identity is removed.' },
    problems: [401, 403, 404, 409, 503],
    run: async ({ records: ofCaller, caller, request }) => {
      const { pk: userPk, username } = caller
      if (userPk === null) throw new Problem('unauthorized')
      await ofCaller.transaction(async ({ asService: records, now }) => {
        // Locked: of two concurrent removals, the second finds that it is the last.
        const stored = await records.lock(secrets, userPk)
        const own = await identitiesOf(records, userPk)
        const identity = own.find(({ pk }) => pk === request.params.id)
        if (!identity) throw new Problem('not_found')
        const opensAccount = (other: ExternalIdentity) => other !== identity && providerOf(providers, other) !== null
        if (!stored?.passwordHash && !own.some(opensAccount))
          throw new Problem('conflict', {
            en: 'This is the only way to sign in to the account. Set a password first.',
            de: 'Das ist der einzige Weg, sich anzumelden. Legen Sie zuerst ein Passwort fest.',
          })
        await records.remove(externalIdentities, identity.pk)
        const { email } = identity
        const data = {
          provider: providerOf(providers, identity)?.name ?? identity.issuer,
          ...(email !== null && { email: maskEmail(email) }),
          address: request.remoteAddress,
        }
        await authAudit.record(records, { type: 'IDENTITY_REMOVED', principal: username, data, now })
      })
    },
  })
