// A password in the body of a record: hashed before the transaction begins, checked and stored by the hooks.

import type { FieldOptions } from '../../core/model/field.ts'
import { input, secret } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import { checkPassword, hashPassword, type PasswordContext, passwordLength } from './passwords.ts'

export interface PreparedPassword {
  readonly plain: string
  readonly hash: string
}

/** A write-only field for a new password. */
export const passwordField = (options: FieldOptions<string>) =>
  input(
    secret({ max: passwordLength.max, title: { de: 'Passwort' }, ...options }),
    async (plain): Promise<PreparedPassword> =>
      // A password that will be refused is not worth the time of a hash.
      ({ plain, hash: checkPassword(plain, {}).length > 0 ? '' : await hashPassword(plain) }),
  )

/** The hash of the password that was sent; null without one. Problem `invalid` for a password that is not accepted. */
export const hashOfNew = (sent: PreparedPassword | null | undefined, context: PasswordContext): string | null => {
  if (!sent) return null
  const errors = checkPassword(sent.plain, context)
  if (errors.length > 0) throw new Problem('invalid', { detail: `password ${errors[0]?.message}.`, errors })
  return sent.hash
}
