// The users of demo mode. Their passwords are their names, so outside demo mode these passwords are refused.

import { appSettings } from '../../core/config/service-settings.ts'
import type { RecordReader } from '../../core/model/records.ts'
import type { Seed } from '../../core/module.ts'
import type { Service } from '../../core/service.ts'
import { createUser } from './create-user.ts'
import { confirmAddress } from './email-confirmation.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { secrets } from './secrets.ts'

const pk = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`

/** The password of each is the username. */
const demoUsers = [
  { pk: pk(1), username: 'admin', firstName: 'Ada', lastName: 'Minster', roles: ['ROLE_ADMIN', 'ROLE_USER'] },
  {
    pk: pk(2),
    username: 'operator',
    firstName: 'Otto',
    lastName: 'Perron',
    roles: ['ROLE_SITE_OPERATOR', 'ROLE_USER'],
  },
  { pk: pk(3), username: 'staff', firstName: 'Stella', lastName: 'Affleck', roles: ['ROLE_STAFF', 'ROLE_USER'] },
  { pk: pk(4), username: 'client', firstName: 'Clive', lastName: 'Entwhistle', roles: ['ROLE_USER'] },
  { pk: pk(5), username: 'simple', firstName: 'Simone', lastName: 'Plesk', roles: ['ROLE_USER'] },
]

export const demoUsersSeed: Seed = {
  name: 'accounts.demoUsers',
  demo: true,
  run: async ({ records, now }) => {
    const hashes = await Promise.all(demoUsers.map(({ username }) => hashPassword(username)))
    for (const [at, user] of demoUsers.entries()) {
      const email = `${user.username}@plinth.example`
      await createUser(records, { ...user, email, passwordHash: hashes[at] ?? null, active: true }, now)
      await confirmAddress(records, { user: user.pk, email }, now)
    }
  },
}

/** The names of the demo users who can still sign in with their demo passwords. */
export const findDemoPasswords = async (records: RecordReader): Promise<readonly string[]> => {
  const stored = await records.find(secrets, { where: { pk: { in: demoUsers.map(({ pk }) => pk) }, active: true } })
  const names = demoUsers.map(async ({ pk, username }) => {
    const kept = stored.find(one => one.pk === pk)?.passwordHash ?? null
    return kept !== null && (await verifyPassword(kept, username)) ? [username] : []
  })
  return (await Promise.all(names)).flat()
}

/** Is this the demo password of the user? Everyone knows it. */
export const isDemoPassword = (userPk: string, password: string): boolean =>
  demoUsers.some(({ pk, username }) => pk === userPk && username === password)

/** Demo data may be left when demo mode is turned off. */
export const warnOfDemoPasswords = async ({ platform, config }: Service): Promise<readonly string[]> => {
  if (config.get(appSettings).demo) return []
  const names = await findDemoPasswords(platform.records)
  if (names.length === 0) return []
  return [
    'Warning: demo mode is off. These users still have demo passwords and cannot sign in with them:',
    `  ${names.join(', ')}`,
    '  Use another data folder or database, or delete these users, or run `plinth admin reset-password <username>`.',
  ]
}
