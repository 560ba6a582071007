// POST account: a new user, who can sign in once the address is confirmed.
//
// Nobody learns here whether an address is known. In both cases a user is made, as yet unable to do anything; only the mail
// differs, and only the owner of the mailbox reads it. What nobody confirms is removed after some days.

import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { text } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import type { Fault } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Body } from '../../core/rest/body.ts'
import type { Context } from '../../core/rest/platform.ts'
import { type Members, readMembers } from '../../core/rest/read-members.ts'
import type { Task } from '../../core/rest/respond.ts'
import { emailPattern, queueLinkMail, queueMail } from '../mail/index.ts'
import {
  checkPassword,
  createUser,
  findUserByName,
  hashPassword,
  mailboxOf,
  passwordLength,
  usernamePattern,
  userRecordOf,
} from '../people/index.ts'
import { registrationAudit } from './audit.ts'
import { spendCode } from './codes.ts'
import { registrationFault } from './faults.ts'
import { limitAddress } from './limits.ts'

export const localePattern = { is: /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$/, says: registrationFault('locale') }

const fields = {
  email: text({ required: true, max: 254, pattern: emailPattern }),
  username: text({ min: 1, max: 100, pattern: usernamePattern }),
  password: text({ required: true, max: passwordLength.max * 2 }),
  passwordConfirmation: text({ required: true, max: passwordLength.max * 2 }),
  firstName: text({ max: 100 }),
  lastName: text({ max: 100 }),
  locale: text({
    max: 20,
    default: 'en',
    pattern: localePattern,
  }),
  registrationCode: text({ max: 100 }),
}

type Registration = Omit<Members<typeof fields>, 'username'> & { readonly username: string }

export const register = async (context: Context, { request, body }: Task, forceCodes: boolean): Promise<Answer> => {
  const sent = readRegistration(body, forceCodes)
  await limitAddress(context, request.remoteAddress)
  const passwordHash = await hashPassword(sent.password)
  const pk = uuidv7()
  const value = await context.platform.store.transaction(async tx => {
    const now = context.platform.clock()
    await add(tx, { ...sent, pk, passwordHash }, now)
    const data = { address: request.remoteAddress }
    await registrationAudit.record(tx, { type: 'REGISTERED', principal: sent.username, data, now })
    await tell(tx, { ...sent, pk }, now)
    return userRecordOf(tx, pk)
  })
  return { kind: 'value', status: 201, name: 'user', value }
}

const readRegistration = (body: Body, forceCodes: boolean): Registration => {
  const all = { ...fields, registrationCode: text({ max: 100, required: forceCodes }) }
  const sent = readMembers(body, all, ({ password, passwordConfirmation, username, email }) =>
    password === undefined
      ? []
      : [
          ...checkPassword(password, { username: username ?? undefined, email }),
          ...checkConfirmation({ password, passwordConfirmation }),
        ],
  )
  return { ...sent, username: sent.username ?? inventName(sent.email) }
}

/** A confirmation that could not be read is at fault already. */
export const checkConfirmation = (sent: {
  readonly password: string
  readonly passwordConfirmation: string | undefined
}): readonly Fault[] => {
  if (sent.passwordConfirmation === undefined || sent.password === sent.passwordConfirmation) return []
  const member = 'passwordConfirmation'
  return [{ pointer: `/${member}`, member, ...registrationFault('password_mismatch') }]
}

/** Always with an ending of its own: a name that depends on who is there already would tell who is. */
export const inventName = (email: string): string => {
  const local = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9._-]/g, '').slice(0, 40) || 'user'
  return `${local}-${randomBytes(4).toString('hex')}`
}

const add = async (
  tx: Transaction,
  { registrationCode, ...sent }: Registration & { readonly pk: string; readonly passwordHash: string },
  now: Date,
): Promise<void> => {
  await createUser(tx, { ...sent, roles: ['ROLE_USER'], active: false }, now)
  if (registrationCode !== null) await spendCode(tx, { code: registrationCode, user: sent.pk }, now)
}

const tell = async (tx: Transaction, sent: Registration & { readonly pk: string }, now: Date): Promise<void> => {
  const owner = await findUserByName(tx, sent.email)
  const mailbox = owner && (await mailboxOf(tx, owner.pk))
  if (owner && mailbox) {
    const { name, username, locale } = owner
    const content = { name, username }
    await queueMail(tx, { purpose: 'alreadyRegistered', recipient: mailbox, locale, content }, now)
    return
  }
  const { pk, email, username, firstName, locale } = sent
  const content = { name: firstName || username, username }
  await queueLinkMail(tx, { purpose: 'confirmation', user: pk, recipient: email, locale, content }, now)
}
