// POST account: registers a user, who can sign in once the address is confirmed. And accounts of people who sign in at a provider
// for the first time.
//
// The response does not reveal whether an address is known. In both cases a user is created who cannot sign in; only the mail
// differs, and only the owner of the mailbox reads it. Unconfirmed registrations are removed after some days.

import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { fault } from '../../core/fault.ts'
import type { Request } from '../../core/http/exchange.ts'
import { boolean, text } from '../../core/model/fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { InputOf } from '../../core/model/shape.ts'
import type { Fault, Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { invalid } from '../../core/rest/body.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { RegisterNewcomer, VerifyPassword } from '../auth/index.ts'
import { emailPattern, queueLinkMail, queueMail } from '../mail/index.ts'
import {
  checkPassword,
  confirmAddress,
  confirmation,
  createUser,
  findUserByName,
  hashPassword,
  isLocale,
  judgePassword,
  localePattern,
  mailboxOf,
  maxLocale,
  passwordLength,
  secrets,
  usernamePattern,
  userRecord,
  userRecordOf,
} from '../people/index.ts'
import { spendCode } from './codes.ts'
import { registrationAudit, registrationFault } from './faults.ts'
import { limitAddress } from './limits.ts'
import { alreadyRegistered } from './mails.ts'
import { mustBeUnreserved } from './reserved-names.ts'
import { type RegistrationSettings, registrationSettings } from './settings.ts'
import { removeRivals } from './unconfirmed.ts'

const fieldsWith = (forceCodes: boolean) => ({
  email: text({ required: true, max: 254, pattern: emailPattern }),
  username: text({ min: 1, max: 100, pattern: usernamePattern }),
  password: text({ required: true, max: passwordLength.max * 2, format: 'password' }),
  passwordConfirmation: text({ required: true, max: passwordLength.max * 2, format: 'password' }),
  firstName: text({ max: 100 }),
  lastName: text({ max: 100 }),
  locale: text({ max: maxLocale, default: 'en', pattern: localePattern }),
  registrationCode: text({ max: 100, required: forceCodes }),
})

type Registration = Omit<InputOf<ReturnType<typeof fieldsWith>>, 'username'> & { readonly username: string }

export const register = ({ forceCodes, reservedNames }: RegistrationSettings) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/auth/account',
    id: 'register',
    tag: 'registration',
    summary: 'Register a new user',
    description: 'The user can sign in after following the link that is sent to the address.',
    access: 'true',
    forgiving: true,
    holdsSecrets: true,
    body: fieldsWith(forceCodes),
    check: ({ password, passwordConfirmation, username, email }) =>
      password === undefined
        ? []
        : [
            ...checkPassword(password, { username: username ?? undefined, email }),
            ...checkConfirmation({ password, passwordConfirmation }),
          ],
    answers: { 201: { about: 'The response is the same whether or not the address is known.', value: userRecord } },
    problems: [400, 403, 409, 422, 429],
    run: async ({ context, request, body, records: { asService } }) => {
      const sent = { ...body, username: body.username ?? inventName(body.email) }
      await limitAddress(asService, request.remoteAddress)
      const faults = await judgePassword(sent.password, sent, context.platform.codeContexts('registration'))
      if (faults.length > 0) throw invalid(faults)
      const passwordHash = await hashPassword(sent.password)
      const pk = uuidv7()
      return context.platform.records.transaction(async records => {
        const now = context.platform.clock()
        await addUser(records, { ...sent, pk, passwordHash }, now)
        await mustBeUnreserved(records, { username: sent.username, user: pk }, reservedNames)
        const data = { address: request.remoteAddress }
        await registrationAudit.record(records, { type: 'REGISTERED', principal: sent.username, data, now })
        await sendMail(records, { ...sent, pk }, now)
        return userRecordOf(records, pk)
      })
    },
  })

/** A confirmation that could not be read is reported already. */
export const checkConfirmation = (sent: {
  readonly password: string
  readonly passwordConfirmation: string | undefined
}): readonly Fault[] => {
  if (sent.passwordConfirmation === undefined || sent.password === sent.passwordConfirmation) return []
  const field = 'passwordConfirmation'
  return [{ pointer: `/${field}`, member: field, ...registrationFault('password_mismatch') }]
}

/** Always with a random suffix: a name that depends on existing users would reveal them. */
const inventName = (email: string): string => {
  const local = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9._-]/g, '').slice(0, 40) || 'user'
  return `${local}-${randomBytes(4).toString('hex')}`
}

const addUser = async (
  records: TransactionRecords,
  { registrationCode, ...sent }: Registration & { readonly pk: string; readonly passwordHash: string },
  now: Date,
): Promise<void> => {
  await createUser(records, { ...sent, roles: ['ROLE_USER'], active: false }, now)
  if (registrationCode !== null) await spendCode(records, { code: registrationCode, user: sent.pk }, now)
}

const sendMail = async (
  transaction: TransactionRecords,
  sent: Registration & { readonly pk: string },
  now: Date,
): Promise<void> => {
  const records = transaction.acting({ now })
  const owner = await findUserByName(records, sent.email)
  const mailbox = owner && (await mailboxOf(records, owner.pk))
  if (owner && mailbox) {
    const { name, username, locale } = owner
    const content = { name, username }
    await queueMail(records, alreadyRegistered, { recipient: mailbox, locale, content })
    return
  }
  const { pk, email, username, firstName, locale } = sent
  const content = { name: firstName || username, username }
  await queueLinkMail(records, confirmation, { user: pk, recipient: email, locale, content })
}

/** Registers someone whom a provider has authenticated. Without a password: the user can request one by mail. */
export const registerNewcomer: RegisterNewcomer = async ({ platform, config }, records, newcomer) => {
  if (config.get(registrationSettings).forceCodes) return null
  const { claims, email, provider, request } = newcomer
  await limitAddress(records, request.remoteAddress)
  const now = platform.clock()
  await removeRivals(records, { user: null, address: email, sender: request }, now)
  const { firstName, lastName, locale } = claims
  const username = inventName(email)
  const person = { username, email, firstName, lastName, ...(locale !== null && isLocale(locale) && { locale }) }
  const { pk } = await createUser(records, { ...person, passwordHash: null, roles: ['ROLE_USER'], active: true }, now)
  await confirmAddress(records, { user: pk, email }, now)
  const data = { provider, address: request.remoteAddress }
  await registrationAudit.record(records, { type: 'REGISTERED', principal: username, data, now })
  return records.get(secrets, pk)
}

// The body of PUT account, which several actions share.

const passwordText = () => text({ max: passwordLength.max * 2, format: 'password' })

export const linkFields = {
  email: text({ max: 320 }),
  username: text({ max: 320 }),
}

export const accountFields = {
  currentPassword: passwordText(),
  password: passwordText(),
  passwordConfirmation: passwordText(),
  resetPasswordToken: text({ max: 200 }),
  ...linkFields,
  revokeApiKeys: boolean({ about: 'With `currentPassword`: also revoke all API keys of the user.' }),
}

export type AccountBody = InputOf<typeof accountFields>

export interface AccountRequest {
  readonly context: Context
  readonly request: Request
  readonly verifyPassword: VerifyPassword
}

export const missing = (...fields: readonly (keyof AccountBody)[]): Problem =>
  invalid(fields.map(field => ({ pointer: `/${field}`, member: field, ...fault('required') })))

/** Problem `invalid` names every field that is missing. */
export const requireFields = <const K extends keyof AccountBody>(
  body: AccountBody,
  ...names: readonly K[]
): { readonly [N in K]: NonNullable<AccountBody[N]> } => {
  const absent = names.filter(name => body[name] === null)
  if (absent.length > 0) throw missing(...absent)
  return body as { readonly [N in K]: NonNullable<AccountBody[N]> }
}

export const userAnswer = async ({ platform }: Context, userPk: string): Promise<Answer> =>
  toValueAnswer(userRecord, await userRecordOf(platform.records, userPk))
