// A fresh installation has no user, and no password that everybody knows. Its start prints a link that makes the first
// administrator, once.

import { createHash, randomBytes } from 'node:crypto'
import { assigned, defineResource } from '../../../core/model/define.ts'
import { timestamp } from '../../../core/model/fields.ts'
import { everything, type Filter } from '../../../core/model/query.ts'
import type { Reader, Transaction } from '../../../core/model/transaction.ts'

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
  await tx.insert(tx.resource(firstAdministratorTokens.name), hashOf(token), { expires })
  return token
}

export const isFirstToken = async (reader: Reader, token: string, now: Date): Promise<boolean> => {
  const kept = await reader.get(reader.resource(firstAdministratorTokens.name), hashOf(token))
  return kept !== null && String(kept.expires) > now.toISOString()
}

/** All of them are used up by the first that is used. */
export const endFirstTokens = async (tx: Transaction): Promise<void> => {
  await tx.removeWhere(tx.resource(firstAdministratorTokens.name), { op: 'const', value: true })
}

export const hasAdministrator = async (reader: Reader): Promise<boolean> => {
  const users = reader.resource('users')
  const [roles, name] = [users.members.get('roles'), reader.resource('roles').members.get('name')]
  if (!roles?.target || !name) throw new Error('users have roles')
  const path = { steps: [{ relation: roles, target: roles.target, guard: null }], member: name }
  const administrators: Filter = { op: 'eq', path, value: 'ROLE_ADMIN' }
  return (await reader.find(users, everything(users, administrators, 1))).records.length > 0
}
