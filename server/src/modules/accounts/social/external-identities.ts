// Who a user is elsewhere. The issuer and the subject together name a person for good; an e-mail address does not
// (OpenID Connect Core 1.0, section 5.7).

import { createHash } from 'node:crypto'
import { assigned, defineResource } from '../../../core/model/define.ts'
import { ref, text, timestamp } from '../../../core/model/fields.ts'
import { where } from '../../../core/model/query.ts'
import type { Reader } from '../../../core/model/transaction.ts'
import type { Claims } from './provider-client.ts'

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
    created: timestamp({ required: true }),
    lastUsed: timestamp({ required: true }),
  },
  access: {},
})

/** Does another service open the account of this user? */
export const isKnownElsewhere = async (reader: Reader, user: string): Promise<boolean> => {
  const identities = reader.resource(externalIdentities.name)
  return (await reader.count(identities, where(identities, { user }))) > 0
}

export const identityPkOf = ({ issuer, subject }: Pick<Claims, 'issuer' | 'subject'>): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
