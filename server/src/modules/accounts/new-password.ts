// A password in the body of a record: hashed before the transaction, checked and taken over by the hooks.

import type { FieldOptions } from '../../core/model/field.ts'
import { input, secret } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import { checkPassword, hashPassword, type PasswordContext, passwordLength } from './passwords.ts'

interface NewPassword {
  readonly plain: string
  readonly hash: string
}

/** A write-only member that takes a password. */
export const newPassword = (options: FieldOptions<string>) =>
  input(
    secret({ max: passwordLength.max, title: { de: 'Passwort' }, ...options }),
    async (plain): Promise<NewPassword> => {
      const text = String(plain)
      // One that will be refused is not worth the time.
      return { plain: text, hash: checkPassword(text, {}).length > 0 ? '' : await hashPassword(text) }
    },
  )

/** The hash of the password that was sent, if one was; a problem when it is not good enough. */
export const takePassword = (sent: unknown, context: PasswordContext): string | null => {
  if (sent === null || sent === undefined) return null
  const { plain, hash } = sent as NewPassword
  const errors = checkPassword(plain, context)
  if (errors.length > 0) throw new Problem('invalid', { detail: `password ${errors[0]?.message}.`, errors })
  return hash
}
