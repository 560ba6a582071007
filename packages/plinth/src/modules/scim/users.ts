// Users as providers see and write them.

import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { Where } from '../../core/model/row-where.ts'
import { Problem } from '../../core/problem.ts'
import { isEmail } from '../mail/index.ts'
import {
  changeUser,
  contactDetails,
  emailHashOf,
  hashPassword,
  type PreparedPassword,
  provisionUser,
  type User,
  users,
} from '../people/index.ts'
import { coreSchema } from './attributes.ts'
import { type FilterConditions, onBoolean, onDate, onlyEqual, onText } from './filters.ts'
import { scimUsers } from './links.ts'
import { booleanIn, isObject, objectsIn, type ScimObject, textIn } from './scim-json.ts'
import { mistake } from './scim-problem.ts'

/** A user with what belongs to one. */
export interface ScimUser {
  readonly user: User
  readonly email: string | null
  readonly externalId: string | null
  /** The name by which the provider knows the user. */
  readonly userName: string
}

/** Reads what belongs to users, in three statements for all of them. */
export const completed = async (records: RecordReader, found: readonly User[]): Promise<readonly ScimUser[]> => {
  const pks = found.map(({ pk }) => pk)
  const links = new Map((await records.find(scimUsers, { where: { pk: { in: pks } } })).map(link => [link.pk, link]))
  const details = await records.find(contactDetails, { where: { pk: { in: pks } } })
  const emails = new Map(details.map(({ pk, primaryEmail }) => [pk, primaryEmail?.email ?? null]))
  return found.map(user => {
    const link = links.get(user.pk)
    return {
      user,
      email: emails.get(user.pk) ?? null,
      externalId: link?.externalId ?? null,
      userName: link?.userName ?? user.username,
    }
  })
}

export const findScimUser = async (records: RecordReader, id: string): Promise<ScimUser> => {
  const user = await records.first(users, { where: { pk: id } })
  const [complete] = user ? await completed(records, [user]) : []
  if (!complete) throw new Problem('not_found', `There is no user '${id.slice(0, 100)}'.`)
  return complete
}

export const showUser = ({ user, email, externalId, userName }: ScimUser, root: string): ScimObject => ({
  schemas: [coreSchema('User')],
  id: user.pk,
  ...(externalId !== null && { externalId }),
  userName,
  name: {
    formatted: user.name,
    ...(user.firstName !== null && { givenName: user.firstName }),
    ...(user.lastName !== null && { familyName: user.lastName }),
  },
  displayName: user.name,
  preferredLanguage: user.locale,
  active: user.active,
  emails: email === null ? [] : [{ value: email, type: 'work', primary: true }],
  groups: user.roles.map(({ pk, label }) => ({ value: pk, $ref: `${root}/Groups/${pk}`, display: label })),
  meta: { resourceType: 'User', created: user.createdDate, lastModified: user.lastModifiedDate },
})

/** What a provider sends, read. */
export interface UserInput {
  readonly userName: string
  readonly externalId: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  /** Left out: it stays as it is. */
  readonly locale: string | undefined
  readonly active: boolean
  readonly email: string | null
  readonly password: PreparedPassword | null
}

/** Hashes the password, so it is called before the transaction. */
export const readUser = async (sent: ScimObject): Promise<UserInput> => {
  const userName = textIn(sent, 'userName')
  if (userName === null) throw mistake('invalidValue', 'userName is required.')
  const name = isObject(sent.name) ? sent.name : {}
  const plain = textIn(sent, 'password')
  return {
    userName,
    externalId: textIn(sent, 'externalId'),
    firstName: textIn(name, 'givenName'),
    lastName: textIn(name, 'familyName'),
    locale: textIn(sent, 'preferredLanguage') ?? undefined,
    active: booleanIn(sent, 'active') ?? true,
    email: emailIn(sent) ?? (isEmail(userName) ? userName : null),
    password: plain === null ? null : { plain, hash: await hashPassword(plain) },
  }
}

/** Of several addresses the primary one, or else the first one. */
const emailIn = (sent: ScimObject): string | null => {
  const entries = objectsIn(sent, 'emails')
  const chosen = entries.find(entry => booleanIn(entry, 'primary')) ?? entries[0]
  return chosen ? textIn(chosen, 'value') : null
}

const longestUsername = 60
const maxTries = 1000

/** A username that is free: of an address the part before the @, with a number if it is taken. */
const usernameFor = async (records: RecordReader, userName: string): Promise<string> => {
  if (!userName.includes('@')) return userName
  const begin = userName.slice(0, userName.indexOf('@')).replace(/[\s:]/g, '').slice(0, longestUsername) || 'user'
  for (let number = 1; number <= maxTries; number++) {
    const username = number === 1 ? begin : `${begin}${number}`
    if ((await records.count(users, { where: { username: { ilike: username.replace(/[\\*]/g, '\\$&') } } })) === 0)
      return username
  }
  throw new Problem('conflict', `No username like '${begin}' is free.`)
}

const linkOf = ({ userName, externalId }: UserInput) => ({
  externalId,
  userName: userName.includes('@') ? userName : null,
})

export const createScimUser = async (records: TransactionRecords, input: UserInput): Promise<string> => {
  const { userName, email, firstName, lastName, locale, active, password } = input
  const pk = await provisionUser(records, {
    ...{ username: await usernameFor(records, userName), firstName, lastName, active },
    ...(email !== null && { email }),
    ...(locale !== undefined && { locale }),
    ...(password && { password }),
  })
  await records.asService.create(scimUsers, { user: pk, ...linkOf(input) })
  return pk
}

/** Writes what differs. An address that is not sent stays: it may open the account. */
export const changeScimUser = async (
  records: TransactionRecords,
  { user, email, userName, externalId }: ScimUser,
  input: UserInput,
): Promise<void> => {
  const isRenamed = input.userName.toLowerCase() !== userName.toLowerCase()
  await changeUser(records, user.pk, {
    ...(isRenamed && !input.userName.includes('@') && { username: input.userName }),
    ...(input.firstName !== user.firstName && { firstName: input.firstName }),
    ...(input.lastName !== user.lastName && { lastName: input.lastName }),
    ...(input.locale !== undefined && input.locale !== user.locale && { locale: input.locale }),
    ...(input.email !== null && input.email !== email && { email: input.email }),
    ...(input.active !== user.active && { active: input.active }),
    ...(input.password && { password: input.password }),
  })
  if (isRenamed || input.externalId !== externalId)
    await records.asService.upsert(scimUsers, { pk: user.pk, user: user.pk, ...linkOf(input) })
}

type UserCondition = Where<typeof users>

const maxLinks = 1000

/** Conditions of filters on users. */
export const userConditions = (records: RecordReader): FilterConditions<UserCondition> => {
  const email = async (address: string): Promise<UserCondition> => {
    const emailHash = await emailHashOf(records, address)
    return emailHash === null ? { pk: { in: [] } } : { emailHash }
  }
  return {
    all: {},
    and: parts => ({ and: parts }),
    or: parts => ({ or: parts }),
    not: part => ({ not: part }),
    compare: {
      id: comparison => ({ pk: onlyEqual(comparison) }),
      username: async comparison => {
        const { not, is } = onText(comparison)
        const links = await records.find(scimUsers, { where: { userName: is }, limit: maxLinks })
        const either: UserCondition = { or: [{ username: is }, { pk: { in: links.map(({ pk }) => pk) } }] }
        return not ? { not: either } : either
      },
      externalid: async comparison => {
        const links = await records.find(scimUsers, {
          where: { externalId: onlyEqual(comparison) },
          limit: maxLinks,
        })
        return { pk: { in: links.map(({ pk }) => pk) } }
      },
      'name.givenname': comparison => {
        const { not, is } = onText(comparison)
        return not ? { not: { firstName: is } } : { firstName: is }
      },
      'name.familyname': comparison => {
        const { not, is } = onText(comparison)
        return not ? { not: { lastName: is } } : { lastName: is }
      },
      active: comparison => ({ active: onBoolean(comparison) }),
      emails: comparison => email(onlyEqual(comparison)),
      'emails.value': comparison => email(onlyEqual(comparison)),
      // Each user has one address here, which is of this type and the primary one.
      'emails.type': comparison => (onlyEqual(comparison) === 'work' ? {} : { pk: { in: [] } }),
      'emails.primary': comparison => (onBoolean(comparison) ? {} : { pk: { in: [] } }),
      groups: comparison => ({ roles: onlyEqual(comparison) }),
      'groups.value': comparison => ({ roles: onlyEqual(comparison) }),
      'meta.created': comparison => ({ createdDate: onDate(comparison) }),
      'meta.lastmodified': comparison => ({ lastModifiedDate: onDate(comparison) }),
    },
  }
}

export const userSorts = {
  id: 'pk',
  username: 'username',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
  'meta.created': 'createdDate',
  'meta.lastmodified': 'lastModifiedDate',
} as const
