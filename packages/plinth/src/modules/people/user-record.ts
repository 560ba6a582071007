// The user record that every way of signing in answers with.

import { fault } from '../../core/fault.ts'
import { boolean, integer, map, text, timestamp } from '../../core/model/fields.ts'
import { uuid } from '../../core/model/identifiers.ts'
import { defineShape, list, object, type ShapeValue } from '../../core/model/shape.ts'
import type { Reader } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { roleNamesOf } from './roles.ts'
import { userCredentials } from './user-credentials.ts'
import { type User, users } from './users.ts'

const must = { required: true } as const

export const userRecord = defineShape(
  'UserRecord',
  {
    pk: text({ ...must, format: 'uuid', pattern: { is: uuid, says: fault('uuid') } }),
    username: text(must),
    lastPassWordChangeDate: timestamp(),
    emailHash: text(),
    firstName: text(),
    lastName: text(),
    roles: list(object({ authority: text(must) }), must),
    name: text(),
    avatarUrl: text(),
    locale: text(),
    active: boolean(must),
    metadata: map(must),
    admin: boolean(must),
    siteAdmin: boolean(must),
    stompSessionCount: integer({ ...must, min: 0 }),
  },
  { element: 'user', about: 'The signed-in user.' },
)

type UserRecord = ShapeValue<typeof userRecord.fields>

export const userRecordOf = async (reader: Reader, userPk: string): Promise<UserRecord> => {
  const records = readerOf(reader)
  const user = await records.first(users, { pk: userPk })
  if (!user) throw new Problem('unauthorized')
  const credentials = await records.first(userCredentials, { pk: userPk })
  return { ...toUserRecord(user), lastPassWordChangeDate: credentials?.lastPassWordChangeDate ?? null }
}

const toUserRecord = (user: User): UserRecord => {
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
