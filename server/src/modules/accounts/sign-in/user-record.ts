// The user record that every way of signing in answers with.

import type { JsonMembers } from '../../../core/model/json.ts'
import type { Row } from '../../../core/model/row.ts'
import type { Reader } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { readerOf } from '../../../core/records/reader.ts'
import { roleNamesOf } from '../rights.ts'
import { userCredentials } from '../user-credentials.ts'
import { users } from '../users.ts'

export const userRecordOf = async (reader: Reader, userPk: string): Promise<JsonMembers> => {
  const records = readerOf(reader)
  const user = await records.first(users, { pk: userPk })
  if (!user) throw new Problem('unauthorized')
  const credentials = await records.first(userCredentials, { pk: userPk })
  return { ...toUserRecord(user), lastPassWordChangeDate: credentials?.lastPassWordChangeDate ?? null }
}

const toUserRecord = (user: Row<typeof users>): JsonMembers => {
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
