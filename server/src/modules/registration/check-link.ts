// POST account/verification: is the link of a mail still good, and what for? People learn it before they type anything, and
// the link is not used up.

import { text } from '../../core/model/fields.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import { readMembers } from '../../core/rest/read-members.ts'
import type { Task } from '../../core/rest/respond.ts'
import { takesPassword } from './confirm.ts'
import { readBound } from './password.ts'

const fields = {
  resetPasswordToken: text({ required: true, max: 200 }),
  email: text({ max: 320 }),
  username: text({ max: 320 }),
}

export const checkLink = async (context: Context, { body }: Task): Promise<Answer> => {
  const { resetPasswordToken, ...names } = readMembers(body, fields)
  const { binding } = await readBound(context, names, resetPasswordToken)
  const value = { purpose: binding.purpose, takesPassword: await takesPassword(context.platform.store, binding) }
  return { kind: 'value', status: 200, name: 'accountLink', value, headers: { 'Cache-Control': 'no-store' } }
}
