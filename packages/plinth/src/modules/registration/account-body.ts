// The body of PUT account, which several actions share.

import { fault } from '../../core/fault.ts'
import type { Request } from '../../core/http/exchange.ts'
import { boolean, text } from '../../core/model/fields.ts'
import type { InputOf } from '../../core/model/shape.ts'
import type { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { invalid } from '../../core/rest/body.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { VerifyPassword } from '../auth/index.ts'
import { passwordLength, userRecord, userRecordOf } from '../people/index.ts'

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

export const missing = (...members: readonly (keyof AccountBody)[]): Problem =>
  invalid(members.map(member => ({ pointer: `/${member}`, member, ...fault('required') })))

/** Problem `invalid` names every member that is missing. */
export const requireMembers = <const K extends keyof AccountBody>(
  body: AccountBody,
  ...names: readonly K[]
): { readonly [N in K]: NonNullable<AccountBody[N]> } => {
  const absent = names.filter(name => body[name] === null)
  if (absent.length > 0) throw missing(...absent)
  return body as { readonly [N in K]: NonNullable<AccountBody[N]> }
}

export const userAnswer = async ({ platform }: Context, userPk: string): Promise<Answer> =>
  toValueAnswer(userRecord, await userRecordOf(platform.store, userPk))
