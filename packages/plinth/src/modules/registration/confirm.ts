// Links in mails: what a token is for, and the confirmation of an e-mail address. With it, a new user can sign in.

import { boolean, choice, text } from '../../core/model/fields.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import { defineShape } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Verification } from '../auth/index.ts'
import { endTokens, isSameMailbox, maskEmail, readToken, type TokenBinding, useToken } from '../mail/index.ts'
import {
  activateUser,
  confirmAddress,
  contactDetails,
  emailHashOf,
  isOpened,
  isUnconfirmed,
  loginNameOf,
  mailboxOf,
  type User,
  userCredentials,
  users,
} from '../people/index.ts'
import { registrationAudit, registrationFault } from './faults.ts'
import { type AccountBody, type AccountRequest, linkFields, missing, requireFields, userAnswer } from './register.ts'
import { removeRivals } from './unconfirmed.ts'

/** The same for tokens that are used, expired, unknown or for another purpose. */
export const invalidToken = (): Problem =>
  new Problem('unprocessable', {
    detail: { en: 'The token is invalid or expired.', de: 'Der Link ist ungültig oder abgelaufen.' },
    errors: [{ pointer: '/resetPasswordToken', member: 'resetPasswordToken', ...registrationFault('expired_link') }],
  })

type LinkNames = Pick<AccountBody, 'email' | 'username'>

export interface AccountLink {
  readonly user: User
  readonly binding: TokenBinding
}

/** The user and the purpose of a token. The names that were sent with it must be those of the user. */
export const readLink = async ({ platform }: Context, names: LinkNames, token: string): Promise<AccountLink> => {
  const { clock, records } = platform
  const binding = await readToken(records, token, clock())
  const user = binding && (await records.first(users, { where: { pk: binding.user } }))
  if (!binding || !user || !isNamed(binding, user.username, names)) throw invalidToken()
  return { user, binding }
}

const isNamed = ({ address }: TokenBinding, own: string, { email, username }: LinkNames): boolean => {
  const isAddress = (text: string) => isSameMailbox(text, address)
  const isName = (text: string) => loginNameOf(text) === loginNameOf(own) || isAddress(text)
  return (email === null || isAddress(email)) && (username === null || isName(username))
}

/** Does the link lead to the page where a password is chosen? */
export const setsPassword = ({ purpose }: TokenBinding): boolean => purpose === 'passwordReset' || purpose === 'welcome'

const linkState = defineShape(
  'AccountLink',
  {
    purpose: choice(['confirmation', 'addressChange', 'passwordReset', 'welcome'], { required: true }),
    takesPassword: boolean({ required: true, about: 'Whether `currentPassword` is required to confirm the address.' }),
  },
  { about: 'The token is valid.' },
)

/** Checks whether a link is still valid, and for what. The token is not used up. */
export const checkLink = defineEndpoint({
  method: 'POST',
  path: '/api/auth/account/verification',
  id: 'checkAccountLink',
  tag: 'registration',
  summary: 'Check the link in an e-mail',
  description: 'Returns whether the token is still valid, and what it is for. Does not use up the token.',
  access: 'true',
  forgiving: true,
  holdsSecrets: true,
  body: { resetPasswordToken: text({ required: true, max: 200 }), ...linkFields },
  answers: { 200: linkState },
  problems: [400, 422],
  run: async ({ context, body: { resetPasswordToken, ...names } }) => {
    const { binding } = await readLink(context, names, resetPasswordToken)
    return { purpose: binding.purpose, takesPassword: await needsPassword(context.platform.records, binding) }
  },
})

/** Someone else may have entered the address. So an account that can be opened already needs its password to confirm another one. */
const needsPassword = async (records: RecordReader, { purpose, user }: TokenBinding): Promise<boolean> =>
  (purpose === 'addressChange' || purpose === 'welcome') && isOpened(records, user)

/** The token of a mail without a new password confirms the address. */
export const confirmByLink = async (
  { context, request, verifyPassword }: AccountRequest,
  body: AccountBody,
  token: string,
): Promise<Answer> => {
  const { records } = context.platform
  if (body.email === null && body.username === null) throw missing('username')
  const { user, binding } = await readLink(context, body, token)
  const verify = (): Promise<Verification> => {
    const { currentPassword: password } = requireFields(body, 'currentPassword')
    return verifyPassword({ name: user.username, password, request, method: 'verification' })
  }
  const verification = (await needsPassword(records, binding)) ? await verify() : null
  await records.transaction(records => confirm(records, { token, user: user.pk, verification }, context))
  return userAnswer(context, user.pk)
}

interface Confirmation {
  readonly token: string
  /** The pk of the user whose token it is. */
  readonly user: string
  /** The verification of the password, where it is needed. */
  readonly verification: Verification | null
}

const confirm = async (
  records: TransactionRecords,
  { token, user, verification }: Confirmation,
  context: Context,
): Promise<void> => {
  const now = context.platform.clock()
  // Locked before the tokens, as wherever a user is deactivated or an address is entered, so that transactions do not deadlock.
  const credentials = await records.lock(userCredentials, user)
  await records.lock(contactDetails, user)
  await verification?.commit(records)
  const binding = await useToken(records, token, now)
  if (!binding || binding.purpose === 'passwordReset') throw invalidToken()
  // The account got a password or a mailbox since the token was read.
  if (!verification && (await needsPassword(records, binding))) throw invalidToken()
  const { address, purpose } = binding
  if (purpose === 'confirmation') {
    if (!isUnconfirmed(credentials) || !(await isRegistered(records, binding))) throw invalidToken()
    await removeRivals(records, { user, address, sender: context.sender }, now)
    await activateUser(records, user, now)
  } else {
    // Links that were sent to the former mailbox open nothing any more.
    await endTokens(records, user, 'passwordReset')
  }
  const former = await mailboxOf(records, user)
  await confirmAddress(records, { user, email: address }, now)
  await record(records, { ...binding, former }, context)
}

/** Was the registration made with this address? Any other address may be someone else's. */
const isRegistered = async (records: TransactionRecords, { user, address }: TokenBinding): Promise<boolean> => {
  const registered = await records.first(users, { where: { pk: user } })
  return registered !== null && registered.emailHash === (await emailHashOf(records, address))
}

/** The principal is the signed-in caller, or else the user: the token came from the user's mailbox. */
const record = async (
  records: TransactionRecords,
  { user, address, purpose, former }: TokenBinding & { readonly former: string | null },
  { caller, sender, platform }: Context,
): Promise<void> => {
  const { username } = await records.get(users, user)
  const isAnother = caller.pk !== null && caller.pk !== user
  const data = {
    ...(isAnother && { user: username }),
    ...(former !== null && { former: maskEmail(former) }),
    email: maskEmail(address),
  }
  const type = purpose === 'confirmation' ? 'REGISTRATION_CONFIRMED' : 'EMAIL_CHANGED'
  const by = isAnother ? caller : { ...caller, username }
  await registrationAudit.recordChange(records, { caller: by, sender, now: platform.clock() }, { type, data })
}
