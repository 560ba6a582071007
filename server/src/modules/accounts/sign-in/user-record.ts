// The user record that every way of signing in answers with.

import type { JsonMembers } from '../../../core/model/json.ts'
import type { StoredRecord } from '../../../core/model/record.ts'
import type { Reader } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { roleNamesOf } from '../rights.ts'

export const userRecordOf = async (reader: Reader, userPk: string): Promise<JsonMembers> => {
  const user = await reader.get(reader.resource('users'), userPk)
  if (!user) throw new Problem('unauthorized')
  return toUserRecord(user, await reader.get(reader.resource('userCredentials'), userPk))
}

const toUserRecord = (user: StoredRecord, credentials: StoredRecord | null): JsonMembers => {
  const roles = roleNamesOf(user)
  return {
    pk: user.pk,
    username: text(user.username),
    lastPassWordChangeDate: text(credentials?.lastPassWordChangeDate),
    emailHash: text(user.emailHash),
    firstName: text(user.firstName),
    lastName: text(user.lastName),
    roles: roles.map(authority => ({ authority })),
    name: text(user.name),
    avatarUrl: text(user.avatarUrl),
    locale: text(user.locale),
    active: user.active === true,
    metadata: (user.metadata ?? {}) as Record<string, string>,
    admin: roles.includes('ROLE_ADMIN'),
    siteAdmin: roles.includes('ROLE_SITE_OPERATOR'),
    stompSessionCount: Number(user.stompSessionCount ?? 0),
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
