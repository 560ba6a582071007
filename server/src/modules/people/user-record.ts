// The user record that every way of signing in answers with.

import { uuidSchema } from '../../core/model/identifiers.ts'
import type { JsonMembers, JsonSchema } from '../../core/model/json.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { roleNamesOf } from './roles.ts'
import { userCredentials } from './user-credentials.ts'
import { type User, users } from './users.ts'

export const userRecordOf = async (reader: Reader, userPk: string): Promise<JsonMembers> => {
  const records = readerOf(reader)
  const user = await records.first(users, { pk: userPk })
  if (!user) throw new Problem('unauthorized')
  const credentials = await records.first(userCredentials, { pk: userPk })
  return { ...toUserRecord(user), lastPassWordChangeDate: credentials?.lastPassWordChangeDate ?? null }
}

const toUserRecord = (user: User): JsonMembers => {
  const { pk, username, emailHash, firstName, lastName, name, avatarUrl, locale, active, metadata } = user
  const roles = roleNamesOf(user)
  return {
    ...{ pk, username, lastPassWordChangeDate: null, emailHash, firstName, lastName },
    roles: roles.map(authority => ({ authority })),
    ...{ name, avatarUrl, locale, active },
    metadata: metadata ?? {},
    admin: roles.includes('ROLE_ADMIN'),
    siteAdmin: roles.includes('ROLE_SITE_OPERATOR'),
    stompSessionCount: user.stompSessionCount,
  }
}

const text: JsonSchema = { type: 'string' }
const nullableText: JsonSchema = { type: ['string', 'null'] }

export const userRecordSchema: JsonSchema = {
  type: 'object',
  description: 'The user, as every way of signing in answers.',
  properties: {
    pk: uuidSchema,
    username: text,
    lastPassWordChangeDate: { type: ['string', 'null'], format: 'date-time' },
    emailHash: nullableText,
    firstName: nullableText,
    lastName: nullableText,
    roles: { type: 'array', items: { type: 'object', properties: { authority: text }, required: ['authority'] } },
    name: nullableText,
    avatarUrl: nullableText,
    locale: nullableText,
    active: { type: 'boolean' },
    metadata: { type: 'object', additionalProperties: text },
    admin: { type: 'boolean' },
    siteAdmin: { type: 'boolean' },
    stompSessionCount: { type: 'integer', minimum: 0 },
  },
  required: ['pk', 'username', 'roles', 'active'],
}
