// What a login request says.

import { fault } from '../../../core/fault.ts'
import { boolean } from '../../../core/model/fields.ts'
import type { Body } from '../../../core/rest/body.ts'
import { invalid, readMembers } from '../../../core/rest/read-members.ts'
import { neededText, typedText } from '../typed-text.ts'

export interface Login {
  /** An address or a username, under either name. */
  readonly name: string
  readonly password: string
  readonly remember: boolean
  /** Of the second factor, when it is sent along. */
  readonly code: string | null
}

const fields = {
  username: typedText,
  email: typedText,
  password: neededText,
  rememberMe: boolean(),
  code: typedText,
}

export const readLogin = (body: Body): Login => {
  const { username, email, password, rememberMe, code } = readMembers(body, fields)
  const name = username ?? email
  if (name === null) throw invalid([{ pointer: '/username', member: 'username', ...fault('required') }])
  return { name, password, remember: rememberMe === true, code }
}
