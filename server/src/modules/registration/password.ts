// PUT account: one address for every change of a password, and for the tokens that come back from mails.

import { fault } from '../../core/fault.ts'
import { boolean, text } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import { invalid, type Members, readMembers } from '../../core/rest/read-members.ts'
import type { Task } from '../../core/rest/respond.ts'
import { type Proof, type Prove, rememberNetwork, revokeCredentials, revokeKeys, setPassword } from '../auth/index.ts'
import { emailHashOf, readToken, type TokenBinding, useToken } from '../mail/index.ts'
import {
  checkPassword,
  hashPassword,
  loginNameOf,
  type PasswordContext,
  passwordContextOf,
  passwordLength,
  userCredentials,
  userRecordOf,
  users,
} from '../people/index.ts'
import { registrationAudit } from './audit.ts'
import { badToken, confirm, takesPassword } from './confirm.ts'
import { checkConfirmation } from './register.ts'
import { requestReset } from './reset-requests.ts'

const secretText = () => text({ max: passwordLength.max * 2 })

const fields = {
  currentPassword: secretText(),
  password: secretText(),
  passwordConfirmation: secretText(),
  resetPasswordToken: text({ max: 200 }),
  email: text({ max: 320 }),
  username: text({ max: 320 }),
  revokeApiKeys: boolean(),
}

type Sent = Members<typeof fields>

export interface Asking {
  readonly context: Context
  readonly task: Task
  readonly prove: Prove
}

/** Which of the cases it is, the members tell; a token counts for what it is bound to, whoever is signed in. */
export const putAccount = async (asking: Asking): Promise<Answer> => {
  const { context, task } = asking
  const sent = readMembers(task.body, fields)
  if (sent.resetPasswordToken !== null) {
    const token = sent.resetPasswordToken
    return sent.password === null ? confirmAddress(asking, sent, token) : resetPassword(asking, sent, token)
  }
  const name = sent.username ?? sent.email
  const isSignedIn = context.caller.pk !== null
  if (sent.currentPassword !== null || (isSignedIn && (sent.password !== null || name === null)))
    return changePassword(asking, sent)
  if (name === null) throw missing('email')
  await requestReset(context, task.request, name)
  return { kind: 'nothing', status: 200 }
}

const missing = (...members: readonly (keyof Sent)[]): Problem =>
  invalid(members.map(member => ({ pointer: `/${member}`, member, ...fault('required') })))

/** The members, none of which may be missing. */
const needed = <const K extends keyof Sent>(sent: Sent, ...names: readonly K[]): Readonly<Record<K, string>> => {
  const absent = names.filter(name => sent[name] === null)
  if (absent.length > 0) throw missing(...absent)
  return sent as Readonly<Record<K, string>>
}

type TypedTwice = Readonly<Record<'password' | 'passwordConfirmation', string>>

/** The new password, once it is good and was typed twice alike. */
const readNew = (sent: TypedTwice, context: PasswordContext): string => {
  const faults = [...checkPassword(sent.password, context), ...checkConfirmation(sent)]
  if (faults.length > 0) throw invalid(faults)
  return sent.password
}

const recordAnswer = async ({ platform }: Context, userPk: string): Promise<Answer> => ({
  kind: 'value',
  status: 200,
  name: 'user',
  value: await userRecordOf(platform.store, userPk),
})

const changePassword = async ({ context, task, prove }: Asking, sent: Sent): Promise<Answer> => {
  const { pk, username, session } = context.caller
  if (pk === null || username === null) throw new Problem('unauthorized')
  const given = needed(sent, 'currentPassword', 'password', 'passwordConfirmation')
  const { store, clock } = context.platform
  const password = readNew(given, await passwordContextOf(store, pk))
  const proof = await prove({
    name: username,
    password: given.currentPassword,
    request: task.request,
    way: 'verification',
  })
  const hash = await hashPassword(password)
  await store.transaction(async tx => {
    await proof.settle(tx)
    await setPassword(tx, { user: pk, hash, session }, clock())
    const event = { principal: username, data: { address: task.request.remoteAddress }, now: clock() }
    if (sent.revokeApiKeys) await revokeKeys(tx, { ...event, userPk: pk })
    await registrationAudit.record(tx, { ...event, type: 'PASSWORD_CHANGED' })
  })
  return recordAnswer(context, pk)
}

/** Signs nobody in: whatever else a sign-in asks for, such as a second factor, it goes on asking. */
const resetPassword = async ({ context, task }: Asking, sent: Sent, token: string): Promise<Answer> => {
  const { store, clock } = context.platform
  const { user, binding } = await readBound(context, sent, token)
  if (binding.purpose !== 'passwordReset') throw badToken()
  const given = needed(sent, 'password', 'passwordConfirmation')
  const hash = await hashPassword(readNew(given, await passwordContextOf(store, user.pk)))
  await store.transaction(async tx => {
    // Before its tokens, as whoever turns the user away: so nobody waits in a ring.
    await recordsIn(tx).lock(userCredentials, user.pk)
    const used = await useToken(tx, token, clock())
    if (used?.purpose !== 'passwordReset') throw badToken()
    await setPassword(tx, { user: used.user, hash }, clock())
    const data = { way: 'reset', address: task.request.remoteAddress }
    const event = { principal: user.username, data, now: clock() }
    await revokeCredentials(tx, { ...event, userPk: used.user, mailbox: used.address })
    // However many guess at the account at this moment, its owner signs in next.
    await rememberNetwork(tx, { userPk: used.user, address: task.request.remoteAddress }, clock())
    await registrationAudit.record(tx, { ...event, type: 'PASSWORD_CHANGED' })
  })
  return recordAnswer(context, user.pk)
}

const confirmAddress = async ({ context, task, prove }: Asking, sent: Sent, token: string): Promise<Answer> => {
  const { store } = context.platform
  if (sent.email === null && sent.username === null) throw missing('username')
  const { user, binding } = await readBound(context, sent, token)
  const proveAgain = (): Promise<Proof> => {
    const { currentPassword: password } = needed(sent, 'currentPassword')
    return prove({ name: user.username, password, request: task.request, way: 'verification' })
  }
  const proof = (await takesPassword(store, binding)) ? await proveAgain() : null
  await store.transaction(tx => confirm(tx, { token, user: user.pk, proof }, context))
  return recordAnswer(context, user.pk)
}

type Names = Pick<Sent, 'email' | 'username'>

/** The token and its user, when what else was sent names that user. */
export const readBound = async ({ platform }: Context, { email, username }: Names, token: string) => {
  const { store, clock } = platform
  const binding = await readToken(store, token, clock())
  const user = binding && (await platform.records.first(users, { pk: binding.user }))
  if (!binding || !user || !isMeant(binding, user.username, { email, username })) throw badToken()
  return { user, binding }
}

const isMeant = ({ address }: TokenBinding, username: string, given: Names): boolean => {
  const isAddress = (text: string) => emailHashOf(text) === emailHashOf(address)
  const isName = (text: string) => loginNameOf(text) === loginNameOf(username) || isAddress(text)
  return (given.email === null || isAddress(given.email)) && (given.username === null || isName(given.username))
}
