// Who a user is elsewhere. The issuer and the subject together name a person for good; an e-mail address does not
// (OpenID Connect Core 1.0, section 5.7).

import { createHash } from 'node:crypto'
import { assigned, defineResource } from '../../../core/model/define.ts'
import { ref, text, timestamp } from '../../../core/model/fields.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Reader, Transaction } from '../../../core/model/transaction.ts'
import { readerOf } from '../../../core/records/reader.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { emailHashOf } from '../../mail/index.ts'
import { authAudit } from '../audit.ts'
import type { Revocation } from '../revoke.ts'
import type { ProviderClaims } from './provider-client.ts'

/** The pk is a hash of issuer and subject: of two who come at once as the same person, one is new. */
export const externalIdentities = defineResource('externalIdentities', {
  about: 'Who users are at other services.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', bare: true }),
    issuer: text({ required: true, max: 1000 }),
    subject: text({ required: true, max: 1000 }),
    /** The address for which the provider vouched at the last sign-in. */
    email: text({ max: 254 }),
    created: timestamp({ required: true }),
    lastUsed: timestamp({ required: true }),
  },
  access: {},
})

export const identityPkOf = ({ issuer, subject }: Pick<ProviderClaims, 'issuer' | 'subject'>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')

export type ExternalIdentity = Row<typeof externalIdentities>

export const identitiesOf = (reader: Reader, userPk: string): Promise<readonly ExternalIdentity[]> =>
  readerOf(reader).find(externalIdentities, { where: { user: userPk } })

export const revokeIdentities = async (
  tx: Transaction,
  { userPk, mailbox, principal, data, now }: Revocation,
): Promise<void> => {
  const isOwners = ({ email }: ExternalIdentity): boolean =>
    email !== null && mailbox !== undefined && emailHashOf(email) === emailHashOf(mailbox)
  const over = (await identitiesOf(tx, userPk)).filter(identity => !isOwners(identity))
  if (over.length === 0) return
  await recordsIn(tx).removeWhere(externalIdentities, { pk: { in: over.map(({ pk }) => pk) } })
  await authAudit.record(tx, {
    type: 'IDENTITY_REMOVED',
    principal,
    data: { ...data, count: String(over.length) },
    now,
  })
}
