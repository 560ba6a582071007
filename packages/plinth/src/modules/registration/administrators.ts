// Administrators that the service creates itself: the first one, and those of the command line.

import { text } from '../../core/model/fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { ValueFault } from '../../core/model/value-fault.ts'
import type { Command, CommandContext } from '../../core/module.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { type RevocationListener, removeSecondFactor, revokeCredentials, setPassword } from '../auth/index.ts'
import { emailPattern } from '../mail/index.ts'
import {
  confirmAddress,
  createUser,
  findSecrets,
  hashPassword,
  judgePassword,
  passwordContextOf,
  roles,
  type User,
  usernamePattern,
} from '../people/index.ts'
import { registrationAudit } from './faults.ts'

export interface NewAdministrator {
  readonly username: string
  readonly email: string
  readonly password: string
}

const types = {
  username: text({ required: true, max: 100, pattern: usernamePattern }).type,
  email: text({ required: true, max: 254, pattern: emailPattern }).type,
}

/** Reads an administrator, with the username in its stored form. */
const readAdministrator = async (
  { codeContexts }: Platform,
  { username, email, password }: NewAdministrator,
): Promise<NewAdministrator> => {
  const errors: Fault[] = []
  const read = (field: keyof typeof types, sent: string): string => {
    try {
      return String(types[field].read(sent))
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      errors.push(...error.at(`/${field}`, field))
      return sent
    }
  }
  const administrator = { username: read('username', username), email: read('email', email), password }
  errors.push(...(await judgePassword(password, administrator, codeContexts('registration'))))
  if (errors.length > 0) throw new Problem('invalid', { detail: inWords(errors), errors })
  return administrator
}

const inWords = (errors: readonly Fault[]): string =>
  `${errors.map(({ member: field, message }) => `${field} ${message}`).join(', ')}.`

export interface AdministratorOptions {
  /** The origin of the request, for the audit. */
  readonly trace: Readonly<Record<string, string>>
  /** Runs in the same transaction before the user is created, and may refuse. */
  readonly first?: (records: TransactionRecords) => Promise<void>
}

export const createAdministrator = async (
  platform: Platform,
  administrator: NewAdministrator,
  { trace, first }: AdministratorOptions,
): Promise<User> => {
  const { records, clock } = platform
  const { username, email, password } = await readAdministrator(platform, administrator)
  const passwordHash = await hashPassword(password)
  return records.transaction(async records => {
    // Locked, so that of two concurrent requests one creates the first administrator.
    const role = await records.first(roles, { where: { name: 'ROLE_ADMIN' } })
    await records.lock(roles, role?.pk ?? '')
    await first?.(records)
    const now = clock()
    const granted = ['ROLE_ADMIN', 'ROLE_USER']
    const user = await createUser(records, { username, email, passwordHash, roles: granted, active: true }, now)
    // The person who installs the service is trusted with the address.
    await confirmAddress(records, { user: user.pk, email }, now)
    await registrationAudit.record(records, {
      type: 'USER_CREATED',
      principal: null,
      data: { user: username, roles: granted, ...trace },
      now,
    })
    return user
  })
}

interface NewPassword {
  /** The username, or an address. */
  readonly name: string
  readonly password: string
}

/** Sets a password for the command line, and ends all sessions, API keys and identities. */
export const resetPassword = async (
  { records, clock, codeContexts }: Platform,
  { name, password }: NewPassword,
  onRevocation: RevocationListener,
): Promise<void> => {
  const secrets = await findSecrets(records, name)
  if (!secrets) throw new Problem('not_found', `There is no user '${name}'.`)
  const context = await passwordContextOf(records, secrets.pk)
  const errors = await judgePassword(password, context, codeContexts('registration'))
  if (errors.length > 0) throw new Problem('invalid', { detail: inWords(errors), errors })
  const hash = await hashPassword(password)
  await records.transaction(async records => {
    const now = clock()
    await setPassword(records, { user: secrets.pk, hash }, now)
    const event = { principal: null, data: { user: name, by: 'command line' }, now }
    await revokeCredentials(records, { ...event, userPk: secrets.pk }, onRevocation)
    await registrationAudit.record(records, { ...event, type: 'PASSWORD_CHANGED' })
  })
}

// Commands for administrators of the machine.

const passwordHint = 'enter the password, or pipe it in'

const printGenerated = ({ print }: CommandContext, password: string, isGenerated: boolean): void => {
  if (isGenerated) print(`Generated password: ${password}`)
}

export const adminCommands = (onRevocation: RevocationListener): readonly Command[] => [
  { name: 'admin', about: 'manage administrators on the server' },
  {
    name: 'admin create',
    about: `create an administrator; ${passwordHint}`,
    arguments: [{ name: '<username>' }, { name: '<email>' }],
    run: (context, username = '', email = '') =>
      context.withPlatform(async platform => {
        const { password, isGenerated } = await context.askPassword()
        await createAdministrator(platform, { username, email, password }, { trace: { by: 'command line' } })
        context.print(`${username} is now an administrator.`)
        printGenerated(context, password, isGenerated)
      }),
  },
  {
    name: 'admin reset-password',
    about: `set a new password for a user; ${passwordHint}`,
    arguments: [{ name: '<username>' }],
    run: (context, username = '') =>
      context.withPlatform(async platform => {
        const { password, isGenerated } = await context.askPassword()
        await resetPassword(platform, { name: username, password }, onRevocation)
        context.print(`Password of ${username} changed. All sessions are signed out.`)
        printGenerated(context, password, isGenerated)
      }),
  },
  {
    name: 'admin reset-second-factor',
    about: 'remove the second factor of a user who has lost it',
    arguments: [{ name: '<username>' }],
    run: (context, username = '') =>
      context.withPlatform(async platform => {
        await removeSecondFactor(platform, username)
        context.print(`Second factor of ${username} removed. All sessions are signed out.`)
      }),
  },
]
