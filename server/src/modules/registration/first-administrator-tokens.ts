// A fresh installation has no user, and no password that everybody knows. Its start prints a link that makes the first
// administrator, once.

import { createHash, randomBytes } from 'node:crypto'
import { assigned, defineResource } from '../../core/model/define.ts'
import { timestamp } from '../../core/model/fields.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsIn } from '../../core/records/records.ts'
import { expires } from '../../core/rest/sweeps.ts'
import { roles } from '../people/index.ts'

/** The pk is the SHA-256 of the token. */
export const firstAdministratorTokens = defineResource('firstAdministratorTokens', {
  about: 'Links that make the first administrator.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { expires: timestamp({ required: true, indexed: true }) },
  access: {},
})

const lifetime = 24 * 3600_000

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export const issueFirstToken = async (tx: Transaction, now: Date): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const expires = new Date(now.getTime() + lifetime).toISOString()
  await recordsIn(tx).create(firstAdministratorTokens, { pk: hashOf(token), expires })
  return token
}

export const isFirstToken = async (reader: Reader, token: string, now: Date): Promise<boolean> => {
  const kept = await readerOf(reader).first(firstAdministratorTokens, { pk: hashOf(token) })
  return kept !== null && kept.expires > now.toISOString()
}

/** All of them are used up by the first that is used. */
export const endFirstTokens = async (tx: Transaction): Promise<void> => {
  await recordsIn(tx).removeWhere(firstAdministratorTokens, {})
}

export const hasAdministrator = async (reader: Reader): Promise<boolean> => {
  const role = await readerOf(reader).first(roles, { name: 'ROLE_ADMIN' })
  const members = reader.resource(roles).members.get('members')
  return role !== null && members !== undefined && (await reader.pairs(members, [role.pk], { limit: 1 })).length > 0
}

export const sweepFirstTokens = expires(firstAdministratorTokens, ({ now }) => ({ expires: { le: now } }))
