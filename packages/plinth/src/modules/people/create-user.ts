// Creates users with everything that belongs to one: credentials, secrets, contact and personal details. Also the roles and the
// demo users of the first start, and what a start warns of: demo passwords, and roles that do not exist.

import { appSettings } from '../../core/config/service-settings.ts'
import { didYouMean } from '../../core/model/definition-error.ts'
import type { RecordReader } from '../../core/model/records.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import type { Seed } from '../../core/module.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Service } from '../../core/rest/service.ts'
import { emailHashOf } from '../mail/index.ts'
import { contactDetails, personalDetails } from './contact-details.ts'
import { confirmAddress } from './email-confirmation.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { loginNameOf, secrets, userCredentials } from './user-credentials.ts'
import { roleNamesOf, roles, startingRoles, type User, users } from './users.ts'

export interface NewUser {
  readonly pk?: string
  readonly username: string
  /** Not confirmed yet. */
  readonly email: string | null
  readonly passwordHash: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly locale?: string
  /** Names such as ROLE_USER. */
  readonly roles: readonly string[]
  readonly active: boolean
}

/** For the service itself; administrators create users like any record. */
export const createUser = async (tx: Transaction, user: NewUser, now: Date): Promise<User> => {
  const { username, email, firstName, lastName, locale, active } = user
  const { pk } = await recordsIn(tx)
    .acting({ now })
    .create(users, {
      ...(user.pk !== undefined && { pk: user.pk }),
      ...{ username, firstName, lastName, locale, active },
      emailHash: email === null ? null : emailHashOf(email),
      roles: await rolePks(tx, user.roles),
    })
  return completeUser(tx, { ...user, pk }, now)
}

const rolePks = async (tx: Transaction, names: readonly string[]): Promise<string[]> => {
  const pks: string[] = []
  for (const name of names) {
    const role = await recordsIn(tx).first(roles, { name })
    if (!role) throw new Error(`there is no role '${name}'`)
    pks.push(role.pk)
  }
  return pks
}

export interface UserParts extends Pick<NewUser, 'email' | 'passwordHash' | 'active'> {
  readonly pk: string
}

/** Creates the records that belong to a new user. */
export const completeUser = async (
  tx: Transaction,
  { pk, email, passwordHash, active }: UserParts,
  now: Date,
): Promise<User> => {
  const records = recordsIn(tx).acting({ now })
  const user = await records.get(users, pk)
  await records.create(userCredentials, {
    user: pk,
    active,
    lastPassWordChangeDate: passwordHash === null ? null : now.toISOString(),
  })
  await records.create(secrets, {
    user: pk,
    loginName: loginNameOf(user.username),
    passwordHash,
    roles: roleNamesOf(user),
    active,
  })
  await records.create(contactDetails, { user: pk, primaryEmail: email === null ? null : { email } })
  await records.create(personalDetails, { user: pk })
  return user
}

// The roles that every installation has, and the users of the demo.

const rolePk = (name: string): string =>
  `00000000-0000-7000-9000-00000000000${Object.keys(startingRoles).indexOf(name) + 1}`

/** Databases keep the names of seeds, so these stay although the module has another name now. */
export const rolesSeed: Seed = {
  name: 'accounts.roles',
  run: async records => {
    for (const [name, description] of Object.entries(startingRoles))
      await records.create(roles, { pk: rolePk(name), name, description })
  },
}

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
  run: async ({ tx, now }) => {
    const hashes = await Promise.all(demoUsers.map(({ username }) => hashPassword(username)))
    for (const [at, user] of demoUsers.entries()) {
      const email = `${user.username}@plinth.example`
      await createUser(tx, { ...user, email, passwordHash: hashes[at] ?? null, active: true }, now)
      await confirmAddress(tx, { user: user.pk, email }, now)
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

/** Demo data may be left when demo mode is turned off, and everyone knows its passwords. */
export const warnOfDemoPasswords = async ({ platform, config }: Service): Promise<readonly string[]> => {
  if (config.get(appSettings).demo) return []
  const names = await findDemoPasswords(platform.records)
  if (names.length === 0) return []
  return [
    'Warning: demo mode is off, but these users still have their demo passwords, which everyone knows:',
    `  ${names.join(', ')}`,
    '  Use another data folder or database, or delete these users, or run `plinth admin reset-password <username>`.',
  ]
}

// Rules name roles by text, so a misspelt role denies access and nothing else shows it. The start logs such roles.

export const warnOfMissingRoles = async (service: Service): Promise<void> => {
  const { records } = service.platform
  const log = service.logs.named('app')
  for (const [role, place] of rolesInRules(service)) {
    if (role in startingRoles || (await records.first(roles, { name: role }))) continue
    const known = (await records.find(roles)).map(({ name }) => name)
    log.warn(
      `${place}: the rule names the role ${role}, which does not exist${didYouMean(known, role) || '; create it'}`,
    )
  }
}

/** Each with a rule that names it. */
const rolesInRules = ({ platform: { access }, overview }: Service): ReadonlyMap<string, string> =>
  new Map([
    ...overview().routes.flatMap(({ route: { roles = [], method, path } }) =>
      roles.map(role => [role, `${method} ${path}`] as const),
    ),
    ...access.roles,
  ])
